use super::{NameSearch, answered, words};
use crate::files::index::tests::{machine, spotlight};
use crate::installed::HelperProgram;

fn read(command: &str) -> Option<NameSearch> {
    NameSearch::read(command, "/Users/mei")
}

#[test]
fn a_search_by_name_alone_is_read() {
    let check = |command: &str, root: &str, name: &str, any_case: bool, kind: Option<char>| {
        let search = NameSearch { root: root.to_owned(), name: name.to_owned(), any_case, kind };
        assert_eq!(read(command), Some(search), "{command}");
    };
    check("find ~ -name '*.pdf'", "/Users/mei", "*.pdf", false, None);
    check("find ~/Documents -iname \"tax *\" 2>/dev/null", "/Users/mei/Documents", "tax *", true, None);
    check("  find /Volumes/disk/ -type f -name a.txt ", "/Volumes/disk", "a.txt", false, Some('f'));
    check(
        "find '/Users/mei/My files' -name '报告.docx' -type d",
        "/Users/mei/My files",
        "报告.docx",
        false,
        Some('d'),
    );
}

/// One bug in the reading, and one of these would be answered with something else than it asks for.
#[test]
fn everything_else_runs_as_it_is() {
    for command in [
        "find . -name '*.pdf'",
        "find /tmp -name a",
        "find ~ -name a -delete",
        "find ~ -name a -exec rm {} +",
        "find ~ -name a -print0",
        "find ~ -maxdepth 1 -name a",
        "find ~ -path '*/x/*' -name a",
        "find ~ -name a -o -name b",
        "find ~ ! -name a",
        "find ~ -not -name a",
        "find ~ -name a -name b",
        "find ~ -type f",
        "find ~ -name a -type l",
        "find ~ -name a -size +1M",
        "find ~ -name a -newer b",
        "find ~ /Volumes -name a",
        "find -H ~ -name a",
        "find ~ -name *.pdf",
        "find ~ -name 'a?'",
        "find ~ -name '[ab]'",
        "find ~ -name '\\*'",
        "find ~ -name ''",
        "find ~ -name",
        "find ~ -name '*'",
        "find ~ -name 'mei'",
        "find ~root -name a",
        "find '~/x' -name a",
        "find ~ -name ~",
        "find ~/../other -name a",
        "find ~ -name a | wc -l",
        "find ~ -name a; ls",
        "find ~ -name a && ls",
        "find ~ -name a & ls",
        "find ~ -name a > out",
        "find ~ -name a 2> err",
        "find ~ -name $(id)",
        "find ~ -name \"$X\"",
        "find ~ -name `id`",
        "find ~ -name {a,b}",
        "find ~ -name 'a'b",
        "find ~ -name a #x",
        "find ~ -name a\nls",
        "find ~ -name 'a",
        "sudo find ~ -name a",
        "FIND ~ -name a",
        "X=1 find ~ -name a",
        "",
    ] {
        assert_eq!(read(command), None, "{command}");
    }
}

#[test]
fn secrets_are_left_out_and_a_place_of_them_is_searched_by_the_program() {
    let says = "printf '%/key\\0'; cd %/..; printf \"$PWD/.ssh/key\\0$PWD/.artoo/key\\0$PWD/.artoo/artifacts/key\\0\"";
    let (bench, _stand_in) = machine(&(HelperProgram::Mdfind, says.to_owned()));
    let home = bench.work.places.home.clone();
    for path in ["project/key", ".ssh/key", ".artoo/key", ".artoo/artifacts/key"] {
        std::fs::write(format!("{home}/{path}"), "x").unwrap();
    }
    let produced = answered("find ~ -name key", &bench.work).unwrap();
    assert_eq!(produced.output, format!("{home}/project/key\n"));
    assert!(answered("find ~/.ssh -name key", &bench.work).is_none());
}

#[test]
fn words_are_those_of_a_shell() {
    let same = |command: &str| {
        let printed = std::process::Command::new("bash")
            .args(["--norc", "-c", &format!("printf '<%s>' {command}")])
            .output()
            .unwrap();
        let ours: String = words(command).unwrap().iter().map(|word| format!("<{word}>")).collect();
        assert_eq!(ours, String::from_utf8(printed.stdout).unwrap(), "{command}");
    };
    same("find /x -name 'a b' \"c*d\"  'e(f'");
    same("a-b_c.d/e+f,g:h@i%j 报告");
}

#[test]
fn both_forms_are_in_the_note_and_every_result_was_looked_at() {
    let (bench, _stand_in) = machine(&spotlight("%/a.pdf\\0%/gone.pdf\\0%/b.txt\\0%/c.pdf\\0/etc/a.pdf\\0"));
    for (name, content) in [("a.pdf", "x"), ("b.txt", "x"), ("c.pdf/d", "x")] {
        bench.put(name, content);
    }
    let folder = bench.work.places.working_directory.clone();
    let command = format!("find {folder} -name '*.pdf' -type f");
    let produced = answered(&command, &bench.work).unwrap();
    assert_eq!(produced.output, format!("{folder}/a.pdf\n"));
    let note = produced.note.unwrap();
    assert!(note.contains(&command) && note.contains("kMDItemFSName == \"*.pdf\""), "{note}");
    // The program that runs prints the same.
    let ran = std::process::Command::new("bash").args(["-c", &command]).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), produced.output);
    let none = format!("find {folder} -name '*.doc'");
    assert!(answered(&none, &bench.work).is_none(), "an index that knows nothing tells nothing");
}
