use super::Address;

fn check(base_url: &str, expected: Result<&str, &str>) {
    match (Address::new(base_url), expected) {
        (Ok(address), Ok(endpoint)) => assert_eq!(address.endpoint.as_str(), endpoint, "{base_url}"),
        (Err(error), Err(part)) => {
            let said = error.to_string();
            assert!(said.contains(part) && !said.contains("hunter2"), "{base_url}: {said}");
        }
        (found, expected) => panic!("{base_url}: expected {expected:?}, found {found:?}"),
    }
}

#[test]
fn the_base_url_is_used_as_given() {
    check("http://127.0.0.1:1/v1", Ok("http://127.0.0.1:1/v1/chat/completions"));
    check(" http://127.0.0.1:1/v1/ ", Ok("http://127.0.0.1:1/v1/chat/completions"));
    check("https://a.example/api/v3", Ok("https://a.example/api/v3/chat/completions"));
    check("https://a.example", Ok("https://a.example/chat/completions"));
    check("https://a.example/d?api-version=2", Ok("https://a.example/d/chat/completions?api-version=2"));
}

#[test]
fn an_address_that_cannot_be_right_is_refused_with_the_right_one() {
    check("http://x/v1/chat/completions", Err("write http://x/v1"));
    check("http://x/v1/chat/completions/", Err("write http://x/v1"));
    check("http://x:8/chat", Err("write http://x:8"));
    check("http://x/v1/v1", Err("/v1 twice"));
    check("http://x/v1//v1/", Err("/v1 twice"));
    check("x.example/v1", Err("this is no address"));
    check("ftp://x/v1", Err("http:// or https://"));
    check("", Err("this is no address"));
    check("http://me:hunter2@x/v1", Err("api_key"));
    check("me:hunter2@x/v1", Err("base_url"));
}

#[test]
fn an_unusual_address_is_told() {
    let advice = |url: &str, has_key| Address::new(url).unwrap().advice(has_key).unwrap_or_default();
    assert!(advice("http://localhost:11434", false).contains("/v1"));
    assert_eq!(advice("http://localhost:11434/v1", true), "");
    assert_eq!(advice("http://[::1]:11434/v1", true), "");
    assert!(advice("http://10.0.0.2/v1", true).contains("without encryption"));
    assert_eq!(advice("http://10.0.0.2/v1", false), "");
    assert_eq!(advice("https://a.example/v1", true), "");
}
