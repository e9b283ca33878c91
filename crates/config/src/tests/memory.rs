//! What artoo learns by itself.

use super::*;

#[test]
fn reflection_is_on_until_somebody_switches_it_off() {
    assert!(Home::new().config().reflect);
    assert!(!Home::with("[memory]\nreflect = false\n").config().reflect);
    assert!(!Home::new().flag("memory.reflect=false").config().reflect);
    let error = Home::with("[memory]\nreflect = \"sometimes\"\n").error();
    assert!(error.contains("`memory.reflect` must be true or false"), "{error}");
}
