//! A home folder with a project, a repository, downloads and documents in it, made anew for each test program run.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::recount;
use artoo_testing::Home;

/// Rows of `data.csv`, the header first: a comma, quotation marks and a line end within fields.
pub(crate) const DATA: [[&str; 3]; 4] = [
    ["name", "city", "note"],
    ["Müller, Eva", "Köln", "likes \"roses\""],
    ["王芳", "北京", ""],
    ["Ada", "London", "two\nlines"],
];
/// Rows of `sales.csv`, the header first.
pub(crate) const SALES: [[&str; 3]; 6] = [
    ["item", "price", "数量"],
    ["rake", "12.5", "2"],
    ["hoe", "7.25", "1"],
    ["pot", "n/a", "9"],
    ["seeds", "0.75", "40"],
    ["gloves", "4", "3"],
];
/// Commits, oldest first: author, age in days, subject.
pub(crate) const COMMITS: [(&str, u64, &str); 3] =
    [("Ada", 40, "Dig the first bed"), ("Grace", 3, "Sow the beans"), ("Ada", 1, "Water everything")];
/// The branch of the repository.
pub(crate) const BRANCH: &str = "summer-beds";

/// The home folder with its daemon, and the folders in it.
pub(crate) struct Fixture {
    /// The home and its daemon.
    pub(crate) home: Home,
    /// Where requests run: a project with a space and Chinese characters in its path.
    pub(crate) here: PathBuf,
    /// `~/Downloads`.
    pub(crate) downloads: PathBuf,
    /// `~/Documents`.
    pub(crate) documents: PathBuf,
    /// Where reports go.
    pub(crate) workspace: PathBuf,
}

impl Fixture {
    /// Makes the folders and starts the daemon.
    pub(crate) fn new() -> Self {
        let mut home = Home::new().variable("ARTOO_PROVIDER", "offline");
        let root = home.root().to_owned();
        let fixture = Self {
            here: root.join("my garden 花园"),
            downloads: root.join("Downloads"),
            documents: root.join("Documents"),
            workspace: root.join("artoo_workspace"),
            home: {
                home.start();
                home
            },
        };
        fixture.project();
        fixture.more_files();
        fixture.repository();
        fixture.personal();
        for folder in [&fixture.here, &fixture.downloads, &fixture.documents] {
            age(folder);
        }
        fixture
    }

    /// A path below the project.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.here.join(name)
    }

    /// The text of a file of the project.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file of the fixture")
    }

    /// Runs git in the project, as nobody in particular.
    pub(crate) fn git(&self, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        let output = Command::new("git")
            .args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=summer-beds"])
            .args(arguments)
            .current_dir(&self.here)
            .env("HOME", self.home.root())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(variables.iter().copied())
            .output()
            .expect("git can be run");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Every path below the home but the data folder, with what it holds.
    pub(crate) fn manifest(&self) -> Vec<(PathBuf, String)> {
        recount::entries(self.home.root(), &[".artoo"])
            .into_iter()
            .map(|path| {
                let about = fs::symlink_metadata(&path).expect("it was just listed");
                let content =
                    if about.is_file() { recount::digest(&path) } else { format!("{:?}", about.file_type()) };
                (path, content)
            })
            .collect()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        write(&self.path(name), content.as_ref());
    }

    fn project(&self) {
        self.write(
            "src/main.rs",
            "fn main() {\n    // TODO water the plants\n    println!(\"TODO list\");\n}\n",
        );
        // The last line has no line end.
        self.write("src/lib.rs", "//! Plants.\n// FIXME too dry\npub fn water() {}\nmod nested;");
        self.write(
            "src/nested/deep.rs",
            "// TODOS and TODOLIST are not open points.\nfn deep() {} // TODO: deeper\n",
        );
        self.write("tools/water.py", "import sys\n\n\nprint(sys.argv)\n");
        self.write("web/app.js", "const bed = 1;\nexport default bed;\n");
        self.write("tools/run.sh", "#!/bin/sh\nexec true\n");
        self.write("target/debug/generated.rs", "// TODO generated\n".repeat(50));
        self.write("node_modules/left/index.js", "// TODO not ours\n".repeat(30));
        self.write("README.md", "# Garden\n\nBeds and paths.\n");
        let notes: String =
            (1..=30).map(|line| format!("{line}. water   the beds, 浇花 {line} times\n")).collect();
        self.write("notes.md", notes);
        self.write("notes.txt", "beans\npeas\n番茄\n");
        self.write("计划.txt", "截止日期：周五\n买种子\n旧的截止日期已过\n");
        self.write("data.csv", csv(&DATA));
        self.write("sales.csv", csv(&SALES));
        self.write("config.json", "{\"port\": 1, \"server\": {\"host\": \"localhost\", \"port\": 8417}}\n");
        self.write("a.txt", "same\nleft\nsame\n");
        self.write("b.txt", "same\nright\nsame\n");
    }

    fn more_files(&self) {
        self.write("photos/IMG_1.JPG", "one of a kind");
        self.write("photos/img_2.jpg", "twice there");
        self.write("photos/copy of img_2.jpg", "twice there");
        self.write("photos/照片.png", "also twice");
        self.write("photos/照片 副本.png", "also twice");
        // As long as the others, but different.
        self.write("photos/other.png", "Also twice");
        self.write("docs/notes again.txt", "beans\npeas\n番茄\n");
        self.write("two words.txt", "two words");
        self.write("empty.txt", "");
        self.write("docs/空.md", "");
        self.write("assets/big.bin", vec![7; 300_000]);
        for part in 1..=11 {
            self.write(&format!("assets/part-{part}.bin"), vec![part; 9_000 + usize::from(part) * 1_111]);
        }
        fs::create_dir(self.path("hollow")).expect("the folder is new");
    }

    fn repository(&self) {
        self.git(&["init", "--quiet"], &[]);
        self.write(".gitignore", "target/\nnode_modules/\n");
        for (author, age_days, subject) in COMMITS {
            self.write("log.txt", subject);
            self.git(&["add", "--all"], &[]);
            let at = SystemTime::now() - Duration::from_secs(age_days * 86_400);
            let since = at.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
            let date = format!("{} +0000", since.as_secs());
            let mail = format!("{author}@example.com");
            let variables = [
                ("GIT_AUTHOR_NAME", author),
                ("GIT_AUTHOR_EMAIL", &mail),
                ("GIT_AUTHOR_DATE", &date),
                ("GIT_COMMITTER_NAME", author),
                ("GIT_COMMITTER_EMAIL", &mail),
                ("GIT_COMMITTER_DATE", &date),
            ];
            self.git(&["commit", "--quiet", "-m", subject], &variables);
        }
        self.write("log.txt", "changed since");
        self.write("untracked.txt", "new");
    }

    fn personal(&self) {
        for (name, bytes) in [
            ("big report.pdf", 30_000_000),
            ("旧合同.PDF", 25_000_000),
            ("p1.pdf", 1_000_001),
            ("p2.pdf", 2_000_002),
            ("p3.pdf", 3_000_003),
            ("sub/p4.pdf", 4_000_004),
        ] {
            let path = self.downloads.join(name);
            write(&path, b"%PDF");
            // Mostly a hole: it takes no space.
            File::options()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(bytes))
                .expect("a sparse file");
        }
        for name in ["LICENSE", ".hidden", "backup.tar.gz", "my song.MP3", "音乐.mp3"] {
            write(&self.downloads.join(name), name.as_bytes());
        }
        for folder in ["letters/2025", "空的", "taxes"] {
            fs::create_dir_all(self.documents.join(folder)).expect("the folder is new");
        }
        write(&self.documents.join("taxes/2025.txt"), b"paid");
    }
}

/// The records as CSV, every field in quotation marks.
fn csv<const N: usize>(records: &[[&str; N]]) -> String {
    let quoted = |field: &&str| format!("\"{}\"", field.replace('"', "\"\""));
    records.iter().map(|record| record.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect()
}

fn write(path: &Path, content: &[u8]) {
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).and_then(|()| fs::write(path, content)).expect("the home can be written");
}

/// Gives every file a time of change of its own, hours apart and in no order of names.
fn age(folder: &Path) {
    let files = recount::files(folder, &[".git"]);
    for (index, path) in files.iter().enumerate() {
        let hours = (index as u64 * 7) % (files.len() as u64 + files.len() as u64 % 7 + 1) + index as u64;
        let time = SystemTime::now() - Duration::from_secs(3_600 * (hours * 100 + index as u64 + 1) / 10);
        File::options()
            .append(true)
            .open(path)
            .and_then(|file| file.set_modified(time))
            .expect("the file is ours");
    }
}
