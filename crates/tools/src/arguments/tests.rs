use super::{GlobArguments, WriteArguments, canonical_arguments, parse};

#[test]
fn key_order_and_spacing_do_not_matter() {
    let a = canonical_arguments(r#"{"b": 1, "a": {"d": [2, {"z": 1, "y": 2}], "c": null}}"#);
    let b = canonical_arguments(r#"{"a":{"c":null,"d":[2,{"y":2,"z":1}]},"b":1}"#);
    assert_eq!(a, b);
    assert_eq!(a, r#"{"a":{"c":null,"d":[2,{"y":2,"z":1}]},"b":1}"#);
    assert_eq!(canonical_arguments("not json"), "not json");
}

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
