//! What tokens of well-known services look like: a fixed beginning, then so many characters of an alphabet. Never by
//! entropy: digests, ids and hashes look as random as keys, and they are results.
//!
//! Sources of the forms: the services' own documentation and the rules of GitHub's secret scanning and of gitleaks.

use super::kind::SecretKind;
use super::{Span, key_block, userinfo};

/// The form of one kind of token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// The text that it begins with.
    anchor: &'static str,
    /// What it goes on with.
    alphabet: Alphabet,
    /// Least characters after the anchor, for each part between dots; one number where dots are no matter.
    parts: &'static [usize],
    /// Whether a digit must be among them: without one it may be words with hyphens.
    digit: bool,
    /// What becomes of the anchor.
    anchors: Anchor,
    kind: SecretKind,
}

/// What an anchor is to its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// The token's own beginning: it goes too.
    Inside,
    /// A name before the token, with `:`, `=`, quotes and blanks between: it stays.
    Before,
}

/// Sets of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Letters and digits.
    Plain,
    /// Letters, digits and `_`.
    Word,
    /// Letters, digits, `_` and `-`: base64 for addresses.
    Dashed,
    /// Capital letters and digits.
    Capital,
    /// Base64.
    Base64,
    /// What a bearer token may have (RFC 6750, section 2.1).
    Bearer,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::Bearer => {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
            }
        }
    }
}

const fn key(anchor: &'static str, alphabet: Alphabet, least: &'static [usize]) -> Shape {
    let kind = SecretKind::ApiKey;
    Shape { anchor, alphabet, parts: least, digit: false, anchors: Anchor::Inside, kind }
}

const fn token(anchor: &'static str, alphabet: Alphabet, least: &'static [usize]) -> Shape {
    Shape { kind: SecretKind::Token, ..key(anchor, alphabet, least) }
}

/// Its characters may be words, unless there is a digit among them.
const fn with_digit(shape: Shape) -> Shape {
    Shape { digit: true, ..shape }
}

const fn named(anchor: &'static str, alphabet: Alphabet, least: &'static [usize]) -> Shape {
    Shape { anchors: Anchor::Before, ..token(anchor, alphabet, least) }
}

use Alphabet::{Base64, Bearer, Capital, Dashed, Plain, Word};

/// The table. A new kind of token is a new line here.
pub(super) const SHAPES: &[Shape] = &[
    // OpenAI, Anthropic, DeepSeek, OpenRouter and others: `sk-`, `sk-ant-`, `sk-proj-`, `sk-or-v1-`.
    with_digit(key("sk-", Dashed, &[20])),
    key("sk_live_", Plain, &[16]), // Stripe
    key("sk_test_", Plain, &[16]),
    key("rk_live_", Plain, &[16]),
    key("rk_test_", Plain, &[16]),
    key("whsec_", Base64, &[24]),
    key("AIza", Dashed, &[35]),    // Google
    token("ya29.", Bearer, &[20]), // Google OAuth
    key("gsk_", Plain, &[40]),     // Groq
    key("xai-", Plain, &[40]),     // xAI
    key("r8_", Plain, &[32]),      // Replicate
    key("pplx-", Plain, &[40]),    // Perplexity
    key("nvapi-", Dashed, &[40]),  // NVIDIA
    key("tgp_v1_", Dashed, &[32]), // Together
    token("hf_", Plain, &[30]),    // Hugging Face
    token("ghp_", Plain, &[30]),   // GitHub
    token("gho_", Plain, &[30]),
    token("ghu_", Plain, &[30]),
    token("ghs_", Plain, &[30]),
    token("ghr_", Plain, &[30]),
    token("github_pat_", Word, &[22]),
    with_digit(token("glpat-", Dashed, &[20])), // GitLab
    with_digit(token("gldt-", Dashed, &[20])),
    with_digit(token("glrt-", Dashed, &[20])),
    with_digit(token("glptt-", Dashed, &[20])),
    with_digit(token("xoxa-", Dashed, &[10])), // Slack
    with_digit(token("xoxb-", Dashed, &[10])),
    with_digit(token("xoxe-", Dashed, &[10])),
    with_digit(token("xoxp-", Dashed, &[10])),
    with_digit(token("xoxr-", Dashed, &[10])),
    with_digit(token("xoxs-", Dashed, &[10])),
    with_digit(token("xapp-", Dashed, &[10])),
    named("hooks.slack.com/services/", Base64, &[30]),
    key("AKIA", Capital, &[16]), // AWS
    key("ASIA", Capital, &[16]),
    named("aws_secret_access_key", Base64, &[40]),
    named("AWS_SECRET_ACCESS_KEY", Base64, &[40]),
    named("SecretAccessKey", Base64, &[40]),
    named("AccountKey=", Base64, &[80]), // Azure storage
    token("npm_", Plain, &[30]),
    token("pypi-", Dashed, &[50]),
    token("rubygems_", Plain, &[40]),
    token("dckr_pat_", Dashed, &[20]), // Docker
    token("dop_v1_", Plain, &[32]),    // DigitalOcean
    token("doo_v1_", Plain, &[32]),
    token("dor_v1_", Plain, &[32]),
    token("shpat_", Plain, &[32]), // Shopify
    token("shpca_", Plain, &[32]),
    token("shppa_", Plain, &[32]),
    token("shpss_", Plain, &[32]),
    token("hvs.", Dashed, &[24]), // Vault
    token("hvb.", Dashed, &[24]),
    token("tskey-", Dashed, &[20]),      // Tailscale
    token("ATATT3", Bearer, &[40]),      // Atlassian
    token("lin_api_", Plain, &[32]),     // Linear
    token("figd_", Dashed, &[32]),       // Figma
    token("sbp_", Plain, &[32]),         // Supabase
    token("glsa_", Word, &[32]),         // Grafana
    token("PMAK-", Dashed, &[40]),       // Postman
    token("SG.", Dashed, &[16, 32]),     // SendGrid
    token("eyJ", Dashed, &[10, 10, 10]), // JSON Web Tokens
    Shape { kind: SecretKind::PrivateKey, ..token("AGE-SECRET-KEY-1", Capital, &[50]) },
    with_digit(named("Bearer ", Bearer, &[16])),
    with_digit(named("bearer ", Bearer, &[16])),
    with_digit(named("BEARER ", Bearer, &[16])),
    Shape { kind: SecretKind::Password, ..named("Authorization: Basic ", Base64, &[8]) },
    Shape { kind: SecretKind::Password, ..named("authorization: Basic ", Base64, &[8]) },
    Shape { kind: SecretKind::Password, ..named("authorization: basic ", Base64, &[8]) },
];

/// What is looked for beside the table, because it has a form of its own.
#[derive(Debug, Clone, Copy)]
pub(super) enum Special {
    /// The password in an address.
    Userinfo,
    /// The beginning of a block with a private key.
    BlockBegins,
    /// Its end, for a block whose beginning is not in the text.
    BlockEnds,
}

/// Their anchors. In JSON slashes may be escaped.
pub(super) const SPECIALS: [(&str, Special); 4] = [
    ("://", Special::Userinfo),
    (r":\/\/", Special::Userinfo),
    (key_block::BEGIN, Special::BlockBegins),
    (key_block::END, Special::BlockEnds),
];

impl Special {
    /// The secret at an anchor, if there is one.
    pub(super) fn at(self, text: &[u8], anchor: Span) -> Option<Span> {
        match self {
            Self::Userinfo => userinfo::password(text, anchor),
            Self::BlockBegins => key_block::forwards(text, anchor),
            Self::BlockEnds => key_block::backwards(text, anchor),
        }
    }
}

impl Shape {
    /// The text that it begins with.
    pub(super) fn anchor(&self) -> &'static str {
        self.anchor
    }

    /// Least characters of each part after it.
    #[cfg(test)]
    pub(super) fn parts(&self) -> &'static [usize] {
        self.parts
    }

    /// The token at an anchor, if there is one.
    pub(super) fn at(&self, text: &[u8], anchor: Span) -> Option<Span> {
        if !begins_a_word(text, anchor.start) {
            return None;
        }
        let body = match self.anchors {
            Anchor::Inside => anchor.end,
            Anchor::Before => anchor.end + gap(&text[anchor.end..]),
        };
        let end = self.end(text, body)?;
        if self.digit && !text[body..end].iter().any(u8::is_ascii_digit) {
            return None;
        }
        let start = if self.anchors == Anchor::Inside { anchor.start } else { body };
        Some(Span { start, end, kind: self.kind })
    }

    /// The end of the parts that follow, when each is long enough. The alphabets of tokens with several parts have no
    /// dot.
    fn end(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        for (index, least) in self.parts.iter().enumerate() {
            if index > 0 {
                at += usize::from(text.get(at) == Some(&b'.'));
            }
            let length = text[at..].iter().take_while(|byte| self.alphabet.has(**byte)).count();
            if length < *least {
                return None;
            }
            at += length;
        }
        match self.alphabet {
            // These tokens have one length: a much longer run, or one that goes on in small letters, is something else.
            Capital => {
                let most = 2 * self.parts.iter().sum::<usize>();
                (at - from <= most && !text.get(at).is_some_and(u8::is_ascii_lowercase)).then_some(at)
            }
            // A full stop ends a sentence, not a token.
            Bearer => Some(at - text[from..at].iter().rev().take_while(|byte| **byte == b'.').count()),
            Plain | Word | Dashed | Base64 => Some(at),
        }
    }
}

/// Most characters between the name of a token and the token: `": "` in JSON, with its quotes escaped.
const MAX_GAP: usize = 8;

fn gap(text: &[u8]) -> usize {
    text.iter().take(MAX_GAP).take_while(|byte| b" \t:=\"'\\".contains(byte)).count()
}

/// Bytes before a token that are looked at: the longest escape sequence is one of colours, `ESC [ 38;2;255;255;255 m`.
const LOOK_BACK: usize = 24;

/// Whether what stands at `at` is not the rest of a longer word, such as the `sk-` of `task-list`. A letter or digit
/// that ends an escape sequence (`\n`, `\u000a`, `%3D`, a colour of the terminal) is no part of a word.
fn begins_a_word(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(LOOK_BACK)..at];
    let Some(last) = before.last().copied() else { return true };
    if !(last.is_ascii_alphanumeric() || last == b'_' || last == b'-') {
        return true;
    }
    let hex = |tail: &[u8]| tail.iter().all(u8::is_ascii_hexdigit);
    match before {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => true,
        [.., b'%', a, b] if hex(&[*a, *b]) => true,
        [.., b'\\', b'u', a, b, c, d] if hex(&[*a, *b, *c, *d]) => true,
        _ => last == b'm' && ends_a_colour(before),
    }
}

fn ends_a_colour(before: &[u8]) -> bool {
    let digits = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let rest = &before[..before.len() - 1];
    let rest = &rest[..rest.len() - rest.iter().rev().take_while(digits).count()];
    rest.ends_with(b"\x1b[") || rest.ends_with(br"\u001b[") || rest.ends_with(br"\x1b[")
}
