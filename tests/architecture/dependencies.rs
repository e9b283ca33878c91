//! Who may depend on whom, and on what foreign code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::policy::Policy;
use crate::purity::PURE;
use crate::source::root;

/// A package of the dependency graph, as `cargo metadata` tells it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Path of its `Cargo.toml` from the top of the repository; absolute for foreign packages.
    pub(crate) manifest: String,
    pub(crate) license: Option<String>,
    /// Where it comes from; none for packages of this repository.
    pub(crate) source: Option<String>,
    /// What its manifest names, for building, running and testing.
    pub(crate) dependencies: Vec<String>,
    /// Identifiers of what it links: neither build nor test dependencies.
    pub(crate) links: Vec<String>,
}

impl Package {
    /// The folder of the package from the top of the repository.
    pub(crate) fn folder(&self) -> &str {
        self.manifest.trim_end_matches("/Cargo.toml")
    }

    pub(crate) fn is_ours(&self) -> bool {
        self.source.is_none()
    }
}

/// What each package may see of the others. A line for each; what is missing here is forbidden.
const LAYERS: &[(&str, &[&str])] = &[
    ("artoo-redact", &[]),
    ("artoo-types", &["artoo-redact"]),
    ("artoo-request", &["artoo-types"]),
    ("artoo-bus", &["artoo-types"]),
    ("artoo-control", &["artoo-types"]),
    ("artoo-relevance", &["artoo-types", "artoo-request"]),
    ("artoo-roles", &["artoo-types", "artoo-redact", "artoo-relevance", "artoo-request"]),
    ("artoo-memory", &["artoo-types"]),
    ("artoo-audit", &["artoo-types"]),
    ("artoo-report", &["artoo-types"]),
    ("artoo-schedule", &["artoo-types"]),
    ("artoo-task", &["artoo-types", "artoo-bus", "artoo-control", "artoo-request", "artoo-roles"]),
    ("artoo-journal", &["artoo-types"]),
    ("artoo-store", &["artoo-types", "artoo-memory"]),
    ("artoo-model", &["artoo-types", "artoo-redact"]),
    ("artoo-offline", &["artoo-types", "artoo-request"]),
    ("artoo-gate", &["artoo-types"]),
    ("artoo-command", &["artoo-types", "artoo-gate"]),
    ("artoo-trash", &["artoo-types", "artoo-gate"]),
    ("artoo-web", &["artoo-types", "artoo-redact"]),
    ("artoo-mcp", &["artoo-types", "artoo-redact", "artoo-command"]),
    (
        "artoo-tools",
        &[
            "artoo-types",
            "artoo-redact",
            "artoo-relevance",
            "artoo-gate",
            "artoo-command",
            "artoo-trash",
            "artoo-web",
            "artoo-mcp",
        ],
    ),
    ("artoo-protocol", &[]),
    ("artoo-client", &["artoo-protocol"]),
    (
        "artoo-config",
        &["artoo-mcp", "artoo-model", "artoo-redact", "artoo-trash", "artoo-types", "artoo-web"],
    ),
    (
        "artoo-runtime",
        &[
            "artoo-audit",
            "artoo-bus",
            "artoo-command",
            "artoo-config",
            "artoo-control",
            "artoo-journal",
            "artoo-mcp",
            "artoo-memory",
            "artoo-model",
            "artoo-offline",
            "artoo-redact",
            "artoo-roles",
            "artoo-schedule",
            "artoo-store",
            "artoo-task",
            "artoo-tools",
            "artoo-trash",
            "artoo-types",
            "artoo-web",
        ],
    ),
    (
        "artoo-service",
        &[
            "artoo-bus",
            "artoo-config",
            "artoo-gate",
            "artoo-journal",
            "artoo-mcp",
            "artoo-memory",
            "artoo-model",
            "artoo-protocol",
            "artoo-redact",
            "artoo-report",
            "artoo-runtime",
            "artoo-schedule",
            "artoo-store",
            "artoo-task",
            "artoo-tools",
            "artoo-trash",
            "artoo-types",
        ],
    ),
    (
        "artoo-daemon",
        &[
            "artoo-command",
            "artoo-config",
            "artoo-model",
            "artoo-redact",
            "artoo-runtime",
            "artoo-service",
            "artoo-store",
            "artoo-web",
        ],
    ),
    ("artoo-lab", &["artoo-control", "artoo-task", "artoo-types"]),
    ("artoo-testing", &["artoo-journal", "artoo-task", "artoo-types"]),
    ("artoo-tests", EVERYTHING),
    ("artoo-benches", EVERYTHING),
    ("artoo-benches-memory", &["artoo-benches", "artoo-memory", "artoo-store", "artoo-types"]),
];
const EVERYTHING: &[&str] = &["*"];
/// What the tests of every package may see, and no product.
const FOR_TESTS: &str = "artoo-testing";

/// Foreign crates that would bring the world into a pure crate, be it through others. (`getrandom` is not among them:
/// `uuid` links it; the rule on names forbids the constructors that call it.)
const WORLDLY: [&str; 10] =
    ["tokio", "mio", "hyper", "tonic", "reqwest", "rustix", "rand", "rocksdb", "librocksdb-sys", "tempfile"];

/// The gate judges what a command would do and does nothing itself: no runtime, network or server is linked into it.
const RUNNING: [&str; 8] = ["tokio", "mio", "hyper", "tonic", "reqwest", "rmcp", "rocksdb", "landlock"];

/// The dependency graph of this platform.
pub(crate) fn packages() -> Vec<Package> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let host = output(Command::new(Path::new(&cargo).with_file_name("rustc")).arg("-vV"))
        .unwrap_or_else(|error| panic!("rustc does not tell its host platform: {error}"));
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc -vV names the host");
    // A build of the workspace has fetched every package. Where less was built, cargo may fetch the rest.
    let metadata = |mode: &[&str]| {
        let arguments = ["metadata", "--format-version", "1", "--filter-platform", host];
        output(Command::new(&cargo).args(arguments).args(mode).current_dir(root()))
    };
    let text = metadata(&["--offline"]).or_else(|_| metadata(&[])).unwrap_or_else(|error| {
        panic!("cargo metadata failed; does Cargo.lock match the manifests?\n{error}")
    });
    parse(&text, &root().to_string_lossy())
}

/// Packages from the JSON text of `cargo metadata` for the workspace at `top`.
pub(crate) fn parse(metadata: &str, top: &str) -> Vec<Package> {
    let metadata: Value = serde_json::from_str(metadata).expect("cargo metadata prints JSON");
    let links: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| {
            let linked = list(&node["deps"])
                .iter()
                .filter(|edge| list(&edge["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()))
                .map(|edge| text(&edge["pkg"]))
                .collect();
            (text(&node["id"]), linked)
        })
        .collect();
    list(&metadata["packages"])
        .iter()
        .map(|package| {
            let id = text(&package["id"]);
            let manifest = text(&package["manifest_path"]);
            Package {
                name: text(&package["name"]),
                manifest: manifest.strip_prefix(&format!("{top}/")).unwrap_or(&manifest).to_owned(),
                license: package["license"].as_str().map(str::to_owned),
                source: package["source"].as_str().map(str::to_owned),
                dependencies: list(&package["dependencies"]).iter().map(|d| text(&d["name"])).collect(),
                links: links.get(&id).cloned().unwrap_or_default(),
                id,
            }
        })
        .collect()
}

/// Internal dependencies that point sideways or up.
pub(crate) fn layer_errors(packages: &[Package]) -> Vec<String> {
    let ours: BTreeSet<&str> = packages.iter().filter(|p| p.is_ours()).map(|p| p.name.as_str()).collect();
    let mut errors = Vec::new();
    for package in packages.iter().filter(|package| package.is_ours()) {
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == package.name) else {
            errors.push(format!(
                "{}: the crate `{}` has no layer. A new crate exists to forbid a dependency: say in LAYERS \
                 (tests/architecture/dependencies.rs) what it may see.",
                package.manifest, package.name
            ));
            continue;
        };
        let is_linked = |name: &str| packages.iter().any(|p| p.name == name && package.links.contains(&p.id));
        let may_see = |name: &str| match name {
            FOR_TESTS => !is_linked(name),
            _ => *allowed == EVERYTHING || allowed.contains(&name),
        };
        for name in package.dependencies.iter().filter(|name| ours.contains(name.as_str()) && !may_see(name))
        {
            errors.push(format!(
                "{}: `{}` may not see `{name}`. Move what is shared down into artoo-types, or pass it as input.",
                package.manifest, package.name
            ));
        }
    }
    errors
}

/// Ways by which a pure crate links a crate that touches the world, and the gate one that runs something.
pub(crate) fn worldly_links(packages: &[Package]) -> Vec<String> {
    let by_id: BTreeMap<&str, &Package> =
        packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let forbidden = |package: &Package| -> &[&str] {
        let is_pure = PURE.iter().any(|folder| package.folder() == format!("crates/{folder}"));
        match package.name.as_str() {
            "artoo-gate" => &RUNNING,
            _ if is_pure => &WORLDLY,
            _ => &[],
        }
    };
    let mut errors = Vec::new();
    for package in packages.iter().filter(|package| package.is_ours()) {
        let forbidden = forbidden(package);
        let mut ways = vec![(package, package.name.clone())];
        let mut seen = BTreeSet::from([package.id.as_str()]);
        while let Some((at, way)) = ways.pop() {
            for next in at.links.iter().filter_map(|id| by_id.get(id.as_str())) {
                let way = format!("{way} > {}", next.name);
                if forbidden.contains(&next.name.as_str()) {
                    errors.push(format!(
                        "{}: the crate `{}` may not link `{}` ({way}). Move what needs it into a shell.",
                        package.manifest, package.name, next.name
                    ));
                } else if !forbidden.is_empty() && seen.insert(&next.id) {
                    ways.push((next, way));
                }
            }
        }
    }
    errors
}

/// Packages other than the store that name RocksDB. A benchmark holds the store against a bare one.
pub(crate) fn rocksdb_errors(package: &Package) -> Vec<String> {
    let names_it = package.dependencies.iter().any(|name| name == "rocksdb" || name == "librocksdb-sys");
    if package.is_ours()
        && !["artoo-store", "artoo-benches-memory"].contains(&package.name.as_str())
        && names_it
    {
        vec![format!(
            "{}: only artoo-store may depend on RocksDB. Use what artoo-store offers.",
            package.manifest
        )]
    } else {
        Vec::new()
    }
}

/// Foreign packages with another licence, from another source, or banned.
pub(crate) fn policy_errors(package: &Package, policy: &Policy) -> Vec<String> {
    let mut errors = Vec::new();
    let name = &package.name;
    if !policy.allows_license(name, package.license.as_deref().unwrap_or_default()) {
        let license = package.license.as_deref().unwrap_or("no licence");
        errors.push(format!(
            "deny.toml: `{name}` comes under \"{license}\", which is not allowed. Do without it, or add an exception \
             with its reason."
        ));
    }
    if let Some(reason) = policy.ban(name) {
        errors.push(format!(
            "deny.toml: `{name}` is banned: {reason}. `cargo tree -i {name}` tells who brings it."
        ));
    }
    if let Some(source) = package.source.as_deref().filter(|source| !policy.allows_source(source)) {
        errors.push(format!("deny.toml: `{name}` comes from {source}. Only crates.io is allowed."));
    }
    errors
}

/// A manifest of ours, as text, that does not take part in the workspace's lints.
pub(crate) fn lint_errors(manifest: &str, content: &str) -> Vec<String> {
    let parsed: Result<toml::Table, _> = content.parse();
    let inherits = parsed
        .is_ok_and(|table| table.get("lints").is_some_and(|l| l.get("workspace") == Some(&true.into())));
    if inherits {
        Vec::new()
    } else {
        vec![format!(
            "{manifest}: add `[lints]` with `workspace = true`, so that the same lints hold everywhere."
        )]
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
