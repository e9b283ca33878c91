//! The files, folders and addresses that a text names.

use crate::language::is_han;
use crate::normalise::quoted_ranges;
use crate::scan::{entries, is_entry};

/// What a piece of a request names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedThings {
    /// Files and folders, as they are written.
    pub(crate) files: Vec<String>,
    /// Addresses of pages and of people.
    pub(crate) addresses: Vec<String>,
    /// What stands in quotation marks, without them.
    pub(crate) quoted: Vec<String>,
}

/// Endings of file names. A dot alone makes no file: `server.port` and `node.js` are none.
const ENDINGS: &str = "txt, md, markdown, rst, log, csv, tsv, json, jsonl, yaml, yml, toml, xml, html, htm, css, scss, js, mjs, cjs, \
    jsx, ts, tsx, py, ipynb, rs, go, c, h, cc, cpp, cxx, hpp, java, kt, kts, swift, rb, php, cs, sh, bash, zsh, \
    fish, ps1, bat, sql, proto, lua, pl, r, scala, ex, exs, erl, hs, ml, vue, svelte, pdf, doc, docx, odt, rtf, \
    pages, xls, xlsx, ods, numbers, ppt, pptx, odp, key, jpg, jpeg, png, gif, webp, heic, bmp, tif, tiff, svg, \
    ico, mp4, mov, mkv, avi, webm, mp3, m4a, wav, flac, ogg, zip, tar, gz, tgz, bz2, xz, zst, 7z, rar, dmg, iso, \
    deb, rpm, bak, tmp, old, ini, cfg, conf, env, lock, db, sqlite, bin, tex, bib, epub, ics, eml, pem, patch, diff";

/// Names that end like a file and are none.
const NOT_FILES: &str = "node.js, vue.js, next.js, nuxt.js, react.js, three.js, d3.js, express.js, chart.js, alpine.js, discord.js, \
    console.log, e.g, i.e";

/// Where a Chinese word ends a path that is written without a space behind it.
const AFTER_PATH: &str = "里, 下, 中, 的, 和, 与, 跟, 到, 并, 然后, 再, 备份, 移, 复制, 拷贝, 删除, 删掉, 删去, 改, 重命名, 更名, 压缩, 打包, 同步, 上, 内, \
                          末尾, 结尾, 开头, 追加, 添加, 翻译, 保存, 能运行, 能正常, 能够, 可以, 能跑";

/// Reads what a text names. Patterns such as `*.rs` name a kind of file and no file.
pub(crate) fn named_things(text: &str) -> NamedThings {
    let mut found = NamedThings::default();
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end) in quoted_ranges(text) {
        plain.push_str(&text[at..start]);
        plain.push(' ');
        at = end;
        let inner: String = text[start..end].chars().skip(1).collect();
        let inner = inner.strip_suffix(|_: char| true).unwrap_or_default().trim();
        // A line of code names what it names; as a text it is material.
        match inner.is_empty() || inner.contains(['\n', '\r']) {
            true => {}
            false if is_file(inner) => push(&mut found.files, inner),
            false => push(&mut found.quoted, inner),
        }
    }
    plain.push_str(&text[at..]);
    for token in tokens(&plain) {
        if is_address(token) {
            push(&mut found.addresses, token);
        } else if is_file(token) {
            push(&mut found.files, token);
        }
    }
    found
}

/// Whether a text mentions a file, by its path or its last name, without regard to case.
pub fn mentions(text: &str, file: &str) -> bool {
    let lower = text.to_lowercase();
    let file = file.to_lowercase();
    let path = file.trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    lower.contains(path) || (!name.is_empty() && lower.contains(name))
}

fn push(list: &mut Vec<String>, item: &str) {
    if !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}

/// Words, cut where Chinese begins or ends, paths aside.
fn tokens(text: &str) -> Vec<&str> {
    let loose = |found: char| {
        found.is_whitespace() || matches!(found, ',' | ';' | '(' | ')' | '<' | '>' | '|' | '，' | '；')
    };
    let words = text.split(loose).filter(|word| !word.is_empty());
    words
        .flat_map(scripts)
        .map(|word| word.trim_end_matches(['.', ':', '!', '?', '…', '\'']).trim_start_matches('\''))
        .collect()
}

/// A word in runs of Chinese and of other writing; a path keeps the Chinese in it.
fn scripts(word: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut path = false;
    let mut last: Option<char> = None;
    for (at, found) in word.char_indices() {
        let here = &word[at..];
        path |= at == start && begins_path(here);
        // Behind a slash, Chinese is a name, whatever it says.
        let named = path && last == Some('/');
        let ends = if path {
            !named && entries(AFTER_PATH).any(|ending| here.starts_with(ending))
        } else {
            last.is_some_and(|last| is_han(last) != is_han(found))
        };
        if ends && at > start {
            runs.push(&word[start..at]);
            start = at;
            path = begins_path(here);
        }
        last = Some(found);
    }
    runs.push(&word[start..]);
    runs
}

fn begins_path(text: &str) -> bool {
    ["~/", "/", "./", "../"].iter().any(|head| text.starts_with(head))
}

fn is_address(token: &str) -> bool {
    let lower = token.to_lowercase();
    let person = lower.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    person || ["http://", "https://", "www."].iter().any(|head| lower.starts_with(head))
}

fn is_file(token: &str) -> bool {
    let allowed = |found: char| {
        found.is_alphanumeric() || matches!(found, '.' | '_' | '-' | '/' | '~' | '+' | '@' | ' ' | '#' | '&')
    };
    if token.chars().count() < 2 || !token.chars().all(allowed) || token.contains("  ") {
        return false;
    }
    let is_folder =
        token.strip_suffix('/').is_some_and(|name| name.chars().count() > 1 && !name.contains(' '));
    (begins_path(token) && !token.contains(' ')) || is_folder || has_ending(token)
}

/// Whether files have this ending, whatever its case.
pub(crate) fn is_ending(ending: &str) -> bool {
    is_entry(ENDINGS, ending.to_lowercase().as_str())
}

fn has_ending(token: &str) -> bool {
    let name = token.rsplit('/').next().unwrap_or(token);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    !stem.is_empty()
        && stem.contains(char::is_alphanumeric)
        && is_ending(ending)
        && !is_entry(NOT_FILES, name.to_lowercase().as_str())
}
