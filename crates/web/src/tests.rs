use super::{address, unfit_address, unfit_query};

#[test]
fn a_query_has_a_length_and_an_address_is_one() {
    assert!(unfit_query(" \n ").is_some_and(|why| why.0.contains("1 to 400")));
    assert_eq!(unfit_query(&"é".repeat(400)), None);
    assert!(unfit_query(&"é".repeat(401)).is_some_and(|why| why.0.contains("this one has 401")));
    assert!(unfit_address("http://[::ffff:127.0.0.1]/").is_some_and(|why| why.0.contains("public internet")));
    assert!(unfit_address("file:///etc/passwd").is_some_and(|why| why.0.contains("only http")));
    assert_eq!(unfit_address("https://example.org/?q=100%25&x=%zz%"), None);
    assert_eq!(address(" HTTPS://Example.org:443/a/../b#c "), "https://example.org/b");
    assert_eq!(address("no address"), "no address");
}
