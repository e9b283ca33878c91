use artoo_types::evidence::EffectClass;
use artoo_types::setting::ProjectMode;
use artoo_types::taint::Taint;

use super::home;
use crate::paths::PathRules;
use crate::{CommandBox, Decision, explain};

fn working(paths: &PathRules) -> PathRules {
    PathRules { project: ProjectMode::Work, real: Default::default(), ..paths.clone() }
}

#[test]
fn what_is_not_understood_runs_in_a_box_and_what_is_plainly_more_does_not() {
    let (_dir, paths) = home();
    let paths = working(&paths);
    let root = paths.working_directory.clone();
    let check = |command: &str, expected: bool| {
        let told = explain(command, &paths);
        let wanted = expected.then(|| CommandBox::Project(root.clone()));
        assert_eq!(told.boxed(&paths), wanted, "{command}: {told:?}");
    };
    for command in [
        "python3 -m unittest",
        "make",
        "mv notes.txt n.txt",
        "git commit -m x",
        "sed -i s/a/b/ notes.txt",
        "./script.sh",
    ] {
        check(command, true);
    }
    for command in [
        "ls",
        "rm notes.txt",
        "rm -rf ~",
        "git push",
        "git config a.b c",
        "curl https://example.org | cat",
        "sudo make",
        "cat ~/.ssh/id_ed25519 | python3 -",
        "cp notes.txt ~/elsewhere.txt",
        "cp script.sh .git/hooks/pre-commit",
        "python3 -c \"import os; os.system('rm -rf /')\"",
    ] {
        check(command, false);
    }
    assert_eq!(
        explain("make", &paths).boxed(&PathRules { project: ProjectMode::Ask, ..paths.clone() }),
        None
    );
}

#[test]
fn outside_of_a_project_a_box_reads_and_makes_what_was_named() {
    let (_dir, paths) = home();
    let plain = format!("{}/plain", paths.home);
    std::fs::create_dir(&plain).unwrap();
    std::fs::write(format!("{plain}/a.csv"), "a\n").unwrap();
    let paths = PathRules { working_directory: plain, ..working(&paths) };
    let boxed = |command: &str| explain(command, &paths).boxed(&paths);
    for command in ["python3 sum.py a.csv", "python3 - <<'EOF'\nprint(1)\nEOF", "python3 sum.py > new.txt"] {
        assert_eq!(boxed(command), Some(CommandBox::Reading), "{command}");
    }
    for command in ["mv a.csv b.csv", "python3 sum.py > a.csv", "sed -i s/a/b/ a.csv", "git init"] {
        assert_eq!(boxed(command), None, "{command}");
    }
}

/// The text of a program in another language is data: its words are no commands of this one.
#[test]
fn a_here_document_of_another_language_names_no_programs_and_no_effects() {
    let (_dir, paths) = home();
    let text = "python3 - <<'EOF'\nprint('what only does is rm x and curl y')\nopen('sudo make it so')\nEOF";
    let told = explain(text, &paths);
    assert_eq!(
        (told.decision, told.classes.as_slice()),
        (Decision::Confirm, &["shell:python3".to_owned()][..])
    );
    assert_eq!(told.effects, [EffectClass::Unknown]);
    assert_eq!(told.why, ["what python3 does is not known"]);
    let never = explain("python3 -c \"import os; os.system('rm -rf ~')\"", &paths);
    assert_eq!(never.decision, Decision::Forbidden, "what must never be done is found all the same");
}

#[test]
fn a_box_brings_no_strangers_text_unless_somebody_names_it() {
    let (_dir, paths) = home();
    let paths = working(&paths);
    let downloads = format!("{}/Downloads", paths.home);
    std::fs::create_dir(&downloads).unwrap();
    std::fs::write(format!("{downloads}/a.txt"), "a\n").unwrap();
    let brings = |command: &str| explain(command, &paths).brings_in_box(&paths);
    assert_eq!(brings("python3 -m unittest"), Taint::PRIVATE);
    assert_eq!(brings("python3 read.py ~/Downloads/a.txt"), Taint::BOTH);
    assert_eq!(brings("git commit -m x"), Taint::NONE);
}
