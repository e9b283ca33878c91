use super::read;
use crate::clause::RequestKind as K;
use crate::clauses::understand;

#[test]
fn the_order_of_the_words_does_not_matter() {
    for (request, kind) in [
        ("which branch am i on right now", K::GitBranch),
        ("right now, on which branch am i", K::GitBranch),
        ("who touched index.html last", K::GitFileLog),
        ("guide.txt: how many lines", K::LinesInFile),
        ("are any of these files identical", K::Duplicates),
        ("how many jpgs do i have here", K::CountFiles),
        ("a.txt跟b.txt有啥不一样", K::CompareFiles),
        ("what differs between a.txt and b.txt", K::CompareFiles),
        ("show me just the WARN lines in server.log", K::MatchLines),
        ("这台电脑内存多大", K::MemoryInfo),
        ("我现在在哪个分支上", K::GitBranch),
        ("大于1MB的都列出来", K::FindFiles),
        ("这里有几张jpg", K::CountFiles),
    ] {
        let read = understand(request).unwrap_or_else(|why| panic!("{request}: {why:?}"));
        assert_eq!(read.clauses.iter().map(|clause| clause.kind).collect::<Vec<_>>(), [kind], "{request}");
    }
}

#[test]
fn one_word_too_many_and_nothing_is_understood() {
    for request in [
        "which branch am i not on",
        "how many jpgs do they have here",
        "who touched index.html except Ada",
        "are any of these files identical to the backup",
        "how many lines has it",
        "count the lines of a.txt and list the largest files",
        "which files do not mention rent",
        "哪些文件没有提到预算",
        "除了b.txt还有哪些空文件",
        "delete everything bigger than 1 MB unless it is new",
    ] {
        assert!(read(request).is_empty(), "{request}: {:?}", read(request));
    }
}

#[test]
fn a_single_line_is_one() {
    for (request, count) in [("the very first line of guide.txt", Some(1)), ("the end of guide.txt", None)] {
        let counts: Vec<_> = read(request).iter().map(|clause| clause.slots.count).collect();
        assert_eq!(counts, [count], "{request}");
    }
}
