//! Questions about the rows of a table: of a CSV file by a program of `awk`, of a JSON file from what was read.

use artoo_types::tool::names::READ_FILE;
use serde_json::json;

use super::large::{self, whole};
use crate::clause::Clause;
use crate::measure::{Alternative, Scope};
use crate::query::{QueryShape, Relation, TableQuery};
use crate::shell::{CSV_RECORD, list_end, quote};
use crate::slots::Statistic;

/// What is asked, in words.
pub(super) fn words(scope: &Scope, clause: &Clause) -> String {
    let Some(query) = &clause.slots.query else { return String::new() };
    let of = |statistic| match statistic {
        Statistic::Average => scope.say("average", "平均值"),
        Statistic::Sum => scope.say("sum", "总和"),
        Statistic::Minimum => scope.say("minimum", "最小值"),
        Statistic::Maximum => scope.say("maximum", "最大值"),
        Statistic::Median => scope.say("median", "中位数"),
    };
    let what = match query.shape {
        QueryShape::Top { count: WHOLE_ORDER, largest } => {
            let order = if largest {
                scope.say("sorted, largest first:", "从大到小排序：")
            } else {
                scope.say("sorted, smallest first:", "从小到大排序：")
            };
            order.to_owned()
        }
        QueryShape::Figure(statistic) | QueryShape::Groups(statistic) => of(statistic).to_owned(),
        QueryShape::Top { count, largest: true } => format!("{} {count}", scope.say("top", "最大的")),
        QueryShape::Top { count, largest: false } => format!("{} {count}", scope.say("lowest", "最小的")),
        QueryShape::Head { count, last: false } => format!("{} {count}", scope.say("first", "最前")),
        QueryShape::Head { count, last: true } => format!("{} {count}", scope.say("last", "最后")),
        QueryShape::Rows => scope.say("rows", "行").to_owned(),
        QueryShape::Count | QueryShape::Tally => scope.say("how many", "多少").to_owned(),
        QueryShape::Distinct => scope.say("different values", "不同的值").to_owned(),
        QueryShape::Values => scope.say("values", "值").to_owned(),
    };
    let column = if query.column.is_empty() { String::new() } else { format!(" {}", query.column) };
    let period = match query.period {
        0 => "",
        4 => scope.say(" (year)", "（年）"),
        _ => scope.say(" (month)", "（月）"),
    };
    let by = if query.by.is_empty() { String::new() } else { format!(" / {}{period}", query.by) };
    let column = query.also.iter().fold(column, |all, name| format!("{all}, {name}"));
    let sign = sign(query.relation);
    let filter = query.filter.as_ref().map(|(name, value)| format!(", {name} {sign} {value}"));
    format!("{what}{column}{by}{}", filter.unwrap_or_default())
}

/// What of a program passes over a row whose value `v` does not fit the value of the condition, `is`.
fn unfit(relation: Relation, value: &str) -> String {
    // No `>` stands in a program: a reader of the command would take it for a redirection.
    let number = "v !~ /^ *[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)? *$/";
    match relation {
        Relation::Is => "if(tolower(v)!=tolower(is))next".to_owned(),
        Relation::More => format!("if({number})next; if(v+0<=is+0)next"),
        Relation::Less => format!("if({number})next; if(is+0<=v+0)next"),
        Relation::Between => {
            let (least, most) = Relation::ends(value).unwrap_or_default();
            format!("if({number})next; if(v+0<{least})next; if({most}<v+0)next")
        }
        Relation::Month if value.len() > 2 => {
            "m=substr(v,1,7); gsub(\"/\",\"-\",m); if(m!=is)next".to_owned()
        }
        Relation::Month => "if(substr(v,6,2)!=is)next".to_owned(),
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Is => "=",
        Relation::More => ">",
        Relation::Less => "<",
        Relation::Between | Relation::Month => "=",
    }
}

/// The ways to answer a question about a table.
pub(super) fn query(scope: &Scope, clause: &Clause, intent: &str, path: &str) -> Vec<Alternative> {
    let Some(query) = &clause.slots.query else { return Vec::new() };
    let is_json = clause.slots.file.as_ref().is_some_and(|file| match file {
        crate::places::NamedPlace::Path(path) => path.to_lowercase().ends_with(".json"),
        crate::places::NamedPlace::Here | crate::places::NamedPlace::Home(..) => false,
    });
    if is_json {
        let then = json!({"compute": "table_query", "query": query});
        let step = scope.compute(intent, READ_FILE, &whole(path), &[path.to_owned()], then);
        let program = large::jq(scope, intent, path, "-r ", &large::filter(scope, query));
        return large::ordered(scope, path, step, program);
    }
    let command = command(scope, query, &quote(path));
    let sorts = matches!(query.shape, QueryShape::Top { .. } | QueryShape::Figure(Statistic::Median));
    let programs: &[&str] = if sorts { &["awk", "sort"] } else { &["awk"] };
    scope.on_file(intent, path, &command, programs)
}

/// A program that answers from a CSV file. Its texts hold no `|`, `>` or calls, see [`crate::shell`].
fn command(scope: &Scope, query: &TableQuery, quoted: &str) -> String {
    let word = |text: &str| quote(&text.replace('\\', "\\\\"));
    let (name, value) = query.filter.clone().unwrap_or_default();
    let unfit = unfit(query.relation, &value);
    let group = match query.period {
        0 => "F[b]".to_owned(),
        length => format!("substr(F[b],1,{length})"),
    };
    let sign = sign(query.relation);
    let head = format!(
        "awk -v want={} -v by={} -v only={} -v is={} '{CSV_RECORD} \
         rec==1{{gsub(/\\n/,\" \",line); top=line; for(j=1;j<=n;j++){{if(F[j]==want)c=j; if(F[j]==by)b=j; if(F[j]==only)w=j}} \
         if((want!=\"\" && c==0)+(by!=\"\" && b==0)+(only!=\"\" && w==0)){{bad=2; exit 2}} next}} \
         w{{v=\"\"; if(w<=n)v=F[w]; sub(/^ +/,\"\",v); sub(/ +$/,\"\",v); {unfit}}} \
         {{v=\"\"; if(c && c<=n)v=F[c]; g=\"\"; if(b && b<=n)g={group}; num=(v ~ /^ *[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)? *$/)}} ",
        word(&query.column),
        word(&query.by),
        word(&name),
        word(&value),
    );
    let tally = "{if(!(g in k)){o[++m]=g; k[g]=0} if(num){x=v+0; s[g]+=x; k[g]++; if(k[g]==1){lo[g]=x; hi[g]=x} if(x<lo[g])lo[g]=x; if(hi[g]<x)hi[g]=x} else odd++}";
    let list = list_end(scope, scope.say("no such rows", "没有这样的行"));
    match query.shape {
        QueryShape::Figure(Statistic::Median) => format!(
            "{head}num{{printf \"%.12g\\n\",v}} END{{if(bad)exit bad}}' {quoted} | sort -n | awk -v name={} '{{a[NR]=$1}} END{{if(NR==0){{print \"{}\"; exit 3}} h=int((NR+1)/2); m=a[h]; if(NR%2==0)m=(a[h]+a[h+1])/2; printf \"%.12g (%s: %d %s)\\n\",m,name,NR,{}}}'",
            word(&query.column),
            scope.say("there are no numbers", "没有数字"),
            scope.noun("NR", ["value", "values"], "个值"),
        ),
        QueryShape::Tally => format!(
            "{head}{{if(!(g in k))o[++m]=g; k[g]++}} END{{if(bad)exit bad; for(i=1;i<=m;i++)printf \"%s\\t%d\\n\",o[i],k[o[i]]}}' {quoted}"
        ),
        QueryShape::Figure(statistic) => format!(
            "{head}{tally} END{{if(bad)exit bad; if(k[\"\"]==0){{print \"{}\"; exit 3}} x=k[\"\"]; printf \"%.12g (%s: %d %s\",{},want,x,{}; y=odd; if(y)printf \", %d %s\",y,{}; print \")\"}}' {quoted}",
            scope.say("there are no numbers", "没有数字"),
            fold(statistic, "\"\""),
            scope.noun("x", ["value", "values"], "个值"),
            scope.noun("y", ["cell that is not a number", "cells that are not numbers"], "个非数字单元格"),
        ),
        QueryShape::Groups(statistic) => format!(
            "{head}{tally} END{{if(bad)exit bad; for(i=1;i<=m;i++){{g=o[i]; if(k[g])printf \"%s\\t%.12g\\n\",g,{}; else printf \"%s\\t-\\n\",g}}}}' {quoted}",
            fold(statistic, "g")
        ),
        QueryShape::Top { count, largest } => format!(
            "{head}num{{gsub(/\\n/,\" \",line); printf \"%.12g\\t%s\\n\",v,line}} END{{if(bad)exit bad}}' {quoted} | sort -s -k1,1{} | awk 'NR<={count}{{sub(/^[^\\t]*\\t/,\"\"); print}} END{{if(NR==0)print \"{}\"}}'",
            if largest { "nr" } else { "n" },
            scope.say("there are no numbers", "没有数字"),
        ),
        QueryShape::Rows => format!(
            "{head}{{if(t==0)print top; t++; gsub(/\\n/,\" \",line); print line}} END{{if(bad)exit bad}}' {quoted} | {list}"
        ),
        QueryShape::Head { count, last: false } => format!(
            "{head}{{if(t==0)print top; t++; gsub(/\\n/,\" \",line); if(t<={count})print line}} END{{if(bad)exit bad}}' {quoted} | {list}"
        ),
        QueryShape::Head { count, last: true } => format!(
            "{head}{{t++; gsub(/\\n/,\" \",line); r[t%{count}]=line}} END{{if(bad)exit bad; if(t)print top; for(i=t-{count}+1;i<=t;i++)if(0<i)print r[i%{count}]}}' {quoted} | {list}"
        ),
        QueryShape::Values if !query.also.is_empty() => columns(&query.also, quoted, &head, &list),
        QueryShape::Values => format!("{head}{{print v}} END{{if(bad)exit bad}}' {quoted} | {list}"),
        QueryShape::Count => format!(
            "{head}{{t++}} END{{if(bad)exit bad; print t+0 {} only \" {sign} \" is}}' {quoted}",
            scope.noun("t", [" row with ", " rows with "], " 行：")
        ),
        QueryShape::Distinct => format!(
            "{head}{{if(!(v in d)){{d[v]=1; o[++m]=v}}}} END{{if(bad)exit bad; printf \"%d (\",m; for(i=1;i<=m;i++)printf \"%s%s\",(i==1?\"\":\", \"),o[i]; print \")\"}}' {quoted}"
        ),
    }
}

/// The first columns of an order that is asked for as a whole: see [`crate::semantic`].
pub(crate) const WHOLE_ORDER: u64 = 1_000;

/// Several columns side by side, with their names.
fn columns(also: &[String], quoted: &str, head: &str, list: &str) -> String {
    let word = |text: &str| quote(&text.replace('\\', "\\\\"));
    let given: String =
        also.iter().enumerate().map(|(at, name)| format!(" -v m{at}={}", word(name))).collect();
    let found: String = (0..also.len()).map(|at| format!("if(F[j]==m{at})e{at}=j; ")).collect();
    let lacking: String = (0..also.len()).map(|at| format!("(e{at}==0)+")).collect();
    let names: String = (0..also.len()).map(|at| format!(" \"\\t\" m{at}")).collect();
    let cells: String = (0..also.len()).map(|at| format!(" \"\\t\" F[e{at}]")).collect();
    let head = head.replacen("awk ", &format!("awk{given} "), 1);
    let head = head.replacen("if(F[j]==want)c=j;", &format!("if(F[j]==want)c=j; {found}"), 1);
    let head = head.replacen("if((want!=", &format!("if({lacking}(want!="), 1);
    format!(
        "{head}{{if(t==0)print want{names}; t++; print v{cells}}} END{{if(bad)exit bad}}' {quoted} | {list}",
    )
}

fn fold(statistic: Statistic, group: &str) -> String {
    match statistic {
        Statistic::Average => format!("s[{group}]/k[{group}]"),
        Statistic::Sum => format!("s[{group}]"),
        Statistic::Minimum => format!("lo[{group}]"),
        // A median needs all values in order: no group has one.
        Statistic::Median => "\"-\"".to_owned(),
        Statistic::Maximum => format!("hi[{group}]"),
    }
}
