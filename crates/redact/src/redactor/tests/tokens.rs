//! Tokens by their form, and everything that looks a little like one.

use super::*;

fn tokens() -> Redactor {
    Redactor::default()
}

#[test]
fn tokens_of_services_are_found_by_their_beginning() {
    let check_one = |token: &str, placeholder: &str| {
        for (before, behind) in [
            ("", ""),
            ("key=", " "),
            ("{\"k\":\"", "\"}"),
            ("说", "。"),
            ("(", "),"),
            ("\u{1b}[31m", "\u{1b}[0m"),
        ] {
            check(&tokens(), &format!("{before}{token}{behind}"), &format!("{before}{placeholder}{behind}"));
        }
    };
    let key = SecretKind::ApiKey.placeholder();
    for token in [
        "sk-ant-api03-Zm9vYmFyYmF6cXV4LTEyMzQ1Njc4OTA_abcdef",
        "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2",
        "sk-or-v1-0123456789abcdef0123456789abcdef",
        "sk-0123456789abcdef0123456789abcdef",
        "sk_live_51H8abcdefghijklmnop",
        "AIzaSyA-1234567890abcdefghijklmnopqrstuv",
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "gsk_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP",
        "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",
    ] {
        let expected = if token.starts_with("SG.") { SecretKind::Token.placeholder() } else { key };
        check_one(token, expected);
    }
    for token in [
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "gho_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "glpat-abcdefghij0123456789",
        "xoxb-123456789012-abcdefABCDEF",
        "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "npm_abcdefghijklmnopqrstuvwxyz0123456789",
        "pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4LTEyMzQtMTIzNC0xMjM0LTEyMzQ1Njc4",
        "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "shpat_0123456789abcdef0123456789abcdef",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    ] {
        check_one(token, SecretKind::Token.placeholder());
    }
}

#[test]
fn every_line_of_the_table_can_match() {
    for shape in SHAPES {
        let mut text = shape.anchor().to_owned();
        for (index, least) in shape.parts().iter().enumerate() {
            if index > 0 {
                text.push('.');
            }
            text.push_str(&"A1".repeat(least.div_ceil(2)));
        }
        let redacted = tokens().redact(&text).into_owned();
        assert!(redacted.contains("[redacted: ") && !redacted.contains("A1A1"), "{text} became {redacted}");
    }
}

#[test]
fn the_name_before_a_token_stays() {
    check(&tokens(), "Authorization: Bearer abc123def456ghi7", "Authorization: Bearer [redacted: token]");
    check(&tokens(), "Authorization: Bearer abc123def456ghi7.", "Authorization: Bearer [redacted: token].");
    check(
        &tokens(),
        "{\"authorization\":\"bearer abc123def456ghi7\"}",
        "{\"authorization\":\"bearer [redacted: token]\"}",
    );
    check(&tokens(), "Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted: password]");
    check(
        &tokens(),
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "aws_secret_access_key = [redacted: token]",
    );
    check(
        &tokens(),
        r#"{"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}"#,
        r#"{"SecretAccessKey": "[redacted: token]"}"#,
    );
}

#[test]
fn a_password_goes_and_its_address_stays() {
    check(&tokens(), "postgres://app:hunter2@db:5432/x", "postgres://app:[redacted: password]@db:5432/x");
    check(&tokens(), "redis://:s3cr3t@localhost", "redis://:[redacted: password]@localhost");
    check(&tokens(), "see <https://u:p@ss:w@h/> there", "see <https://u:[redacted: password]@h/> there");
    check(&tokens(), r#""https:\/\/u:secret@h\/x""#, r#""https:\/\/u:[redacted: password]@h\/x""#);
    for kept in [
        "git@github.com:owner/repo.git",
        "ssh://git@github.com/owner/repo.git",
        "http://localhost:8080/@scope/package",
        "http://[::1]:8080/",
        "https://user:${PASSWORD}@host/ https://user:$DB_PASSWORD@host https://user:{password}@host",
        "https://user:***@host https://user:xxxxx@host",
        "http://127.0.0.1:11434/v1?to=a@b.c",
        "a://b:c d@e",
    ] {
        check_kept(&tokens(), kept);
    }
}

#[test]
fn a_block_with_a_private_key_goes_whole_or_in_part() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let gone = "[redacted: private key]";
    let begin = "-----BEGIN RSA PRIVATE KEY-----";
    let end = "-----END RSA PRIVATE KEY-----";
    let check = |text: String, expected: String| check(&tokens(), &text, &expected);
    check(format!("a\n{begin}\n{line}\n{line}\nabc=\n{end}\nb"), format!("a\n{gone}\nb"));
    check(
        format!("{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n{line}\n{end}"),
        gone.to_owned(),
    );
    // Escaped line breaks, as in a JSON string; the beginning alone; the end alone.
    check(format!("{{\"k\":\"{begin}\\n{line}\\nabc=\\n{end}\\n\"}}"), format!("{{\"k\":\"{gone}\\n\"}}"));
    check(format!("{begin}\n{line}\n{line}\nthe rest was cut"), format!("{gone}\nthe rest was cut"));
    check(format!("cut:\n{line}\n{line}\nab==\n{end}\nb"), format!("cut:\n{gone}\nb"));
    check(format!("cut\\n{line}\\nab==\\n{end}"), format!("cut\\n{gone}"));
    check(format!("    {begin}\r\n    {line}\r\n    {end}\r\n"), format!("    {gone}\r\n"));
    for kept in [
        format!("a file with {begin} in it"),
        format!("{begin}\nNote: no key follows"),
        format!("from {begin} to {end} everything counts"),
        format!("-----BEGIN CERTIFICATE-----\n{line}\n-----END CERTIFICATE-----"),
        format!("-----BEGIN PUBLIC KEY-----\n{line}\n-----END PUBLIC KEY-----"),
    ] {
        check_kept(&tokens(), &kept);
    }
}

#[test]
fn a_token_behind_an_escape_is_not_the_rest_of_a_word() {
    let token = "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2";
    for before in [r"\n", r"\u000a", "%3D", "a\tb ", "\u{1b}[1;31m", r"\u001b[31m", "=", "/", "\"", "：", "é"]
    {
        let text = format!("x{before}{token}");
        check(&tokens(), &text, &format!("x{before}[redacted: api key]"));
    }
}

#[test]
fn what_only_looks_like_a_token_stays() {
    for kept in [
        "sk-learn, task-list-with-many-words-1, risk-assessment-2024-report-final, desk-0123456789abcdef0123456789",
        "sk-SK sk-cube-grid sk-folding-cube-with-a-very-long-class-name sk-toggleable__content sk-container-id-1",
        "2b7e151628aed2a6abf7158809cf4f3c d41d8cd98f00b204e9800998ecf8427e",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  ./a.txt",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 240224d8f1e0c3b5a7968e4f2d1c0b9a8e7f6d5c",
        "01890a5d-ac96-774b-bcce-b302099a8057",
        "/home/user/projects/artoo/crates/types/src/redact/tests.rs:120",
        "请把 guide.txt 的前五行打印出来，然后统计字数。",
        "the bearer responsibilities of a Bearer authentication-by-token-scheme",
        "Bearer realm=\"example\", Bearer token_type_is_a_word",
        "hf_hub_download(repo_id) npm_config_registry github_pat_ ghs_run glpat-",
        "AKIA and ASIA; AKIAabc; ASIATIC; AIza; eyJ; eyJhbGci.x.y",
        "xoxb-foo, whsec_, pypi-server, npm_lifecycle_event",
        "-----BEGIN",
        "password: hunter2",
        "",
        "\u{0}\u{1}",
    ] {
        check_kept(&tokens(), kept);
    }
}

#[test]
fn time_grows_with_the_length_alone() {
    // Each of these would take hours if beginnings were followed again and again.
    let long = 1 << 20;
    for unit in [
        "sk-",
        "ya29.",
        "eyJaaaaaaaaaaaa.",
        "Bearer ",
        "://",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----",
        "a:b@://",
        "AKIA",
        "\\",
        "A",
        "-----BEGIN PRIVATE KEY-----\nA: b\n",
    ] {
        let text = unit.repeat(long / unit.len());
        assert!(tokens().redact(&text).len() <= text.len() * 4);
    }
    let text = format!("{}-----END PRIVATE KEY-----", "QUJD".repeat(long / 4));
    check(&tokens(), &text, "[redacted: private key]");
}
