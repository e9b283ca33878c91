//! `fetch_url`: a page of the internet as text.

use artoo_types::evidence::CallEnd;
use artoo_types::text::first_chars;
use reqwest::header::{HeaderMap, LOCATION};

use super::get::{WebReply, WebRequest, ask};
use super::link::Link;
use super::{Web, charset, page};
use artoo_types::tool::CallOutcome;

/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;
/// Bytes of a page that are read.
pub(super) const MAX_BYTES: usize = 2 << 20;
/// Bytes at the start that tell what the content is.
const SNIFFED_BYTES: usize = 8 << 10;
/// Characters of a page that says that there is an error.
const ERROR_CHARS: usize = 1_000;
const ACCEPT: &str = "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.1";

/// Fetches a page.
pub(super) async fn run(web: &Web, address: &str) -> CallOutcome {
    match tokio::time::timeout(web.deadline, follow(web, address)).await {
        Ok(Ok(produced)) => produced,
        Ok(Err(problem)) => CallOutcome::failed(problem),
        Err(_) => CallOutcome::ended(
            CallEnd::Timeout,
            format!(
                "the page did not come within {} s; try again later, or another page",
                web.deadline.as_secs()
            ),
        ),
    }
}

async fn follow(web: &Web, address: &str) -> Result<CallOutcome, String> {
    let first = Link::read(address)?;
    let mut link = first.clone();
    for _ in 0..=MAX_REDIRECTS {
        let question =
            WebRequest { link: link.clone(), accept: ACCEPT, headers: HeaderMap::new(), body: None };
        let reply = ask(question, &web.policy, web.lookup.as_ref()).await?;
        let redirects = matches!(reply.status(), 301 | 302 | 303 | 307 | 308);
        match reply.header(&LOCATION).filter(|_| redirects) {
            Some(location) => link = link.redirected(location)?,
            None => {
                let moved = (link.url != first.url).then(|| format!("redirected to {}", link.url));
                return told(&link, reply).await.map(|produced| noted(produced, moved));
            }
        }
    }
    Err(format!(
        "{} redirects more than {MAX_REDIRECTS} times; give the address that it leads to",
        first.host
    ))
}

fn noted(produced: CallOutcome, moved: Option<String>) -> CallOutcome {
    let before = produced.note.clone();
    produced.noted(moved.into_iter().chain(before))
}

async fn told(link: &Link, reply: WebReply) -> Result<CallOutcome, String> {
    let (status, status_line, kind) = (reply.status(), reply.status_line(), reply.content_type());
    let form = ContentForm::of(&kind);
    if form == ContentForm::Binary {
        let size = reply.told_length().map_or("of unknown size".to_owned(), |bytes| format!("{bytes} bytes"));
        return Err(binary(link, &kind, &size));
    }
    let (body, cut) = reply.body(MAX_BYTES).await?;
    let starts = &body[..body.len().min(SNIFFED_BYTES)];
    let is_wide =
        starts.starts_with(&[0xff, 0xfe]) || starts.starts_with(&[0xfe, 0xff]) || kind.contains("utf-16");
    if starts.contains(&0) && !is_wide {
        return Err(binary(link, &kind, &format!("{} bytes", body.len())));
    }
    let is_html = form == ContentForm::Html || (form == ContentForm::Unknown && looks_like_html(starts));
    let (text, replaced) = charset::text(&body, &kind, is_html);
    let text = if is_html { page::text(&text, &link.url) } else { text };
    let mut notes = Vec::new();
    if cut {
        notes.push(format!("the page is longer than {MAX_BYTES} bytes and was cut there"));
    }
    if replaced {
        notes.push("bytes without meaning in its encoding were replaced".to_owned());
    }
    let produced = if status >= 400 {
        let head = format!("{} answered {status_line}; check the address, or try another page", link.host);
        CallOutcome::failed(format!("{head}\n{}", first_chars(text.trim(), ERROR_CHARS)))
    } else {
        CallOutcome::done(text)
    };
    Ok(produced.noted(notes))
}

fn binary(link: &Link, kind: &str, size: &str) -> String {
    let kind = if kind.is_empty() { "something that is not text" } else { kind };
    format!(
        "{} is {kind}, {size}; fetch_url reads pages, text and JSON, so give the address of one",
        link.url
    )
}

/// What a content type says of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentForm {
    Html,
    Text,
    Binary,
    Unknown,
}

impl ContentForm {
    fn of(content_type: &str) -> Self {
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        match kind {
            "" => Self::Unknown,
            "text/html" | "application/xhtml+xml" => Self::Html,
            "application/json"
            | "application/xml"
            | "application/javascript"
            | "application/x-ndjson"
            | "application/yaml"
            | "application/toml" => Self::Text,
            kind if kind.starts_with("text/") || kind.ends_with("+json") || kind.ends_with("+xml") => {
                Self::Text
            }
            _ => Self::Binary,
        }
    }
}

fn looks_like_html(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start).trim_start().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

#[cfg(test)]
pub(super) mod tests;
