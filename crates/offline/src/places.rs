//! Folders and files as people name them, and their absolute paths.

use artoo_request::is_han;

use crate::scan::{read_quoted, run, starts_with_word};
use crate::setting::Setting;

/// A folder or a file as the person named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NamedPlace {
    /// The working directory.
    Here,
    /// A folder that everybody has: its name below the home folder, empty for that itself, and the name as it is said. A
    /// folder that really has the name that is said is the one that is meant.
    Home(&'static str, String),
    /// A path as written: absolute, from `~`, or from the working directory.
    Path(String),
}

/// Words for the working directory.
const HERE: [&str; 34] = [
    "this folder",
    "this directory",
    "this project",
    "this repository",
    "this repo",
    "this workspace",
    "this codebase",
    "the current folder",
    "the current directory",
    "current folder",
    "current directory",
    "the project",
    "the repository",
    "the repo",
    "the codebase",
    "the working directory",
    "my project",
    ".",
    "当前目录",
    "当前文件夹",
    "当前路径",
    "本目录",
    "这个目录",
    "这个文件夹",
    "此目录",
    "这里",
    "这儿",
    "项目",
    "本项目",
    "这个项目",
    "当前项目",
    "这个仓库",
    "仓库",
    "代码库",
];

/// Words for folders below the home folder.
pub(crate) const PERSONAL: [(&str, &str); 60] = [
    ("my home folder", ""),
    ("my home directory", ""),
    ("my home", ""),
    ("home", ""),
    ("主目录", ""),
    ("家目录", ""),
    ("个人文件夹", ""),
    ("downloads", "Downloads"),
    ("download", "Downloads"),
    ("did i download", "Downloads"),
    ("have i downloaded", "Downloads"),
    ("i have downloaded", "Downloads"),
    ("i've downloaded", "Downloads"),
    ("i downloaded", "Downloads"),
    ("we downloaded", "Downloads"),
    ("was downloaded", "Downloads"),
    ("were downloaded", "Downloads"),
    ("downloads folder in my home", "Downloads"),
    ("documents folder in my home", "Documents"),
    ("desktop folder in my home", "Desktop"),
    ("pictures folder in my home", "Pictures"),
    ("downloads in my home", "Downloads"),
    ("documents in my home", "Documents"),
    ("desktop in my home", "Desktop"),
    ("桌面(desktop)", "Desktop"),
    ("桌面文件夹", "Desktop"),
    ("我的桌面", "Desktop"),
    ("下载(downloads)", "Downloads"),
    ("文档(documents)", "Documents"),
    ("图片(pictures)", "Pictures"),
    ("下载目录", "Downloads"),
    ("下载文件夹", "Downloads"),
    ("下载", "Downloads"),
    ("documents", "Documents"),
    ("文稿", "Documents"),
    ("文档目录", "Documents"),
    ("文档文件夹", "Documents"),
    ("我的文档", "Documents"),
    ("文档", "Documents"),
    ("desktop", "Desktop"),
    ("桌面", "Desktop"),
    ("桌面目录", "Desktop"),
    ("pictures", "Pictures"),
    ("图片目录", "Pictures"),
    ("图片文件夹", "Pictures"),
    ("相册", "Pictures"),
    ("music folder", "Music"),
    ("音乐目录", "Music"),
    ("音乐文件夹", "Music"),
    ("movies folder", "Movies"),
    ("videos folder", "Videos"),
    ("影片文件夹", "Movies"),
    ("视频目录", "Videos"),
    ("videos directory", "Videos"),
    ("home folder", ""),
    ("home directory", ""),
    ("the home folder", ""),
    ("我的下载", "Downloads"),
    ("我的图片", "Pictures"),
    ("我的音乐", "Music"),
];

/// Words that look like a folder name and are none. Everything that a bare word could be mistaken for.
const NOT_A_FOLDER: [&str; 54] = [
    "today",
    "yesterday",
    "a",
    "an",
    "the",
    "my",
    "our",
    "all",
    "it",
    "them",
    "that",
    "this",
    "those",
    "these",
    "total",
    "detail",
    "order",
    "size",
    "half",
    "general",
    "english",
    "chinese",
    "french",
    "german",
    "spanish",
    "japanese",
    "internet",
    "web",
    "google",
    "email",
    "emails",
    "mail",
    "cloud",
    "icloud",
    "github",
    "gmail",
    "slack",
    "files",
    "file",
    "folder",
    "folders",
    "directory",
    "lines",
    "words",
    "order",
    "one",
    "both",
    "last",
    "past",
    "days",
    "weeks",
    "here",
    "each",
    "every",
];

/// File names without an ending that are files nevertheless.
const BARE_FILES: [&str; 12] = [
    "readme",
    "license",
    "makefile",
    "dockerfile",
    "changelog",
    "notice",
    "authors",
    "copying",
    "gemfile",
    "rakefile",
    "justfile",
    "procfile",
];

/// Chinese words that follow a path: in, of, has, takes.
const AFTER_A_PATH: [char; 8] = ['里', '中', '下', '内', '上', '的', '有', '占'];

/// Parts of paths that hold secrets; a request that names one is declined.
const SECRET_PARTS: [&str; 19] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".kube",
    ".netrc",
    ".env",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "keychains",
    "credentials",
    "id_rsa",
    "id_ed25519",
    "shadow",
    "confirm.token",
    ".artoo",
    ".password-store",
    ".docker",
];

/// The words for the working directory that need no preposition.
pub(crate) fn read_here(rest: &str) -> Vec<(usize, NamedPlace)> {
    let words = ["right here", "here", "in here", "locally"];
    words
        .iter()
        .filter(|word| starts_with_word(rest, word))
        .map(|word| (word.len(), NamedPlace::Here))
        .collect()
}

/// Folders that are recognised without a preposition: well-known names, quoted names, and paths with a slash.
pub(crate) fn read_known(rest: &str) -> Vec<(usize, NamedPlace)> {
    let bare = |length: usize, place: &NamedPlace| {
        let NamedPlace::Path(path) = place else { return false };
        let plain =
            path.chars().all(|found| found.is_ascii_alphanumeric() || matches!(found, '_' | '-' | '.'));
        plain
            && !rest[..length].ends_with("目录")
            && !rest[..length].ends_with("文件夹")
            && !rest.starts_with(['"', '“'])
    };
    read_place(rest).into_iter().filter(|(length, place)| !bare(*length, place)).collect()
}

/// All folders (or files) that the front of `rest` may name.
pub(crate) fn read_place(rest: &str) -> Vec<(usize, NamedPlace)> {
    let mut found = Vec::new();
    for word in HERE {
        for (article, length) in articles(rest) {
            if (article.is_empty() || !word.contains(' '))
                && starts_with_word(&rest[length..], word)
                && word != "."
            {
                push_with_noun(&mut found, rest, length + word.len(), &NamedPlace::Here);
            }
        }
    }
    if rest == "." || rest.starts_with(". ") || rest.starts_with(".,") || rest == "./" {
        found.push((1, NamedPlace::Here));
    }
    for (word, folder) in PERSONAL {
        for (_, length) in articles(rest) {
            if starts_with_word(&rest[length..], word) {
                let said = literal_name(&rest[length..length + word.len()], folder);
                push_with_noun(&mut found, rest, length + word.len(), &NamedPlace::Home(folder, said));
            }
        }
    }
    if !found.is_empty() {
        return found;
    }
    for (_, start) in articles(rest) {
        let rest_here = &rest[start..];
        if let Some((length, path)) = read_quoted(rest_here) {
            push_with_noun(&mut found, rest, start + length, &NamedPlace::Path(path));
        }
        for length in path_lengths(rest_here) {
            push_with_noun(
                &mut found,
                rest,
                start + length,
                &NamedPlace::Path(rest_here[..length].to_owned()),
            );
        }
        let bare = run(rest_here, |found| found.is_ascii_alphanumeric() || matches!(found, '_' | '-' | '.'));
        let word = rest_here[..bare].trim_end_matches('.');
        // A year is no folder, unless it is written as one.
        let is_year = word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1970..2100).contains(&year));
        if !word.is_empty()
            && !is_year
            && !rest_here[bare..].starts_with('/')
            && !NOT_A_FOLDER.contains(&word.to_lowercase().as_str())
        {
            push_with_noun(&mut found, rest, start + word.len(), &NamedPlace::Path(word.to_owned()));
        }
    }
    found
}

/// All files that the front of `rest` may name: quoted, with a slash, with an ending, or a well-known bare name.
pub(crate) fn read_file(rest: &str) -> Vec<(usize, NamedPlace)> {
    let mut found: Vec<(usize, NamedPlace)> = Vec::new();
    let start = ["the file ", "my ", "the ", "file ", "文件"]
        .iter()
        .find(|word| starts_with_word(rest, word.trim_end()))
        .map_or(0, |word| {
            if rest[word.trim_end().len()..].starts_with(' ') || !word.is_ascii() { word.len() } else { 0 }
        });
    let named = &rest[start..];
    if let Some((length, path)) = read_quoted(named) {
        return vec![(start + length, NamedPlace::Path(path))];
    }
    let token = run(named, |found| {
        !found.is_whitespace() && !matches!(found, ',' | ';' | '"' | '“' | '”' | ':' | '(' | ')')
    });
    let mut previous = ' ';
    for (at, next) in named[..token].char_indices().chain([(token, ' ')]) {
        // A Latin file name ends where Chinese begins; inside Chinese the template decides.
        let edge = at == token || (is_han(next) && !is_han(previous));
        let candidate = named[..at].trim_end_matches(['.', '?', '!']);
        if edge && is_file_name(candidate) {
            found.push((start + candidate.len(), NamedPlace::Path(candidate.to_owned())));
            // What follows a complete Latin name is no part of it.
            if at < token {
                return found;
            }
        }
        previous = next;
    }
    found
}

/// The absolute path of a place, without `.` and `..` parts. Of the folders that a word may mean it is the first that is
/// known to be there, else the one that everybody has.
pub(crate) fn absolute(place: &NamedPlace, setting: &Setting) -> String {
    let mut meant = meanings(place, setting);
    let known = meant.iter().position(|path| setting.folders.contains(path));
    meant.swap_remove(known.unwrap_or(meant.len() - 1))
}

/// The absolute paths that a place may mean, the literal name first; at least one.
pub(crate) fn meanings(place: &NamedPlace, setting: &Setting) -> Vec<String> {
    let Setting { working_directory: here, home, .. } = setting;
    let paths = match place {
        NamedPlace::Here => vec![here.clone()],
        NamedPlace::Home(folder, said) if said.is_empty() => vec![format!("{home}/{folder}")],
        NamedPlace::Home(folder, said) => {
            vec![format!("{here}/{said}"), format!("{home}/{said}"), format!("{home}/{folder}")]
        }
        NamedPlace::Path(path) => vec![match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
            _ if path.starts_with('/') => path.clone(),
            _ => format!("{here}/{path}"),
        }],
    };
    paths.iter().map(|path| without_dots(path)).collect()
}

fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether a word can be the name of something: not one that only points at something.
pub(crate) fn is_plain_word(word: &str) -> bool {
    !NOT_A_FOLDER.contains(&word.to_lowercase().as_str())
}

/// Whether a path leads to a place that holds secrets.
pub(crate) fn is_secret(path: &str) -> bool {
    path.to_lowercase().split('/').any(|part| SECRET_PARTS.contains(&part) || part.starts_with(".env."))
}

/// The name of a folder that somebody says, without the noun; empty for the home folder, which has many names.
fn literal_name(said: &str, folder: &str) -> String {
    if folder.is_empty() {
        return String::new();
    }
    let nouns = ["目录", "文件夹", " folder", " directory"];
    let bare = nouns.iter().find_map(|noun| said.strip_suffix(noun)).unwrap_or(said);
    bare.strip_prefix("我的").unwrap_or(bare).to_owned()
}

fn articles(rest: &str) -> Vec<(&'static str, usize)> {
    let mut found = vec![("", 0)];
    for article in
        ["the ", "my ", "the folder ", "the directory ", "folder ", "directory ", "我的", "目录", "文件夹"]
    {
        if rest.get(..article.len()).is_some_and(|head| head.eq_ignore_ascii_case(article)) {
            found.push((article, article.len()));
        }
    }
    found
}

fn push_with_noun(found: &mut Vec<(usize, NamedPlace)>, rest: &str, length: usize, place: &NamedPlace) {
    let mut lengths = vec![length];
    for noun in [" folder", " directory", "目录", "文件夹"] {
        if starts_with_word(&rest[length..], noun) {
            lengths.push(length + noun.len());
        }
    }
    for length in lengths {
        if !found.contains(&(length, place.clone())) {
            found.push((length, place.clone()));
        }
    }
}

/// The lengths at which a path with a slash or a leading `~` may end: at a space or a comma, or before Chinese words.
fn path_lengths(rest: &str) -> Vec<usize> {
    let token = run(rest, |found| {
        !found.is_whitespace() && !matches!(found, ',' | ';' | '"' | '“' | '”' | '(' | ')' | '?' | '!')
    });
    let token = rest[..token].trim_end_matches(['.', ':']).len();
    let path = &rest[..token];
    if !(path.contains('/') || path.starts_with('~')) || path.contains("://") {
        return Vec::new();
    }
    if path.starts_with(is_han) {
        return Vec::new();
    }
    let mut lengths = Vec::new();
    let mut slash_seen = path.starts_with('~');
    for (at, found) in path.char_indices() {
        slash_seen |= found == '/';
        if is_han(found) && slash_seen {
            lengths.push(at);
            // A path whose name holds such a word needs quotation marks.
            if AFTER_A_PATH.contains(&found) {
                return lengths;
            }
        }
    }
    lengths.push(token);
    lengths.dedup();
    lengths.retain(|length| *length > 0);
    lengths
}

fn is_file_name(candidate: &str) -> bool {
    let name = candidate.rsplit('/').next().unwrap_or(candidate);
    let ending = name.rsplit_once('.');
    let with_ending = ending.is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && !stem.contains('*')
            && (1..=10).contains(&ending.len())
            && ending.chars().all(|found| found.is_ascii_alphanumeric())
            && !ending.chars().all(|found| found.is_ascii_digit())
    });
    !candidate.contains("://")
        && !name.is_empty()
        && (with_ending
            || (candidate.contains('/') && !name.contains('*'))
            || BARE_FILES.contains(&name.to_lowercase().as_str()))
}
