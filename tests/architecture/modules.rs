//! The modules of one crate: which file each name of a path leads to, through `use` and re-exports.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Source, closing, words};

/// The names that lead from the crate's root to a module, or to an item in it.
pub(crate) type Path = Vec<String>;

/// A file of product code.
pub(crate) struct Module {
    /// Path from the top of the repository.
    pub(crate) file: String,
    /// Its code without tests.
    pub(crate) code: String,
    items: BTreeSet<String>,
    /// What a name in scope stands for, by the path from the crate's root.
    imports: BTreeMap<String, Path>,
    /// Modules whose names are all in scope.
    globs: Vec<Path>,
}

/// One crate. Modules that only tests see are left out.
pub(crate) struct Crate {
    /// Its folder, from the top of the repository.
    pub(crate) folder: String,
    pub(crate) modules: BTreeMap<Path, Module>,
}

/// The crates with a `src` folder that holds product code.
pub(crate) fn crates(sources: &[Source]) -> Vec<Crate> {
    let mut by_folder: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        if let Some((folder, _)) = source.path.split_once("/src/") {
            by_folder.entry(folder).or_default().push(source);
        }
    }
    by_folder.into_iter().map(|(folder, sources)| Crate::new(folder, &sources)).collect()
}

impl Crate {
    /// The crate in a folder with these files.
    pub(crate) fn new(folder: &str, sources: &[&Source]) -> Self {
        let has_library = sources.iter().any(|source| source.path.ends_with("/src/lib.rs"));
        let mut files: BTreeMap<Path, (&str, String)> = BTreeMap::new();
        let mut hidden: Vec<Path> = Vec::new();
        for source in sources {
            // The program beside a library sees it from outside.
            if has_library && source.path.ends_with("/src/main.rs") {
                continue;
            }
            let Some(path) = module_path(&source.path) else { continue };
            let test_modules = test_modules(&source.code).into_iter();
            hidden.extend(test_modules.map(|name| [path.clone(), vec![name]].concat()));
            files.insert(path, (&source.path, source.product_code()));
        }
        files.retain(|path, _| !hidden.iter().any(|hidden| path.starts_with(hidden)));
        let paths: BTreeSet<Path> = files.keys().cloned().collect();
        let modules = files.into_iter().map(|(path, (file, code))| {
            let (imports, globs) = imports(&path, &code, &paths);
            let module = Module { file: file.to_owned(), items: items(&code), code, imports, globs };
            (path, module)
        });
        Self { folder: folder.to_owned(), modules: modules.collect() }
    }

    /// The module and the name in it that a path in the code of the module `at` stands for. None for what lies in
    /// another crate, and for what is no path.
    pub(crate) fn resolve(&self, at: &Path, path: &[&str]) -> Option<(Path, String)> {
        let (first, rest) = path.split_first()?;
        let module = self.modules.get(at)?;
        let start = match absolute(at, path) {
            Some(absolute) => absolute,
            None if self.modules.contains_key(&child(at, first)) || module.items.contains(*first) => {
                [at.clone(), path.iter().map(|name| (*name).to_owned()).collect()].concat()
            }
            None => {
                let rest = rest.iter().map(|name| (*name).to_owned()).collect();
                match module.imports.get(*first) {
                    Some(import) => [import.clone(), rest].concat(),
                    None => return self.through_globs(module, first, DEPTH),
                }
            }
        };
        self.follow(&start, DEPTH)
    }

    /// The module in which the item at this path is defined.
    fn follow(&self, path: &Path, depth: u32) -> Option<(Path, String)> {
        let length = (0..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length]))?;
        let (at, names) = (path[..length].to_vec(), &path[length..]);
        let Some(name) = names.first() else { return Some((at, String::new())) };
        let module = &self.modules[&at];
        if depth == 0 || module.items.contains(name) {
            return Some((at, name.clone()));
        }
        match module.imports.get(name) {
            Some(import) => self.follow(&[import.clone(), names[1..].to_vec()].concat(), depth - 1),
            None => self.through_globs(module, name, depth).or(Some((at, name.clone()))),
        }
    }

    fn through_globs(&self, module: &Module, name: &str, depth: u32) -> Option<(Path, String)> {
        module.globs.iter().find_map(|glob| {
            let (at, found) = self.follow(&child(glob, name), depth.checked_sub(1)?)?;
            self.modules[&at].items.contains(&found).then_some((at, found))
        })
    }

    /// The modules that the code of each module names.
    pub(crate) fn uses(&self) -> BTreeMap<&Path, BTreeSet<Path>> {
        let of = |(at, module): (&_, &Module)| {
            let imported = module.imports.values().chain(&module.globs).cloned().collect::<Vec<Path>>();
            let imported = imported.iter().filter_map(|path| self.follow(path, DEPTH));
            let named = paths(&module.code);
            let named = named.iter().filter_map(|path| self.resolve(at, path));
            let modules = imported.chain(named).map(|(path, _)| path);
            modules.filter(|path| path != at).collect::<BTreeSet<Path>>()
        };
        self.modules.iter().map(|(path, module)| (path, of((path, module)))).collect()
    }
}

/// Re-exports that are followed one behind another. More would be a circle.
const DEPTH: u32 = 8;

/// `a`, `b` for `crates/x/src/a/b.rs`.
fn module_path(file: &str) -> Option<Path> {
    let (_, below) = file.split_once("/src/")?;
    let mut path: Path = below.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|last| last == "mod") || ["lib.rs", "main.rs"].contains(&below) {
        path.pop();
    }
    Some(path)
}

fn child(path: &[String], name: &str) -> Path {
    [path, &[name.to_owned()]].concat()
}

/// A path that begins with `crate`, `self` or `super`, from the root of the crate.
fn absolute(at: &[String], path: &[&str]) -> Option<Path> {
    let ups = path.iter().take_while(|name| **name == "super").count();
    let (base, rest) = match *path.first()? {
        "crate" => (&at[..0], &path[1..]),
        "self" => (at, &path[1..]),
        "super" => (&at[..at.len().saturating_sub(ups)], &path[ups..]),
        _ => return None,
    };
    // `self::super::a` and the like.
    if rest.first().is_some_and(|name| *name == "super") {
        return absolute(base, rest);
    }
    Some(base.iter().cloned().chain(rest.iter().map(|name| (*name).to_owned())).collect())
}

/// What the `use` declarations of a module bring into scope: names, and modules with all their names.
fn imports(at: &Path, code: &str, modules: &BTreeSet<Path>) -> (BTreeMap<String, Path>, Vec<Path>) {
    let (mut names, mut globs) = (BTreeMap::new(), Vec::new());
    for start in words(code, "use") {
        let Some(end) = code[start..].find(';') else { continue };
        let tree: String = code[start + 3..start + end].split_whitespace().collect::<Vec<_>>().join(" ");
        for leaf in leaves(&tree) {
            let (path, alias) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
            let mut path: Vec<&str> = path.split("::").map(str::trim).collect();
            // `use a::{self}` is `use a`.
            if path.len() > 1 && path.last() == Some(&"self") {
                path.pop();
            }
            let full = absolute(at, &path).or_else(|| {
                let local = modules.contains(&child(at, path[0]));
                local.then(|| at.iter().cloned().chain(path.iter().map(|name| (*name).to_owned())).collect())
            });
            match (full, path.last()) {
                (Some(mut full), Some(&"*")) => {
                    full.pop();
                    globs.push(full);
                }
                (Some(full), Some(last)) => {
                    let name = if alias.is_empty() { last } else { alias };
                    names.insert(name.to_owned(), full);
                }
                _ => {}
            }
        }
    }
    (names, globs)
}

/// `a::b` and `a::c` for `a::{b, c}`.
fn leaves(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else { return vec![tree.trim().to_owned()] };
    let (prefix, end) = (tree[..open].trim(), closing(tree, open));
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for c in tree[open + 1..end - 1].chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 => parts.push(String::new()),
            (_, Some(part)) => part.push(c),
            _ => {}
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| leaves(part.trim())).map(|leaf| format!("{prefix}{leaf}")).collect()
}

/// Paths of two names or more.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("::") {
        let start = rest[..at].rfind(|c: char| !is_name(c)).map_or(0, |before| before + 1);
        let mut end = at;
        while rest[end..].starts_with("::") && rest[end + 2..].starts_with(is_name) {
            let name = &rest[end + 2..];
            end += 2 + name.find(|c: char| !is_name(c)).unwrap_or(name.len());
        }
        if start < at && end > at {
            found.push(rest[start..end].split("::").collect());
        }
        rest = &rest[end.max(at + 2)..];
    }
    found
}

/// Names that a module defines.
fn items(code: &str) -> BTreeSet<String> {
    let keywords = ["fn", "struct", "enum", "trait", "type", "union", "const", "static", "macro_rules!"];
    let of = |keyword: &'static str| {
        words(code, keyword).filter_map(move |at| name(code[at + keyword.len()..].trim_start()))
    };
    keywords.into_iter().flat_map(of).collect()
}

/// Modules that a file declares for its tests alone.
fn test_modules(code: &str) -> Vec<String> {
    words(code, "mod")
        .filter(|at| is_for_tests(code, *at))
        .filter_map(|at| name(code[at + 3..].trim_start()))
        .collect()
}

/// True if one of the attributes before the item at `at` is a `cfg` that names `test`.
fn is_for_tests(code: &str, at: usize) -> bool {
    let before = code[..at].rfind([';', '}']).map_or(0, |end| end + 1);
    code[before..at].split("#[cfg").skip(1).any(|cfg| words(cfg, "test").next().is_some())
}

/// The name at the start of a text.
fn name(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}
