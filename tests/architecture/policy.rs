//! The lists of `deny.toml`, and what they mean for one package.

use toml::{Table, Value};

/// Licences, bans and sources.
pub(crate) struct Policy {
    allowed: Vec<String>,
    exceptions: Vec<(String, Vec<String>)>,
    bans: Vec<(String, String)>,
    registries: Vec<String>,
}

impl Policy {
    /// Reads the text of `deny.toml`.
    pub(crate) fn parse(content: &str) -> Self {
        let table: Table = content.parse().expect("deny.toml is TOML");
        let part = |section: &str, key: &str| {
            table.get(section).and_then(|s| s.get(key)).and_then(Value::as_array).cloned().unwrap_or_default()
        };
        let field =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            allowed: strings(&part("licenses", "allow")),
            exceptions: part("licenses", "exceptions")
                .iter()
                .map(|e| {
                    let licenses = e.get("allow").and_then(Value::as_array).cloned().unwrap_or_default();
                    (field(e, "crate"), strings(&licenses))
                })
                .collect(),
            bans: part("bans", "deny").iter().map(|b| (field(b, "crate"), field(b, "reason"))).collect(),
            registries: strings(&part("sources", "allow-registry")),
        }
    }

    /// True if the SPDX expression can be met with allowed licences. `/` is an old way to write `OR`.
    pub(crate) fn allows_license(&self, name: &str, expression: &str) -> bool {
        let excepted =
            self.exceptions.iter().find(|(package, _)| package == name).map(|(_, licenses)| licenses);
        let allowed = |license: &str| {
            self.allowed.iter().chain(excepted.into_iter().flatten()).any(|candidate| candidate == license)
        };
        let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let tokens: Vec<&str> = spaced.split_whitespace().collect();
        let mut rest = tokens.as_slice();
        let met = either(&mut rest, &allowed);
        let complete = !matches!(tokens.last(), Some(&"OR" | &"AND" | &"WITH"));
        met && complete && rest.is_empty()
    }

    /// The reason why a package is banned, if it is.
    pub(crate) fn ban(&self, name: &str) -> Option<&str> {
        self.bans.iter().find(|(package, _)| package == name).map(|(_, reason)| reason.as_str())
    }

    /// True for a registry on the list; a git repository never is.
    pub(crate) fn allows_source(&self, source: &str) -> bool {
        source.strip_prefix("registry+").is_some_and(|registry| self.registries.iter().any(|r| r == registry))
    }
}

fn strings(values: &[Value]) -> Vec<String> {
    values.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// `a OR b`; both sides are read in any case.
fn either(tokens: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut met = both(tokens, allowed);
    while take(tokens, "OR") {
        met |= both(tokens, allowed);
    }
    met
}

/// `a AND b`, which binds closer than `OR`.
fn both(tokens: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut met = one(tokens, allowed);
    while take(tokens, "AND") {
        met &= one(tokens, allowed);
    }
    met
}

/// A licence, with an exception or without, or an expression in parentheses.
fn one(tokens: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    if take(tokens, "(") {
        let met = either(tokens, allowed);
        return take(tokens, ")") && met;
    }
    let Some((license, rest)) = tokens.split_first() else {
        return false;
    };
    *tokens = rest;
    if take(tokens, "WITH") {
        let Some((exception, rest)) = tokens.split_first() else {
            return false;
        };
        *tokens = rest;
        return allowed(&format!("{license} WITH {exception}"));
    }
    allowed(license)
}

fn take(tokens: &mut &[&str], expected: &str) -> bool {
    let found = tokens.first() == Some(&expected);
    if found {
        *tokens = &tokens[1..];
    }
    found
}
