//! JSON and CSV files that are too large to be read and computed here: programs of the machine work straight over them.

use serde_json::{Value, json};

use crate::measure::{Alternative, MeasureStep, Scope};
use crate::query::{QueryShape, Relation, TableQuery};
use crate::shell::{CSV_RECORD, quote};
use crate::slots::Statistic;

/// Lines of a file that is read whole: more than it can have, as it is read whole up to 32,768 characters.
const MOST_LINES: u64 = 40_000;

/// The arguments of a call that reads all of a file.
pub(super) fn whole(path: &str) -> Value {
    json!({"path": path, "limit": MOST_LINES})
}

/// The ways in their order: what computes from a text that was read, and a program, which comes first for a file that is known to
/// be large.
pub(super) fn ordered(
    scope: &Scope,
    path: &str,
    read: MeasureStep,
    program: MeasureStep,
) -> Vec<Alternative> {
    let mut ways = vec![Alternative::single(read), Alternative::single(program)];
    if scope.setting.large.iter().any(|large| large == path) {
        ways.reverse();
    }
    ways
}

/// A step of one command of `jq`.
pub(super) fn jq(scope: &Scope, intent: &str, path: &str, options: &str, filter: &str) -> MeasureStep {
    let command = format!("jq {options}{} {}", quote(filter), quote(path));
    scope.shell(intent, &command, &["jq"], &[path.to_owned()])
}

/// The values of a name in a file that holds one document a line, which is no JSON as a whole. What is not plainly that fails.
pub(super) fn of_lines(scope: &Scope, intent: &str, path: &str, key: &str) -> MeasureStep {
    let unfit = scope.say("the file is no list of documents, one a line", "文件不是每行一个文档");
    let missing = scope.say("no line has this name", "没有一行有这个名称");
    let command = format!(
        "awk -v key={} 'NF==0{{next}} !/^[ \\t]*[{{].*[}}][ \\t\\r]*$/{{print \"{unfit}\"; bad=3; exit 3}} \
         {{k=\"\\\"\" key \"\\\"\"; i=index($0,k); if(i==0)next; r=substr($0,i+length(k)); if(index(r,k) + (r !~ /^[ \\t]*:/))bad=4; \
         sub(/^[ \\t]*:[ \\t]*/,\"\",r); q=(substr(r,1,1)==\"\\\"\"); \
         if(q){{r=substr(r,2); v=substr(r,1,index(r,\"\\\"\")-1)}} else {{match(r,/^[^,}}]*/); v=substr(r,1,RLENGTH)}} \
         if((v ~ /\\\\$/) + (q==0 && v ~ /^[[{{]/))bad=4; if(bad){{print \"{unfit}\"; exit bad}} print v; n++}} \
         END{{if(bad)exit bad; if(n==0){{print \"{missing}\"; exit 5}}}}' {}",
        quote(&key.replace('\\', "\\\\")),
        quote(path),
    );
    scope.shell(intent, &command, &["awk"], &[path.to_owned()])
}

/// Whether a file is valid JSON: one document, and nothing behind it.
pub(super) fn validity(scope: &Scope, intent: &str, path: &str, name: &str) -> MeasureStep {
    let valid = scope.say(" is valid JSON", " 是有效的 JSON");
    let not_valid = scope.say(" is not valid JSON: ", " 不是有效的 JSON：");
    let many = scope.say("it holds more than one document", "文件里不止一个文档");
    let command = format!(
        "( jq -s length {} 2>&1 || test $? -le 5 ) | awk -v name={} 'NR-1{{next}} {{e=$0}} END{{if(e==\"1\")print name \"{valid}\"; else print name \"{not_valid}\" (e ~ /^[0-9]+$/ ? \"{many}\" : e)}}'",
        quote(path),
        quote(&name.replace('\\', "\\\\")),
    );
    scope.shell(intent, &command, &["jq", "test", "awk"], &[path.to_owned()])
}

/// A question about the rows of a JSON file, as one filter of `jq` whose result is the answer, line by line.
pub(super) fn filter(scope: &Scope, query: &TableQuery) -> String {
    let name = |text: &str| format!(".[{}]", json!(text));
    let column = name(&query.column);
    let only = query.filter.as_ref().map_or_else(String::new, |(field, wanted)| {
        let cell = format!("({} | if . == null then \"\" else tostring end)", name(field));
        let number =
            wanted.trim().parse::<f64>().map_or_else(|_| "null".to_owned(), |_| wanted.trim().to_owned());
        match query.relation {
            Relation::Is => {
                let wanted = Value::from(wanted.to_lowercase());
                format!(" | select(({cell} | ascii_downcase) == {wanted})")
            }
            Relation::More => {
                format!(" | select(({cell} | tonumber? // null) as $v | $v != null and $v > {number})")
            }
            Relation::Less => {
                format!(" | select(({cell} | tonumber? // null) as $v | $v != null and $v < {number})")
            }
            Relation::Between => {
                let (least, most) = Relation::ends(wanted).unwrap_or_default();
                format!(" | select(({cell} | tonumber? // null) as $v | $v != null and $v >= {least} and $v <= {most})")
            }
            Relation::Month => {
                let start = if wanted.len() > 2 { 0 } else { 5 };
                format!(" | select(({cell}[{start}:7] | gsub(\"/\"; \"-\")) == {})", json!(wanted))
            }
        }
    });
    let by = match query.period {
        0 => name(&query.by),
        length => format!("({} | if . == null then \"\" else tostring[:{length}] end)", name(&query.by)),
    };
    let rows = format!("[.[]{only}]");
    let text = "if type == \"string\" then . else tojson end";
    let none = json!(scope.say("there are no numbers under this name", "这个名称下没有数字"));
    let numbers = |of: &str| format!("[{of} | select(. != null) | tostring | tonumber? // empty]");
    match query.shape {
        QueryShape::Rows => format!("{rows}[] | tojson"),
        QueryShape::Head { count, last: false } => format!("{rows}[:{count}][] | tojson"),
        QueryShape::Head { count, last: true } => format!("{rows}[-{count}:][] | tojson"),
        QueryShape::Top { count, largest } => {
            let order = if largest { " | reverse" } else { "" };
            format!(
                "{rows} | map(select({column} | numbers? // false)) | sort_by({column}){order} | .[:{count}][] | tojson"
            )
        }
        QueryShape::Values if !query.also.is_empty() => side_by_side(query, &rows, text),
        QueryShape::Values => format!("{rows}[] | {column} | select(. != null) | {text}"),
        QueryShape::Count => format!(
            "{rows} | length | \"\\(.){}\"",
            scope.say("\\(if . == 1 then \" entry\" else \" entries\" end)", " 条")
        ),
        QueryShape::Distinct => format!(
            "reduce ({rows}[] | {column} | select(. != null) | {text}) as $v ([]; if index([$v]) then . else . + [$v] end) | \"\\(length) (\\(join(\", \")))\""
        ),
        QueryShape::Figure(statistic) => format!(
            "{} | if length == 0 then error({none}) else . end | \"\\({}) ({}: \\(length){})\"",
            numbers(&format!("{rows}[] | {column}")),
            figure(statistic),
            query.column.replace(['\\', '"'], ""),
            scope.say("\\(if length == 1 then \" value\" else \" values\" end)", " 个值"),
        ),
        QueryShape::Tally => grouped(&rows, &by, &column, "length"),
        QueryShape::Groups(statistic) => {
            let told =
                format!("({} | if length == 0 then \"-\" else {} end)", numbers(".[]"), figure(statistic));
            grouped(&rows, &by, &column, &told)
        }
    }
}

/// Several columns side by side, below their names.
fn side_by_side(query: &TableQuery, rows: &str, text: &str) -> String {
    let names: Vec<&String> = std::iter::once(&query.column).chain(&query.also).collect();
    let head = json!(names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("\t"));
    let cell = |name: &&String| format!("(.[{}] | if . == null then \"\" else ({text}) end)", json!(name));
    let cells: Vec<String> = names.iter().map(cell).collect();
    format!("{head}, ({rows}[] | [{}] | join(\"\\t\"))", cells.join(", "))
}

/// One line for each group, in the order of the rows; `told` is what is said of its values.
fn grouped(rows: &str, by: &str, column: &str, told: &str) -> String {
    let text = "if . == null then \"\" elif type == \"string\" then . else tojson end";
    format!(
        "reduce {rows}[] as $r ({{k: [], v: {{}}}}; ($r | {by} | {text}) as $g | if .v | has($g) then . else .k += [$g] end | .v[$g] += [$r | {column}]) | . as $s | .k[] | \"\\(.)\\t\\($s.v[.] | {told})\""
    )
}

/// A figure of a list of numbers, rounded to nine places.
fn figure(statistic: Statistic) -> String {
    let raw = match statistic {
        Statistic::Sum => "add",
        Statistic::Average => "add / length",
        Statistic::Minimum => "min",
        Statistic::Maximum => "max",
        Statistic::Median => {
            "sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end"
        }
    };
    format!("({raw} | . * 1000000000 | round / 1000000000)")
}

/// A CSV file as a JSON file, record by record: checked first, then written. No program of `awk` here holds `|`, `>` or calls, see
/// [`crate::shell`].
pub(super) fn csv_to_json(scope: &Scope, intent: &str, path: &str, target: &str) -> MeasureStep {
    let unequal = scope.say("a row has another number of fields than the header", "有一行的字段数与表头不同");
    let twice = scope.say("two columns have the same name", "有两列同名");
    let (wrote, records) = (scope.say("Wrote ", "已把 "), scope.say(" records to ", " 条记录写入 "));
    // The values stay as they are written.
    let record = CSV_RECORD.replace("if(sep==\";\")for", "if(0)for");
    let text = "function text(t, i,o){o=\"\"; while(i=index(t,\"\\\\\")){o=o substr(t,1,i) \"\\\\\"; t=substr(t,i+1)} t=o t; \
                gsub(/\"/,\"\\\\\\\"\",t); gsub(/\\n/,\"\\\\n\",t); gsub(/\\r/,\"\\\\r\",t); gsub(/\\t/,\"\\\\t\",t); gsub(/[\\001-\\037]/,\"\",t); return \"\\\"\" t \"\\\"\"}";
    let check = format!(
        "{record} rec==1{{c=n; for(j=1;j<=n;j++)if(s[F[j]]++){{print \"{twice}\"; exit 4}} next}} n-c{{print \"{unequal}\"; exit 5}}"
    );
    let write = format!(
        "{text} {record} rec==1{{c=n; for(j=1;j<=n;j++)H[j]=text(F[j]); print \"[\"; next}} \
         {{s=\"\"; for(j=1;j<=n;j++)s=s (j-1 ? \", \" : \"\") H[j] \": \" text(F[j]); if(rec-2)print held \",\"; held=\"  {{\" s \"}}\"}} \
         END{{if(held!=\"\")print held; print \"]\"}}"
    );
    let (from, to) = (quote(path), quote(target));
    let folder = quote(target.rsplit_once('/').map_or("/", |(folder, _)| folder));
    let name = quote(&target.replace('\\', "\\\\"));
    let command = format!(
        "mkdir -p {folder} && awk '{check}' {from} && awk '{write}' {from} > {to} && awk -v t={name} 'END{{print \"{wrote}\" NR-2 \"{records}\" t}}' {to}"
    );
    let mut step = scope.shell(intent, &command, &["mkdir", "awk"], &[path.to_owned(), target.to_owned()]);
    step.words = format!("{} {} {target}", step.words, scope.say("Into the new file", "写入新文件"));
    step
}
