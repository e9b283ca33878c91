//! Measurements of the lines of one file, and of what an archive or a JSON file is.

use artoo_types::evidence::NO_MATCH;
use artoo_types::tool::names::READ_FILE;
use serde_json::json;

use super::large::{self, whole};
use crate::clause::Clause;
use crate::measure::{Alternative, Scope};
use crate::shell::{first_lines, hits, list_end, quote};

/// Addresses that are shown unless the request says how many.
const DEFAULT_ADDRESSES: u64 = 5;

/// Whether a file is valid JSON.
pub(super) fn json_valid(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let then = json!({"compute": "json_valid", "name": name});
    let step = scope.compute(intent, READ_FILE, &whole(path), &[path.to_owned()], then);
    large::ordered(scope, path, step, large::validity(scope, intent, path, name))
}

/// The names in an archive.
pub(super) fn archive(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let named = match &clause.slots.file {
        Some(crate::places::NamedPlace::Path(path)) => path.to_lowercase(),
        Some(crate::places::NamedPlace::Here | crate::places::NamedPlace::Home(..)) | None => String::new(),
    };
    let end = list_end(scope, NO_MATCH);
    if named.ends_with(".zip") {
        let command = format!("unzip -l {} | {end}", quote(path));
        return scope.on_file(intent, path, &command, &["unzip", "awk"]);
    }
    let command = format!("tar -tf {} | {end}", quote(path));
    scope.on_file(intent, path, &command, &["tar", "awk"])
}

/// How many lines hold a text; in other capitals too, where it stands in no line as it is written.
pub(super) fn count_matches(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!(
        "awk -v needle={} 'index($0,needle){{n++; next}} index(tolower($0),tolower(needle)){{m++}} {}' {}",
        needle(clause),
        counted(scope, [" line", " lines"], " 行"),
        quote(path)
    );
    scope.on_file(intent, path, &command, &["awk"])
}

/// How many lines each level of a log has, the most first: the first level that a line names is its own.
pub(super) fn levels(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let nothing = scope.say("no line names a level", "没有一行写有级别");
    let command = format!(
        "awk 'BEGIN{{m=split(\"TRACE DEBUG INFO NOTICE WARN WARNING ERROR SEVERE CRITICAL FATAL\",name,\" \"); for(i=1;i<=m;i++)level[name[i]]=1}} \
         {{k=split($0,w,/[^A-Za-z]+/); for(i=1;i<=k;i++){{u=toupper(w[i]); if((u in level) && ((w[i]==u)+(i<4))){{if(u==\"WARNING\")u=\"WARN\"; n[u]++; next}}}}}} \
         END{{for(u in n)print n[u] \"\\t\" u}}' {} | sort -rn | {}",
        quote(path),
        list_end(scope, nothing)
    );
    scope.on_file(intent, path, &command, &["awk", "sort"])
}

/// The lines that stand more than once in a file, and how often, the most frequent first.
pub(super) fn repeated(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let nothing = scope.say("no line stands there twice", "没有重复的行");
    let command = format!(
        "awk 'NF{{if(!($0 in c))o[++m]=$0; c[$0]++}} END{{for(i=1;i<=m;i++)if(c[o[i]]-1)print c[o[i]] \"\\t\" o[i]}}' {} | sort -s -k1,1nr | {}",
        quote(path),
        list_end(scope, nothing)
    );
    scope.on_file(intent, path, &command, &["awk", "sort"])
}

/// How often a text stands in a file.
pub(super) fn occurrences(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!(
        "awk -v needle={} 'function times(t,x, k,p){{k=0; while(p=index(t,x)){{k++; t=substr(t,p+length(x))}} return k}} {{a=times($0,needle); n+=a; m+=times(tolower($0),tolower(needle))-a}} {}' {}",
        needle(clause),
        counted(scope, [" time", " times"], " 次"),
        quote(path)
    );
    scope.on_file(intent, path, &command, &["awk"])
}

/// The end of a program that has counted `n` exact finds and `m` in other capitals.
fn counted(scope: &Scope, english: [&str; 2], chinese: &str) -> String {
    let (exact, other) = (scope.noun("n", english, chinese), scope.noun("m", english, chinese));
    let loosely = scope.say(", in other capitals", "（大小写不同）");
    let (before, more) = (scope.say(", and ", "，另有 "), scope.say(" in other capitals", " 个大小写不同"));
    format!(
        "END{{if(n)print n {exact} (m ? \"{before}\" m \"{more}\" : \"\"); else print m+0 {other} (m ? \"{loosely}\" : \"\")}}"
    )
}

/// The lines that hold a text, with their numbers.
pub(super) fn match_lines(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let text = clause.slots.text.as_deref().unwrap_or_default();
    let command = format!(
        "awk -v needle={} 'index(tolower($0),tolower(needle)){{print FNR \":\" $0}}' {} | {}",
        needle(clause),
        quote(path),
        hits(scope, text, "[0-9]+:")
    );
    scope.on_file(intent, path, &command, &["awk"])
}

/// Internet addresses, most frequent first.
pub(super) fn addresses(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let count = clause.slots.count.unwrap_or(DEFAULT_ADDRESSES);
    let command = format!(
        "awk '{{r=$0; while(match(r,/[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+/)){{a=substr(r,RSTART,RLENGTH); c[a]++; r=substr(r,RSTART+RLENGTH)}}}} END{{for(a in c)print c[a] \"\\t\" a}}' {} | sort -k1,1nr -k2 | {}",
        quote(path),
        first_lines(scope, count, NO_MATCH)
    );
    scope.on_file(intent, path, &command, &["awk", "sort"])
}

/// Who last changed each line.
pub(super) fn blame(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let end = list_end(scope, NO_MATCH);
    let command = format!("git blame --date=short -- {} | {end}", quote(path));
    scope.on_file(intent, path, &command, &["git", "awk"])
}

/// Mail addresses, each once, in the order of the file.
pub(super) fn mail_addresses(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    matches_of(scope, intent, path, "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+[.][A-Za-z][A-Za-z]+")
}

/// Web addresses, each once, in the order of the file.
pub(super) fn web_addresses(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    matches_of(scope, intent, path, "https?://[A-Za-z0-9._~:/?#@!$*+,=%-]+")
}

fn matches_of(scope: &Scope, intent: &str, path: &str, regex: &str) -> Vec<Alternative> {
    let command = format!(
        "awk '{{r=$0; while(match(r,\"{regex}\")){{a=substr(r,RSTART,RLENGTH); if(!(a in c)){{c[a]=1; print a}} r=substr(r,RSTART+RLENGTH)}}}}' {} | {}",
        quote(path),
        list_end(scope, NO_MATCH)
    );
    scope.on_file(intent, path, &command, &["awk"])
}

/// The lines in order.
pub(super) fn sorted(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!("sort -- {} | {}", quote(path), list_end(scope, NO_MATCH));
    scope.on_file(intent, path, &command, &["sort", "awk"])
}

/// The lines in order, each once.
pub(super) fn sorted_once(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let command = format!("sort -u -- {} | {}", quote(path), list_end(scope, NO_MATCH));
    scope.on_file(intent, path, &command, &["sort", "awk"])
}

/// The lines as they stand, each once.
pub(super) fn once(scope: &Scope, _: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let end = list_end(scope, NO_MATCH);
    let command = format!("awk '!($0 in d){{d[$0]=1; print}}' {} | {end}", quote(path));
    scope.on_file(intent, path, &command, &["awk"])
}

fn needle(clause: &Clause) -> String {
    quote(&clause.slots.text.as_deref().unwrap_or_default().replace('\\', "\\\\"))
}
