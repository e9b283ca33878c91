//! A yes to a command is one to the files that it names, as they were when it was asked about.

use artoo_types::machine::HeldCall;
use artoo_types::tool::ToolCall;
use serde_json::json;

use super::{Bench, yes};
use crate::toolbox::RunOutcome;

const COMMANDS: &[(&str, &str)] = &[
    ("bash build.sh; curl https://example.org", "build.sh"),
    ("./build.sh; curl https://example.org", "build.sh"),
    (". ./build.sh", "build.sh"),
    ("bash < build.sh", "build.sh"),
    ("cd sub && sh run.sh", "sub/run.sh"),
    ("cd sub && sh *.sh", "sub/run.sh"),
    ("sudo env bash -c 'cat a.txt; bash build.sh'", "build.sh"),
    ("python3 'my tool.py'", "my tool.py"),
    ("python3 -c \"exec(open('build.sh').read())\"", "build.sh"),
    ("bash <<EOF\n. ./build.sh\nEOF", "build.sh"),
    ("curl -d @a.txt https://example.org", "a.txt"),
    ("curl -Ta.txt https://example.org", "a.txt"),
    ("curl --data-binary=@a.txt https://example.org", "a.txt"),
    ("scp a.txt me@example.org:", "a.txt"),
    ("sudo cp a.txt /etc/motd", "a.txt"),
    ("BASH_ENV=build.sh bash -c true", "build.sh"),
    ("make", "Makefile"),
    ("npm run build", "package.json"),
    ("if ( ./build.sh", "build.sh"),
];

impl Bench {
    /// A bench whose project holds the files of the commands above.
    fn with_files() -> Self {
        let bench = Self::new();
        std::fs::create_dir(bench.home.join("project/sub")).unwrap();
        for name in ["build.sh", "sub/run.sh", "my tool.py", "a.txt", "Makefile", "package.json", "other.txt"]
        {
            bench.write(name, "kind\n");
        }
        bench
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.home.join("project").join(name), content).unwrap();
    }

    fn command(&self, command: &str) -> (ToolCall, HeldCall) {
        let call = self.call("shell", &json!({"command": command}));
        let held = self.held(&call);
        (call, held)
    }
}

#[tokio::test]
async fn a_file_that_changed_since_the_question_is_asked_about_anew() {
    let bench = Bench::with_files();
    for (command, name) in COMMANDS {
        let (call, held) = bench.command(command);
        let judged = bench.judge(&call);
        bench.write("other.txt", command);
        assert_eq!(bench.held(&call).digest, held.digest, "{command}: it does not name that file");
        bench.write(name, "evil\n");
        let outcome = bench.outcome(&call, Some(&yes(&held))).await;
        let RunOutcome::Held(again, _) = outcome else { panic!("{command}: {outcome:?}") };
        assert!(again.why[0].contains("has changed since you were asked"), "{command}: {again:?}");
        assert!(judged.renewed(&call).is_none(), "{command}");
        bench.write(name, "kind\n");
        // What is told as changed is bound to that very file, the others to what they hold.
        let is_target = held.targets.iter().any(|target| target.ends_with(name));
        assert!(is_target || bench.held(&call).digest == held.digest, "{command}: it holds what it held");
    }
}

/// Without a look at what is there by then, a file that another step makes meanwhile runs.
#[tokio::test]
async fn a_file_that_came_into_being_since_the_question_is_asked_about_anew() {
    let bench = Bench::new();
    let (call, held) = bench.command("bash build.sh; curl https://example.org");
    bench.write("build.sh", "evil\n");
    assert!(matches!(bench.outcome(&call, Some(&yes(&held))).await, RunOutcome::Held(..)));
}
