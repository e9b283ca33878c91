//! Configured values in all their spellings.

use base64::Engine as _;
use base64::prelude::*;

use super::*;

const KEY: &str = "[redacted: api key]";

#[test]
fn a_value_is_found_in_every_usual_spelling() {
    let secret = "p@ss/w+rd \"q\\=é7\n42";
    let redactor = knowing(&[secret]);
    let json = serde_json::to_string(secret).unwrap();
    check(&redactor, secret, KEY);
    check(&redactor, &format!("{{\"k\": {json}}}"), &format!("{{\"k\": \"{KEY}\"}}"));
    check(&redactor, &json.replace('/', "\\/"), &format!("\"{KEY}\""));
    check(&redactor, &json.replace('é', "\\u00e9"), &format!("\"{KEY}\""));
    check(&redactor, "p%40ss%2Fw%2Brd%20%22q%5C%3D%C3%A97%0A42", KEY);
    check(&redactor, "p%40ss%2fw%2brd%20%22q%5c%3d%c3%a97%0a42", KEY);
    check(&redactor, "x?p=p%40ss%2Fw%2Brd+%22q%5C%3D%C3%A97%0A42&y=1", &format!("x?p={KEY}&y=1"));
    check(&redactor, "p%40ss/w%2Brd%20%22q%5C%3D%C3%A97%0A42", KEY);
    for engine in [BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE] {
        let alone = engine.encode(secret);
        let redacted = redactor.redact(&alone).into_owned();
        assert!(redacted.starts_with(KEY) && redacted.len() <= KEY.len() + 4, "{alone} became {redacted}");
    }
    check(&redactor, &hex::encode(secret), KEY);
    check(&redactor, &hex::encode_upper(secret), KEY);
}

#[test]
fn a_value_is_found_wherever_it_stands_in_what_was_encoded() {
    let secret = "correct-horse-7-battery";
    let redactor = knowing(&[secret]);
    for before in 0..4 {
        for behind in 0..4 {
            let text = format!("{}{secret}{}", "<".repeat(before), ">".repeat(behind));
            for encoded in [BASE64_STANDARD.encode(&text), BASE64_URL_SAFE_NO_PAD.encode(&text)] {
                let redacted = redactor.redact(&encoded).into_owned();
                assert!(redacted.contains(KEY), "{before} {behind}: {encoded}");
                // What is left decodes to less than one character beyond the surroundings.
                assert!(redacted.len() <= KEY.len() + 16, "{before} {behind}: {redacted}");
            }
        }
    }
}

#[test]
fn half_of_a_long_value_goes_too() {
    let secret = "tok-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let redactor = knowing(&[secret]);
    for cut in PIECE + STRIDE - 1..secret.len() {
        let head = redactor.redact(&secret[..cut]).into_owned();
        assert_eq!(head, KEY, "the first {cut}");
        let tail = redactor.redact(&secret[secret.len() - cut..]).into_owned();
        assert_eq!(tail, KEY, "the last {cut}");
    }
    // From within: what survives at the ends is shorter than a stride.
    for from in 1..secret.len() - (PIECE + STRIDE) {
        check(&redactor, &format!("<{}>", &secret[from..from + PIECE + STRIDE - 1]), &format!("<{KEY}>"));
    }
    check_kept(&redactor, "tok-ABCDEFGHIJ");
}

#[test]
fn values_that_overlap_go_together() {
    let redactor = knowing(&["abcdefgh1", "efgh1jklmn", "h1jklmnopqrs"]);
    check(&redactor, "<abcdefgh1jklmnopqrs>", &format!("<{KEY}>"));
    check(&redactor, "<abcdefgh1abcdefgh1>", &format!("<{KEY}{KEY}>"));
}

#[test]
fn replacing_one_secret_sets_no_other_free() {
    let redactor = knowing(&["secretvalue1"]);
    check(&redactor, "secretvalue1sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2", &format!("{KEY}{KEY}"));
    // Values made of what placeholders are made of.
    for value in
        ["redacted", "[redacted: api key]", "acted: t", "key]1234", "1234[redacted", "]1234567[", "secret]x"]
    {
        let redactor = knowing(&[value]);
        for text in [value.to_owned(), format!("{value}{value}"), format!("a {value}1234567[ b")] {
            let once = redactor.redact(&text).into_owned();
            assert_eq!(redactor.redact(&once), once, "{value:?} in {text:?}");
            let is_placeholder = SecretKind::ALL.iter().any(|kind| kind.placeholder().contains(value));
            assert!(is_placeholder || !once.contains(value), "{value:?} in {text:?} became {once:?}");
        }
    }
}

#[test]
fn words_and_short_values_are_no_secrets() {
    check_kept(&knowing(&["1", "ollama", "", "       "]), "1 ollama, and ollama is loading 1");
    // A passphrase goes as a whole; its words stay.
    let redactor = knowing(&["the quick brown fox jumps over it"]);
    check(&redactor, "<the quick brown fox jumps over it>", &format!("<{KEY}>"));
    check_kept(&redactor, "the quick brown fox jumps elsewhere");
}

#[test]
fn lines_of_a_value_of_several_lines_go_too() {
    let line = "bGluZSBvZiBhIGtleSB0aGF0IGlzIGxvbmc";
    let redactor = knowing(&[&format!("# a key\n{line}\n{line}XX\n")]);
    check(&redactor, &format!("2: {line} 3"), &format!("2: {KEY} 3"));
    check_kept(&redactor, "# a key");
}

#[test]
fn json_with_a_secret_stays_json() {
    let secret = "nabc\\def/ghi\"jkl";
    let redactor = knowing(&[secret, "nothing-but-n"]);
    for value in [secret, "\nothing-but-n", "a\\nothing-but-n", "\\\\nothing-but-n", "\u{1b}nothing-but-n"] {
        let text = serde_json::json!({"a": value, "b": [format!("x{secret}\n{secret}y")]}).to_string();
        let redacted = redactor.redact(&text).into_owned();
        let parsed: serde_json::Value = serde_json::from_str(&redacted)
            .unwrap_or_else(|error| panic!("{text} became {redacted}, which is no JSON: {error}"));
        assert!(!parsed.to_string().contains("nabc") && parsed["b"].is_array(), "{redacted}");
    }
}

#[test]
fn letters_that_a_model_escaped_hide_nothing() {
    let redactor = knowing(&["canary-0042-value"]);
    let check = |text: &str, expected: &str| {
        let mut cleaned = text.to_owned();
        redactor.clean_json(&mut cleaned);
        assert_eq!(cleaned, expected);
    };
    check(r#"{"a":"c\u0061nary-0042-v\u0061lue"}"#, &format!(r#"{{"a":"{KEY}"}}"#));
    check(r#"{"a":"\u0073k-proj-a1B2c3D4e5F6g7H8i9J0k1L2"}"#, &format!(r#"{{"a":"{KEY}"}}"#));
    // Everything else stays as it was written.
    check(r#"{"a":"\u0041\n\u00e9\\u0041"}"#, r#"{"a":"\u0041\n\u00e9\\u0041"}"#);
    check(r#"{"a":"\\u0063anary-0042-value"}"#, r#"{"a":"\\u0063anary-0042-value"}"#);
    check("\\", "\\");
    check("\\u00", "\\u00");
    check("\\é\\u006é", "\\é\\u006é");
}

#[test]
fn bytes_that_are_no_text_are_kept() {
    let redactor = knowing(&["canary-0042-value"]);
    let text = b"\xff\xfecanary-0042-value\x80\x80\x80\x80\x80";
    assert_eq!(
        redactor.redact_bytes(text).as_ref(),
        [b"\xff\xfe".as_slice(), KEY.as_bytes(), b"\x80\x80"].concat()
    );
}

#[test]
fn names_of_variables_say_what_they_hold() {
    use SecretKind::*;
    for (name, kind) in [
        ("OPENAI_API_KEY", Some(ApiKey)),
        ("KEY", Some(ApiKey)),
        ("github_token", Some(Token)),
        ("DB_PASSWORD", Some(Password)),
        ("MYSQL_PASSWD_2", Some(Password)),
        ("AWS_SECRET_ACCESS_KEY", Some(ApiKey)),
        ("CLIENT_SECRET_ID", Some(Other)),
        ("GOOGLE_APPLICATION_CREDENTIALS", Some(Other)),
        ("TLS_PRIVATE_KEY_PEM", Some(PrivateKey)),
        ("PATH", None),
        ("KEYBOARD", None),
        ("MONKEY", None),
        ("TOKENIZERS_PARALLELISM", None),
        ("DB_PASSWORD_FILE", Some(Password)),
        ("SSH_AUTH_SOCK", None),
    ] {
        assert_eq!(SecretKind::of_variable(name), kind, "{name}");
    }
}

#[test]
fn a_redactor_tells_nothing_of_itself() {
    let shown = format!("{:?}", knowing(&["canary-0042-value"]));
    assert!(!shown.contains("canary") && shown.starts_with("Redactor("), "{shown}");
}

#[test]
fn an_excerpt_tells_no_end_of_a_value() {
    let secret = "tok-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let redactor = knowing(&[secret, "short-one"]);
    let check = |text: &str, expected: &str| {
        let mut cut = text.to_owned();
        redactor.clean_excerpt(&mut cut);
        assert_eq!(cut, expected, "of {text:?}");
        redactor.clean_excerpt(&mut cut);
        assert_eq!(cut, expected, "a second time");
    };
    for length in MIN_SECRET..secret.len() {
        check(&format!("a {}", &secret[..length]), &format!("a {KEY}"));
        check(&format!("{} b", &secret[secret.len() - length..]), &format!("{KEY} b"));
    }
    check("a tok-ABC", "a tok-ABC");
    check("a short-on", &format!("a {KEY}"));
    check("hort-one b", &format!("{KEY} b"));
    check("tok-ABCDEF in the midst of 234567890", "tok-ABCDEF in the midst of 234567890");
    check("", "");
}

#[test]
fn a_value_is_found_across_the_line_breaks_of_base64() {
    let secret = "tok-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let redactor = knowing(&[secret]);
    for before in 0..80 {
        let encoded = BASE64_STANDARD.encode(format!("{}{secret}", "<".repeat(before)));
        let lines: Vec<&[u8]> = encoded.as_bytes().chunks(76).collect();
        for line_break in ["\n", "\r\n"] {
            let text = String::from_utf8(lines.join(line_break.as_bytes())).unwrap();
            let redacted = redactor.redact(&text).replace(line_break, "");
            let left = redacted.replace(KEY, "").len() - encoded.len().min(before * 4 / 3);
            assert!(redacted.contains(KEY) && left < 8, "{before}: {text} became {redacted}");
        }
    }
    // What follows a line break is no part of a value when it does not go on with it.
    check(&redactor, &format!("{}\nA B", &secret[..30]), &format!("{KEY}\nA B"));
}
