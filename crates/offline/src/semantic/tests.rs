use artoo_types::situation::{AskedPath, PathKind, Situation};

use super::{TableReading, read};
use crate::query::{QueryShape, Relation, TableQuery};
use crate::setting::Setting;
use crate::slots::Statistic;

fn reading(text: &str) -> Option<TableReading> {
    let asked = |name: &str, head: &str| AskedPath {
        unread: None,
        path: format!("/w/{name}"),
        kind: PathKind::File,
        head: head.to_owned(),
        is_whole: true,
        near: Vec::new(),
        others: Vec::new(),
    };
    let seen = Situation {
        asked: vec![
            asked("sales.csv", "date,region,product,amount,qty\n2026-01-03,North,Widget,120.50,3\n"),
            asked("people.json", r#"[{"name":"Ann","age":34,"city":"Berlin"}]"#),
            asked(
                "grades.csv",
                "student,class,points,date,paid\nOla,5a,14,2026-01-12,true\nKim,5b,17,2026-02-03,false\n",
            ),
            asked("trips.json", r#"[{"place":"Oslo","price":90,"seats":45}]"#),
            asked("成绩.csv", "学生,班级,分数,日期\n小明,五一,14,2026-01-12\n小刚,五二,17,2026-10-02\n"),
            asked("工资.csv", "姓名,部门,工资\n张三,研发,12000\n"),
        ],
        ..Situation::default()
    };
    let setting = Setting { working_directory: "/w".to_owned(), ..Setting::default() };
    read(text, &setting, &seen)
}

fn check(text: &str, shape: QueryShape, column: &str, by: &str, filter: Option<(&str, &str)>) {
    let Some(TableReading::Understood(request)) = reading(text) else { panic!("{text} is not understood") };
    let expected = TableQuery {
        shape,
        column: column.to_owned(),
        by: by.to_owned(),
        filter: filter.map(|(name, value)| (name.to_owned(), value.to_owned())),
        relation: match filter {
            Some((_, value)) if value.contains("..") => Relation::Between,
            _ => Relation::Is,
        },
        ..TableQuery::default()
    };
    assert_eq!(request.clauses[0].slots.query.as_ref(), Some(&expected), "{text}");
}

#[test]
fn questions_in_both_languages_fill_the_same_slots() {
    let (sum, average, most) = (Statistic::Sum, Statistic::Average, Statistic::Maximum);
    check("what's the total amount in sales.csv?", QueryShape::Figure(sum), "amount", "", None);
    check("average amount per region in sales.csv", QueryShape::Groups(average), "amount", "region", None);
    check("sales.csv里按region统计amount的总和", QueryShape::Groups(sum), "amount", "region", None);
    check("sales.csv 里 amount 最大是多少？", QueryShape::Figure(most), "amount", "", None);
    let top = |count| QueryShape::Top { count, largest: true };
    check("top 3 sales by amount in sales.csv", top(3), "amount", "", None);
    check("show the 2 largest sales by amount in sales.csv", top(2), "amount", "", None);
    check("sales.csv里amount最高的3行", top(3), "amount", "", None);
    let north = Some(("region", "North"));
    check("how many rows in sales.csv have region North", QueryShape::Count, "", "", north);
    check("sales.csv里region是North的有几行", QueryShape::Count, "", "", north);
    check("rows where region is North in sales.csv", QueryShape::Rows, "", "", north);
    check("how many different regions are in sales.csv", QueryShape::Distinct, "region", "", None);
    check("sales.csv里amount在80到100之间的", QueryShape::Rows, "", "", Some(("amount", "80..100")));
    check("list all names in people.json", QueryShape::Values, "name", "", None);
    let berlin = Some(("city", "Berlin"));
    check("how many people in people.json live in Berlin?", QueryShape::Count, "", "", berlin);
    check("\"工资.csv\"里部门是研发的有几个人", QueryShape::Count, "", "", Some(("部门", "研发")));
    check("\"工资.csv\"里按部门统计平均工资", QueryShape::Groups(average), "工资", "部门", None);
}

#[test]
fn one_word_too_many_and_nothing_is_understood() {
    for text in [
        "total amount in sales.csv without the Widgets",
        "sum of amount in sales.csv and delete it",
        "sum and average of amount in sales.csv",
        "sum of amount and qty in sales.csv",
        "how many sales were made in the South? (sales.csv)",
        "plot amount over time from sales.csv",
        "sort sales.csv by amount",
        "rows where amount in sales.csv is over",
        "sales over 100 in sales.csv",
        "median of amount by region in sales.csv",
        "rows where region is not North in sales.csv",
        "sum of amount in sales.csv and people.json",
        "sales.csv里region不是North的有几行",
    ] {
        assert_eq!(reading(text), None, "{text}");
    }
}

#[test]
fn a_column_that_is_not_there_is_named() {
    let Some(TableReading::NoColumn(path, name, columns)) = reading("what's the total revenue in sales.csv?")
    else {
        panic!("the column is not named");
    };
    assert_eq!((path.as_str(), name.as_str(), columns.len()), ("/w/sales.csv", "revenue", 5));
}

/// The shape, the column and the condition of a question.
fn asks(text: &str, shape: QueryShape, column: &str, filter: Option<(&str, &str)>) {
    let Some(TableReading::Understood(request)) = reading(text) else { panic!("{text} is not understood") };
    let query = request.clauses[0].slots.query.clone().unwrap_or_default();
    let found = query.filter.as_ref().map(|(name, value)| (name.as_str(), value.as_str()));
    assert_eq!((query.shape, query.column.as_str(), found), (shape, column, filter), "{text}");
}

#[test]
fn what_is_counted_is_added_up() {
    let sum = QueryShape::Figure(Statistic::Sum);
    asks("grades.csv: how many points did Kim get altogether", sum, "points", Some(("student", "Kim")));
    asks("how many seats are there in all in trips.json", sum, "seats", None);
    asks("how many rows does grades.csv have", QueryShape::Count, "", None);
}

#[test]
fn days_of_a_month_and_what_is_denied_choose_rows() {
    let rows = QueryShape::Rows;
    asks("grades.csv, which rows are from February", rows, "", Some(("date", "02")));
    asks("rows of grades.csv in February 2026", rows, "", Some(("date", "2026-02")));
    asks("成绩.csv里十月份的分数总和", QueryShape::Figure(Statistic::Sum), "分数", Some(("日期", "10")));
    let which = QueryShape::Distinct;
    asks("which students in grades.csv have not paid yet", which, "student", Some(("paid", "false")));
    asks("which students in grades.csv are paid", which, "student", Some(("paid", "true")));
    asks("show the rows of grades.csv that are not paid", rows, "", Some(("paid", "false")));
    asks("grades.csv里还没付款的记录", rows, "", Some(("paid", "false")));
}

#[test]
fn money_is_compared_where_it_is_spoken_of() {
    asks("trips.json, which ones cost more than 100?", QueryShape::Rows, "", Some(("price", "100")));
    let cheapest = QueryShape::Top { count: 1, largest: false };
    asks("what is the cheapest trip in trips.json", cheapest, "price", None);
    let three = QueryShape::Top { count: 3, largest: true };
    asks("分数最高的三条是哪些，成绩.csv", three, "分数", None);
}
