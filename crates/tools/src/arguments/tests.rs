use super::{GlobArguments, WriteArguments, parse};

#[test]
fn a_missing_argument_is_named() {
    let error = parse::<WriteArguments>("write_file", "{path, content}", r#"{"path":"x"}"#).unwrap_err();
    assert!(error.contains("content") && error.contains("{path, content}"), "{error}");
    let error = parse::<WriteArguments>("write_file", "{path, content}", "[1]").unwrap_err();
    assert!(error.contains("object"), "{error}");
}

#[test]
fn unknown_arguments_are_ignored_and_the_root_defaults_to_here() {
    let got: GlobArguments = parse("glob", "{root, pattern}", r#"{"pattern":"*.rs","why":"x"}"#).unwrap();
    assert_eq!((got.root.as_str(), got.pattern.as_str()), (".", "*.rs"));
}
