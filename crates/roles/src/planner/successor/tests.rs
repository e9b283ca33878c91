use super::succeeds;

#[test]
fn at_least_half_of_the_words_make_a_successor() {
    for (intent, failed, expected) in [
        ("find the notes", "find the notes", true),
        ("Find the NOTES!", "find the notes", true),
        ("find my notes", "find the notes", true),
        ("find notes", "find the old notes", true),
        ("find my mails", "find the notes", false),
        ("count words", "find the notes", false),
        ("", "find the notes", false),
        ("列出下载文件", "列出下载的文件", true),
        ("删除旧的照片", "列出下载文件", false),
    ] {
        assert_eq!(succeeds(intent, failed, false), expected, "{intent} after {failed}");
        assert_eq!(succeeds(failed, intent, false), expected, "the relation is symmetric");
        assert!(succeeds(intent, failed, true), "the only step succeeds whatever failed");
    }
}
