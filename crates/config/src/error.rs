//! Why a configuration cannot be used. No text holds a secret.

/// Why a configuration cannot be used. Paths under the home folder are shown with `~`.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("{path} cannot be read: {source}; make it readable for you")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path} {problem}")]
    File {
        /// The file.
        path: String,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A file with a secret that others can read.
    #[error("{path} holds a key and others can read it (mode {mode:04o}): run `chmod 600 {argument}`")]
    Exposed {
        /// The file.
        path: String,
        /// Its permission bits.
        mode: u32,
        /// The file as a word for a shell.
        argument: String,
    },
    /// The file is no TOML.
    #[error(
        "{path} line {line} column {column}: this is not valid TOML ({problem}); correct that line, \
         or move the file away to start from the defaults"
    )]
    Syntax {
        /// The file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What the parser says.
        problem: String,
    },
    /// No such key.
    #[error("{place}: unknown key `{key}`, did you mean `{nearest}`?")]
    UnknownKey {
        /// File and line, or flag.
        place: String,
        /// The key, with its section when it stands in one.
        key: String,
        /// The nearest known key.
        nearest: &'static str,
    },
    /// A value that cannot be.
    #[error("{place}: `{key}` {problem}")]
    Value {
        /// File, line and column, or variable, or flag.
        place: String,
        /// The setting.
        key: String,
        /// What is wrong and what to write.
        problem: String,
    },
    /// A flag without a key and a value, or one that may not be a flag.
    #[error("{0}")]
    Flag(String),
    /// A key could not be fetched.
    #[error("`{key}` {problem}")]
    Key {
        /// The setting that says where the key is.
        key: &'static str,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A file of variables cannot be imported.
    #[error("{0}")]
    Import(String),
    /// The configuration cannot be written.
    #[error("{path} cannot be written: {source}; make its folder writable for you, or set ARTOO_DATA_DIR")]
    Write {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
}
