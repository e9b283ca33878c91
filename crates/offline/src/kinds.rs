//! What people call files of one kind, and the endings that such files have.

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileKind {
    /// The name used in answers, in English.
    pub(crate) english: &'static str,
    /// The name used in answers, in Chinese.
    pub(crate) chinese: &'static str,
    /// Words that mean it, lower case, without "files"; `文件` and `files` may follow each of them.
    pub(crate) words: &'static [&'static str],
    /// File name endings, lower case; empty: any file.
    pub(crate) endings: &'static [&'static str],
    /// The `kind` argument of `find_files`, when there is one with this meaning.
    pub(crate) search_kind: Option<&'static str>,
    /// Whether lines of such files are lines of code (they appear in the table of languages).
    pub(crate) language: bool,
}

const fn kind(
    english: &'static str,
    chinese: &'static str,
    words: &'static [&'static str],
    endings: &'static [&'static str],
) -> FileKind {
    FileKind { english, chinese, words, endings, search_kind: None, language: false }
}

const fn search(of: FileKind, name: &'static str) -> FileKind {
    FileKind { search_kind: Some(name), ..of }
}

const fn code(of: FileKind) -> FileKind {
    FileKind { language: true, ..of }
}

/// Any file.
pub(crate) const ANY: FileKind = kind("files", "文件", &["files", "file", "文件"], &[]);

/// The kinds, in no particular order.
pub(crate) const KINDS: [FileKind; 36] = [
    search(kind("PDF files", "PDF 文件", &["pdfs", "pdf", "pdf文档"], &["pdf"]), "pdf"),
    search(
        kind(
            "images",
            "图片",
            &["images", "image", "pictures", "picture", "photos", "photo", "图片", "照片", "图像", "相片"],
            &["jpg", "jpeg", "png", "gif", "webp", "heic", "bmp", "tif", "tiff", "svg"],
        ),
        "image",
    ),
    search(
        kind(
            "videos",
            "视频",
            &["videos", "video", "movies", "movie", "视频", "影片", "电影", "录像"],
            &["mp4", "mov", "mkv", "avi", "webm", "m4v", "wmv", "flv", "mpg", "mpeg"],
        ),
        "video",
    ),
    search(
        kind(
            "audio files",
            "音频",
            &["audio", "music", "songs", "sound", "音频", "音乐", "歌曲", "录音"],
            &["mp3", "m4a", "wav", "flac", "ogg", "aac", "opus", "aiff"],
        ),
        "audio",
    ),
    search(
        kind(
            "archives",
            "压缩包",
            &["archives", "archive", "zips", "压缩包", "压缩", "归档"],
            &["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar"],
        ),
        "archive",
    ),
    search(
        kind(
            "documents",
            "文档",
            &["documents", "document", "docs", "文档"],
            &[
                "pdf", "doc", "docx", "odt", "rtf", "txt", "md", "pages", "xls", "xlsx", "ods", "ppt",
                "pptx", "odp", "key", "numbers",
            ],
        ),
        "document",
    ),
    kind("Word documents", "Word 文档", &["word documents", "word", "docx", "word文档"], &["doc", "docx"]),
    kind(
        "spreadsheets",
        "表格",
        &["spreadsheets", "spreadsheet", "excel", "xlsx", "excel表格", "电子表格", "表格"],
        &["xls", "xlsx", "ods", "numbers"],
    ),
    kind(
        "presentations",
        "演示文稿",
        &["presentations", "powerpoint", "slides", "pptx", "ppt", "幻灯片", "演示文稿"],
        &["ppt", "pptx", "odp", "key"],
    ),
    kind("text files", "文本文件", &["text", "txt", "plain text", "文本"], &["txt"]),
    kind("log files", "日志", &["logs", "log", "日志"], &["log"]),
    kind("CSV files", "CSV 文件", &["csvs", "csv"], &["csv"]),
    code(kind("Markdown files", "Markdown 文件", &["markdown", "md"], &["md", "markdown"])),
    code(kind("JSON files", "JSON 文件", &["jsons", "json"], &["json"])),
    code(kind("YAML files", "YAML 文件", &["yaml", "yml"], &["yaml", "yml"])),
    code(kind("TOML files", "TOML 文件", &["toml"], &["toml"])),
    code(kind("XML files", "XML 文件", &["xml"], &["xml"])),
    code(kind("HTML files", "HTML 文件", &["html", "web pages", "网页"], &["html", "htm"])),
    code(kind("CSS files", "CSS 文件", &["css"], &["css", "scss"])),
    code(kind(
        "Rust files",
        "Rust 文件",
        &["rust", "rust source", "rust source code", "rust code", "rust代码", "rust源码", "rust源", "rs"],
        &["rs"],
    )),
    code(kind(
        "Python files",
        "Python 文件",
        &["python", "python source", "python code", "python代码", "python源码", "py"],
        &["py"],
    )),
    code(kind(
        "JavaScript files",
        "JavaScript 文件",
        &["javascript", "js", "javascript code", "javascript代码"],
        &["js", "mjs", "cjs", "jsx"],
    )),
    code(kind(
        "TypeScript files",
        "TypeScript 文件",
        &["typescript", "ts", "typescript code", "typescript代码"],
        &["ts", "tsx"],
    )),
    code(kind("Go files", "Go 文件", &["go", "golang", "go code", "go代码"], &["go"])),
    code(kind("C files", "C 文件", &["c", "c source", "c code", "c代码", "c语言", "c语言源"], &["c", "h"])),
    code(kind(
        "C++ files",
        "C++ 文件",
        &["c++", "cpp", "c++ source", "c++ code", "c++代码"],
        &["cpp", "cc", "cxx", "hpp", "hh"],
    )),
    code(kind("Java files", "Java 文件", &["java", "java code", "java代码"], &["java"])),
    code(kind("Kotlin files", "Kotlin 文件", &["kotlin"], &["kt", "kts"])),
    code(kind("Swift files", "Swift 文件", &["swift", "swift code", "swift代码"], &["swift"])),
    code(kind("Ruby files", "Ruby 文件", &["ruby"], &["rb"])),
    code(kind("PHP files", "PHP 文件", &["php"], &["php"])),
    code(kind("C# files", "C# 文件", &["c#", "csharp"], &["cs"])),
    code(kind(
        "shell scripts",
        "Shell 脚本",
        &["shell scripts", "shell script", "shell", "bash", "bash scripts", "shell脚本", "脚本"],
        &["sh", "bash", "zsh"],
    )),
    code(kind("SQL files", "SQL 文件", &["sql"], &["sql"])),
    code(kind("Protocol Buffers files", "Protocol Buffers 文件", &["protobuf", "proto"], &["proto"])),
    code(kind("Lua files", "Lua 文件", &["lua"], &["lua"])),
];

impl FileKind {
    /// The kind that has exactly this ending alone, written `.rs` or `*.rs` by the person.
    pub(crate) fn display(&self, chinese: bool) -> &'static str {
        if chinese { self.chinese } else { self.english }
    }
}

/// The name that the table of languages shows for a kind: its English name without the noun.
pub(crate) fn language_name(kind: &FileKind) -> &'static str {
    kind.english.trim_end_matches(" files").trim_end_matches(" scripts")
}
