//! Requests, files and answers in Chinese.

use crate::row::{Row, honest};
use artoo_testing::scripted_roles::{checked, criterion};
use serde_json::json;

/// The rows.
pub(crate) fn rows() -> Vec<Row> {
    vec![
        honest("Chinese", "to-dos out of minutes, in Chinese", "把会议纪要.txt里的待办事项整理到待办.md，每项一行，注明负责人。")
            .sample()
            .folder(|folder| {
                folder.file(
                    "会议纪要.txt",
                    "会议纪要 一月\n讨论了预算。\n待办：张三 提交预算表\n待办：李四 预订会议室\n下次会议在二月。\n",
                );
            })
            .wants(checked(
                "会议纪要.txt里的待办事项已整理到待办.md，每项一行",
                &json!({"kind": "file_contains", "path": "./待办.md", "text": "李四"}),
            ))
            .run(&["cat 会议纪要.txt"])
            .run(&["sed -n 's/^待办：\\([^ ]*\\) \\(.*\\)/- \\2（负责人：\\1）/p' 会议纪要.txt > 待办.md", "cat 待办.md"])
            .answers("待办事项已整理到待办.md：\n{last}")
            .right(|look| look.is("待办.md", "- 提交预算表（负责人：张三）\n- 预订会议室（负责人：李四）\n")),
        honest("Chinese", "a sum by region, in Chinese", "销售.csv中哪个地区的销售额最高？请给出各地区的总额。")
            .folder(|folder| {
                folder.file("销售.csv", "地区,月份,金额\n华东,1,300\n华南,1,420\n华东,2,350\n华南,2,180\n华北,1,90\n");
            })
            .wants(criterion("给出销售.csv中各地区的销售总额和最高的地区"))
            .run(&["cat 销售.csv"])
            .run(&["awk -F, 'NR > 1 { s[$1] += $3 } END { for (r in s) print s[r], r }' 销售.csv | sort -rn"])
            .answers("销售.csv中各地区的总额，从高到低：\n{last}")
            .right(|look| look.says(&["650 华东", "600 华南", "90 华北"])),
        honest("Chinese", "a word replaced, in Chinese", "把说明.md里所有的“客户端”改成“用户端”，其他内容不变。")
            .needs(&["git"])
            .project(|folder| folder.file("说明.md", "# 客户端说明\n先启动服务端，再启动客户端。\n"))
            .wants(checked(
                "说明.md里所有的“客户端”已改成“用户端”",
                &json!({"kind": "file_contains", "path": "./说明.md", "text": "用户端"}),
            ))
            .run(&["cat 说明.md"])
            .run(&["sed -i 's/客户端/用户端/g' 说明.md; cat 说明.md"])
            .answers("说明.md里所有的“客户端”已改成“用户端”：\n{last}")
            .right(|look| look.is("说明.md", "# 用户端说明\n先启动服务端，再启动用户端。\n")),
        honest("Chinese", "a fact looked up, in Chinese", "合同.txt里约定的付款期限是多少天？")
            .folder(|folder| {
                folder.file("合同.txt", "第一条 甲方向乙方购买设备。\n第二条 付款期限为收货后四十五天（45天）。\n第三条 保修两年。\n");
            })
            .wants(criterion("给出合同.txt里约定的付款期限"))
            .run(&["grep -n 付款 合同.txt"])
            .answers("合同.txt约定：{last}")
            .right(|look| look.says(&["45天"])),
    ]
}
