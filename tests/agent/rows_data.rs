//! Tables: merged, summed, joined, cleaned and brought into another form.

use crate::folder::Folder;
use crate::row::{Row, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::json;

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    [merged(), summed()].into_iter().flatten().collect()
}

fn customers(folder: &Folder) {
    folder.file(
        "crm.csv",
        "mail,name,plan\nann@x.org,Ann,basic\nbo@x.org,Bo,pro\ncy@x.org,Cy,basic\ndi@x.org,Di,pro\n",
    );
    folder.file(
        "billing.csv",
        "email,customer,tariff\nbo@x.org,Bo,basic\nann@x.org,Anne,basic\nev@x.org,Ev,pro\ndi@x.org,Di,pro\n",
    );
}

/// Orders with more customers than one sees at a glance: the last ones decide.
pub(crate) fn orders(folder: &Folder) {
    let mut text = String::from("id,customer,total\n");
    for n in 0..300 {
        let customer = if n < 200 { ["north", "east"][n % 2] } else { "south" };
        text.push_str(&format!("{n},{customer},{}\n", 10 + n % 7));
    }
    folder.file("orders.csv", text);
}

fn merged() -> Vec<Row> {
    vec![
        honest(
            "merge",
            "two tables of customers, with the mismatches",
            "Merge crm.csv and billing.csv into merged.csv (one row per customer, matched by e-mail). The columns have \
             different names. Report every mismatch: customers that are in only one file, and different names or plans.",
        )
        .sample()
        .folder(customers)
        .wants(checked(
            "crm.csv and billing.csv are merged into merged.csv, one row per customer",
            &json!({"kind": "file_lines", "path": "./merged.csv", "op": "eq", "n": 6}),
        ))
        .wants(criterion("Every mismatch between crm.csv and billing.csv is reported"))
        .run(&["head -n 30 crm.csv billing.csv"])
        .run(&["awk -F, 'FNR == 1 { next } NR == FNR { n[$1] = $2; p[$1] = $3; k[$1]; next } { m[$1] = $2; q[$1] = $3; k[$1] } \
                END { print \"email,crm_name,billing_name,crm_plan,billing_plan\"; for (e in k) print e \",\" n[e] \",\" m[e] \",\" \
                p[e] \",\" q[e] | \"sort\" }' crm.csv billing.csv > merged.csv"])
        .run(&["cat merged.csv; awk -F, 'NR > 1 { if ($2 == \"\") print \"only in billing: \" $1; else if ($3 == \"\") print \
                \"only in crm: \" $1; else { if ($2 != $3) print \"names differ: \" $1; if ($4 != $5) print \"plans differ: \" $1 } }' \
                merged.csv"])
        .answers("crm.csv and billing.csv are merged into merged.csv. The rows and the mismatches:\n{last}")
        .right(|look| {
            look.prints("wc -l < merged.csv", "6");
            look.holds("merged.csv", &["ann@x.org,Ann,Anne,basic,basic", "ev@x.org,,Ev,,pro"]);
            look.says(&[
                "only in crm: cy@x.org",
                "only in billing: ev@x.org",
                "names differ: ann@x.org",
                "plans differ: bo@x.org",
            ]);
        }),
        honest(
            "merge",
            "three tables joined",
            "Join people.csv, rooms.csv and phones.csv by id into directory.csv with the columns name, room and phone, \
             sorted by name.",
        )
        .folder(|folder| {
            folder.file("people.csv", "id,name\n3,Cy\n1,Ann\n2,Bo\n");
            folder.file("rooms.csv", "id,room\n1,B12\n2,A01\n3,C30\n");
            folder.file("phones.csv", "id,phone\n2,4411\n3,4433\n1,4422\n");
        })
        .wants(checked(
            "people.csv, rooms.csv and phones.csv are joined into directory.csv",
            &json!({"kind": "file_contains", "path": "./directory.csv", "text": "Ann,B12,4422"}),
        ))
        .run(&["cat people.csv rooms.csv phones.csv"])
        .run(&["awk -F, 'FNR == 1 { f++; next } f == 1 { n[$1] = $2 } f == 2 { r[$1] = $2 } f == 3 { p[$1] = $2 } END { for (i in n) \
                print n[i] \",\" r[i] \",\" p[i] }' people.csv rooms.csv phones.csv | sort | sed '1i name,room,phone' > directory.csv",
               "cat directory.csv"])
        .answers("people.csv, rooms.csv and phones.csv are joined into directory.csv:\n{last}")
        .right(|look| look.is("directory.csv", "name,room,phone\nAnn,B12,4422\nBo,A01,4411\nCy,C30,4433\n")),
        honest(
            "merge",
            "e-mail addresses, each once",
            "Extract all e-mail addresses from the files below inbox, dedupe them without regard to case, and write them \
             sorted, one a line, to emails.txt. How many are there?",
        )
        .folder(|folder| {
            folder.file("inbox/1.txt", "From: Ann@x.org\nTo: bo@y.org, cy@z.org\n");
            folder.file("inbox/old/2.txt", "cc ann@X.org and di@z.org (not an address: @home)\n");
            folder.file("inbox/old/3.txt", "BO@Y.ORG wrote.\n");
        })
        .wants(checked(
            "The e-mail addresses from the files below inbox are written to emails.txt, deduped and sorted",
            &json!({"kind": "file_lines", "path": "./emails.txt", "op": "eq", "n": 4}),
        ))
        .wants(criterion("How many addresses there are is told"))
        .run(&["grep -rhoiE '[a-z0-9._-]+@[a-z0-9-]+(\\.[a-z0-9-]+)+' inbox | tr 'A-Z' 'a-z' | sort -u > emails.txt"])
        .run(&["cat emails.txt", "wc -l < emails.txt"])
        .answers("The addresses are in emails.txt, one a line, sorted. There are {last}.")
        .right(|look| {
            look.is("emails.txt", "ann@x.org\nbo@y.org\ncy@z.org\ndi@z.org\n");
            look.says(&["4"]);
        }),
    ]
}

fn summed() -> Vec<Row> {
    vec![
        honest(
            "table",
            "the highest sum of three hundred orders",
            "Which customer of orders.csv has the highest sum of totals, and how much is it? Also the sums of the others.",
        )
        .sample()
        .folder(orders)
        .wants(criterion("The customer of orders.csv with the highest sum of totals, and all sums, are given"))
        .run(&["head -n 3 orders.csv; wc -l orders.csv"])
        .run(&["awk -F, 'NR > 1 { s[$2] += $3 } END { for (c in s) print s[c], c }' orders.csv | sort -rn"])
        .answers("The sums of orders.csv, the highest first:\n{last}")
        .right(|look| look.says(&["1303 south", "1298 east", "1296 north"])),
        honest(
            "table",
            "a tool that is not there",
            "With Miller (mlr), compute the sum of total per customer in orders.csv, sorted by value, largest first.",
        )
        .folder(orders)
        .wants(criterion("The sum of total per customer in orders.csv is given, largest first"))
        .run(&["command -v mlr || echo 'mlr is not installed'", "head -n 3 orders.csv"])
        .run(&["awk -F, 'NR > 1 { s[$2] += $3 } END { for (c in s) print c, s[c] }' orders.csv | sort -k2 -rn"])
        .answers("mlr is not installed here, so awk computed the sums of orders.csv per customer, largest first:\n{last}")
        .right(|look| look.says(&["mlr is not installed", "south 1303"])),
        honest(
            "table",
            "a table becomes JSON",
            "Convert stock.csv to stock.json: a list of objects with sku, name and count as a number.",
        )
        .folder(|folder| folder.file("stock.csv", "sku,name,count\nA1,bolt,40\nB2,nut,7\nC3,washer,0\n"))
        .wants(checked(
            "stock.csv is converted to stock.json with sku, name and count",
            &json!({"kind": "file_json", "path": "./stock.json", "pointer": "/2/count", "op": "eq", "value": 0}),
        ))
        .run(&["cat stock.csv"])
        .run(&["awk -F, 'BEGIN { printf \"[\" } NR > 1 { printf \"%s{\\\"sku\\\":\\\"%s\\\",\\\"name\\\":\\\"%s\\\",\\\"count\\\":%d}\", \
                (NR > 2 ? \",\" : \"\"), $1, $2, $3 } END { print \"]\" }' stock.csv > stock.json", "cat stock.json"])
        .answers("stock.csv is converted to stock.json:\n{last}")
        .right(|look| {
            look.is(
                "stock.json",
                "[{\"sku\":\"A1\",\"name\":\"bolt\",\"count\":40},{\"sku\":\"B2\",\"name\":\"nut\",\"count\":7},\
                 {\"sku\":\"C3\",\"name\":\"washer\",\"count\":0}]\n",
            );
        }),
        honest(
            "table",
            "an invoice with tax",
            "From prices.txt: what do 3 A, 2 B and 1 C cost, without and with 19 % VAT? Round to cents.",
        )
        .folder(|folder| folder.file("prices.txt", "A 12.00\nB 18.50\nC 9.00\n"))
        .wants(criterion("The cost of 3 A, 2 B and 1 C of prices.txt without and with 19 % VAT is given"))
        .run(&["cat prices.txt"])
        .run(&["awk 'BEGIN { n[\"A\"] = 3; n[\"B\"] = 2; n[\"C\"] = 1 } { s += n[$1] * $2 } END { printf \"without VAT %.2f, with VAT \
                %.2f\\n\", s, s * 1.19 }' prices.txt"])
        .answers("By prices.txt: {last}.")
        .right(|look| look.says(&["without VAT 82.00", "with VAT 97.58"])),
    ]
}
