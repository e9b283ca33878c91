//! Names that say nothing attract everything: no crate, module or type is called by one of them.

use crate::dependencies::Package;
use crate::source::{Source, words};

const EMPTY: [&str; 8] = ["core", "common", "util", "utils", "helper", "helpers", "manager", "context"];
const REMEDY: &str = "Name it after what it does.";

/// Modules and types of a file with an empty name; a file or folder is a module.
pub(crate) fn empty_names(source: &Source) -> Vec<String> {
    let in_path = source
        .path
        .split('/')
        .map(|part| part.trim_end_matches(".rs"))
        .filter(|part| EMPTY.contains(part))
        .map(|part| format!("{}: `{part}` names no subject. {REMEDY}", source.path));
    let in_code = ["mod", "struct", "enum", "trait", "type"].into_iter().flat_map(|keyword| {
        words(&source.code, keyword).filter_map(move |at| {
            let name = source.code[at + keyword.len()..].trim_start();
            let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            // `type` also declares associated types, whose names a foreign trait dictates (`type Context = ...`).
            let dictated = keyword == "type" && source.code[..at].ends_with("    ");
            let empty = !dictated && EMPTY.contains(&name.to_lowercase().as_str());
            empty.then(|| format!("{}:{}: `{keyword} {name}`. {REMEDY}", source.path, source.line(at)))
        })
    });
    in_path.chain(in_code).collect()
}

/// Packages with an empty name, `artoo-` aside.
pub(crate) fn empty_package_names(package: &Package) -> Vec<String> {
    let short = package.name.trim_start_matches("artoo-");
    if EMPTY.contains(&short) {
        vec![format!("{}: the package `{}` names no subject. {REMEDY}", package.manifest, package.name)]
    } else {
        Vec::new()
    }
}
