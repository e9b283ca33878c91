//! Names by which a command picks the files that it reads: `find -name`, `grep --include`, `rg -g`, pathspecs of git.

use crate::arg::Arg;
use crate::programs::row::Call;
use crate::rules::find;
use crate::walk::Walk;

/// Tests of `find` that pick by names.
const OF_FIND: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"];
/// Options of these programs that pick by names, with their value behind `=` or in the next word.
const BY_OPTION: &[(&[&str], &[&str])] = &[
    (&["grep", "egrep", "fgrep", "zgrep"], &["--include"]),
    (&["rg"], &["-g", "--glob", "--iglob"]),
    (&["ag"], &["-G", "--file-search-regex"]),
];

/// Notes the names by which this program picks what it reads.
pub(crate) fn note(walk: &mut Walk<'_>, call: Call<'_>) {
    let words: Vec<Option<String>> = call.args.iter().map(Arg::fixed).collect();
    let history = &mut walk.found.history;
    match call.name {
        "find" => history.sought.extend(of_find(&words)),
        "git" => history.sought_in_history.extend(of_git(&words)),
        name => history.sought.extend(of_options(name, &words)),
    }
}

/// Those that are neither denied nor left out before anything else.
fn of_find(words: &[Option<String>]) -> Vec<String> {
    let start =
        words.iter().position(|word| word.as_deref().is_some_and(|word| word.starts_with(['-', '(', '!'])));
    let words = &words[start.unwrap_or(words.len())..];
    let pruned = find::pruned_names(words);
    let word = |at: usize| words.get(at).and_then(Option::as_deref).unwrap_or_default();
    let is_denied = |at: usize| at > 0 && matches!(word(at - 1), "!" | "-not");
    let tests = (0..words.len()).filter(|at| OF_FIND.contains(&word(*at)) && !is_denied(*at));
    tests.map(|at| word(at + 1).to_owned()).filter(|name| !pruned.contains(name)).collect()
}

/// What stands behind `--`, and words with a pattern in them; `:!` leaves out.
fn of_git(words: &[Option<String>]) -> Vec<String> {
    let ends = words.iter().position(|word| word.as_deref() == Some("--")).unwrap_or(words.len());
    let picks = |(at, word): (usize, &Option<String>)| {
        let word = word.as_ref()?;
        let is_pathspec = at > ends || word.contains(['*', '?', '[']) && !word.starts_with('-');
        (is_pathspec && !word.starts_with(":!") && !word.starts_with(":(exclude")).then(|| word.clone())
    };
    words.iter().enumerate().filter_map(picks).collect()
}

fn of_options(name: &str, words: &[Option<String>]) -> Vec<String> {
    let Some((_, options)) = BY_OPTION.iter().find(|(names, _)| names.contains(&name)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut follows = false;
    for word in words.iter().map(|word| word.as_deref().unwrap_or_default()) {
        if follows {
            found.push(word.to_owned());
        }
        follows = options.contains(&word);
        let attached = options.iter().filter_map(|option| {
            let rest = word.strip_prefix(option)?;
            if option.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) }
        });
        found.extend(attached.filter(|value| !value.is_empty()).map(str::to_owned));
    }
    found.retain(|value| !value.starts_with('!'));
    found
}
