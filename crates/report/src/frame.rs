//! The document around a page: its style, and the policy that forbids it everything else.

use crate::foreign;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The one style of every page.
pub(crate) const STYLE: &str = include_str!("style.css");

/// Content Security Policy: nothing is loaded, no script runs, no form is sent, and of styles only [`STYLE`] counts, which is
/// named by its SHA-256 (W3C Content Security Policy Level 3, section 2.3.1).
pub(crate) const POLICY: &str = concat!(
    "default-src 'none'; style-src 'sha256-",
    "Tg9SDEglmNvuFlAtM5Km/FK16Hd0/kXJ7aqMKxKHuoo=",
    "'; base-uri 'none'; form-action 'none'"
);

/// A whole document.
pub(crate) fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (foreign(title)) " · artoo" }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
}
