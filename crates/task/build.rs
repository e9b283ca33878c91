//! Names the build by what is folded: a hash over the sources of the pure crates that turn inputs into envelopes,
//! effects and prompts. It depends on no commit, no path and no clock, so that the same sources are the same build.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

/// The crates whose code takes part in a fold, as folders beside this one.
const FOLDED: [&str; 8] = ["redact", "types", "request", "relevance", "bus", "control", "roles", "task"];

fn main() -> Result<(), Box<dyn Error>> {
    let crates = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("..");
    let mut hasher = Sha256::new();
    for name in FOLDED {
        let source = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", source.display());
        for file in product_files(&source)? {
            let name = file.strip_prefix(&crates)?.to_string_lossy().into_owned();
            let content = fs::read_to_string(&file)?;
            let content = content.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            // Lengths before contents, so that no two sets of files read the same.
            hasher.update(format!("{} {name} {}\n", name.len(), content.len()));
            hasher.update(content);
        }
    }
    let digest: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=ARTOO_FOLD_HASH={digest}");
    Ok(())
}

/// Every file below `folder` in the order of its path; tests are left out, because they fold nothing.
fn product_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            files.extend(product_files(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
