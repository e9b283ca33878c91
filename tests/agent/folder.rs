//! The folder of a row: how it is made, and what is found in it afterwards.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder to work in, with the home that it lies in.
#[derive(Debug)]
pub(crate) struct Folder {
    home: PathBuf,
    work: PathBuf,
}

impl Folder {
    /// The folder `work` below `home`.
    pub(crate) fn new(home: &Path) -> Self {
        Self { home: home.to_owned(), work: home.join("work") }
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.work
    }

    /// Writes a file of the folder.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        put(&self.work.join(name), content.as_ref());
    }

    /// Writes a file of the home, beside the folder.
    pub(crate) fn home_file(&self, name: &str, content: impl AsRef<[u8]>) {
        put(&self.home.join(name), content.as_ref());
    }

    /// Runs a script in the folder. It must succeed.
    pub(crate) fn shell(&self, script: &str) -> String {
        let ended = Command::new("bash")
            .args(["-ec", script])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .envs(IDENTITY)
            .current_dir(&self.work)
            .output()
            .expect("bash can be run");
        assert!(ended.status.success(), "{script}: {ended:?}");
        String::from_utf8_lossy(&ended.stdout).into_owned()
    }

    /// Makes it a git work tree in which everything is committed.
    pub(crate) fn commit(&self, message: &str) {
        self.shell("test -d .git || git init -q -b main .; git add -A");
        self.shell(&format!("git commit -q --allow-empty -m '{message}'"));
    }
}

/// Who commits, and when: the same on every machine, so that hashes are too.
const IDENTITY: [(&str, &str); 6] = [
    ("GIT_AUTHOR_NAME", "Ada"),
    ("GIT_AUTHOR_EMAIL", "ada@example.org"),
    ("GIT_AUTHOR_DATE", "2026-01-05T10:00:00Z"),
    ("GIT_COMMITTER_NAME", "Ada"),
    ("GIT_COMMITTER_EMAIL", "ada@example.org"),
    ("GIT_COMMITTER_DATE", "2026-01-05T10:00:00Z"),
];

fn put(path: &Path, content: &[u8]) {
    let folder = path.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, content)).expect("it can be written");
}

/// A look at what is there at the end. What is not as it has to be is noted.
pub(crate) struct Look<'a> {
    folder: &'a Folder,
    said: &'a str,
    misses: Vec<String>,
}

impl<'a> Look<'a> {
    /// At this folder and this answer.
    pub(crate) fn new(folder: &'a Folder, said: &'a str) -> Self {
        Self { folder, said, misses: Vec::new() }
    }

    /// Everything that is not as it has to be.
    pub(crate) fn misses(self) -> Vec<String> {
        self.misses
    }

    /// The answer has to hold each of these texts.
    pub(crate) fn says(&mut self, texts: &[&str]) {
        for text in texts.iter().filter(|text| !self.said.contains(**text)) {
            let said: String = self.said.chars().take(300).collect();
            self.misses.push(format!("the answer lacks {text:?}: {said:?}"));
        }
    }

    /// The answer has to hold what the script prints in the folder.
    pub(crate) fn says_what_prints(&mut self, script: &str) {
        let printed = self.folder.shell(script);
        self.says(&[printed.trim()]);
    }

    /// The answer must not hold this text.
    pub(crate) fn never_says(&mut self, text: &str) {
        self.expect(!self.said.contains(text), || format!("the answer holds {text:?}"));
    }

    /// The file has to have exactly this content.
    pub(crate) fn is(&mut self, name: &str, content: &str) {
        let is = self.read(name);
        self.expect(is.as_deref() == Some(content), || format!("{name} is {:?}", is.map(|text| cut(&text))));
    }

    /// The file has to hold each of these texts.
    pub(crate) fn holds(&mut self, name: &str, texts: &[&str]) {
        let is = self.read(name).unwrap_or_default();
        for text in texts {
            self.expect(is.contains(text), || format!("{name} lacks {text:?}: {:?}", cut(&is)));
        }
    }

    /// The script, run in the folder, has to print this.
    pub(crate) fn prints(&mut self, script: &str, wanted: &str) {
        let printed = self.folder.shell(&format!("{{ {script}\n}} 2>&1 || true"));
        self.expect(printed.trim() == wanted, || {
            format!("{script} prints {:?} and not {wanted:?}", cut(&printed))
        });
    }

    /// The file of the home has to be as it was.
    pub(crate) fn home_is(&mut self, name: &str, content: &str) {
        let is = std::fs::read_to_string(self.folder.home.join(name)).unwrap_or_default();
        self.expect(is == content, || format!("~/{name} is {:?}", cut(&is)));
    }

    fn expect(&mut self, is_so: bool, else_said: impl FnOnce() -> String) {
        if !is_so {
            self.misses.push(else_said());
        }
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.work.join(name)).ok()
    }
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}
