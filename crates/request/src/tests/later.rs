//! Requests that were written after the tables of words. At their first reading, when nobody had tuned for them, 87 % of the
//! actions found were right and 61 % of those asked for were found; of the files 100 % and 96 %. Most of what was found
//! wrongly was an `Answer`, of which nothing is demanded.

use super::Everyday;
use crate::Action::{Answer, Change, Copy, Count, Delete, Find, List, Make, Move, Read, Run, Send};

pub(super) const LATER: [Everyday; 40] = [
    ("grab the latest release notes and drop them into notes/", &[Make, Move], &["notes/"]),
    ("Take the numbers in q3.xlsx and turn them into a chart called q3.png", &[Make], &["q3.xlsx", "q3.png"]),
    ("Go through my inbox folder and delete whatever is older than a year", &[Read, Delete], &[]),
    ("can you get rid of the .DS_Store files and tell me how many there were", &[Delete, Answer], &[]),
    (
        "strip the comments from main.js and save the rest to main.min.js",
        &[Delete, Make],
        &["main.js", "main.min.js"],
    ),
    ("I accidentally removed utils.py. Restore it from git please.", &[Change], &["utils.py"]),
    ("Pull the newest changes, run the migrations and let the team know by mail", &[Run, Send], &[]),
    ("which of my branches can be deleted?", &[], &[]),
    ("show disk usage, and if it is above 90% empty ~/tmp", &[Read, Delete], &["~/tmp"]),
    ("In report.tex, swap figures 2 and 3 and recompile it", &[Change, Run], &["report.tex"]),
    ("Make the heading of index.html blue", &[Change], &["index.html"]),
    (
        "bundle src/ and docs/ into release.zip then upload it to the server",
        &[Make, Send],
        &["src/", "docs/", "release.zip"],
    ),
    ("What would be a good name for a folder of invoices?", &[], &[]),
    ("print the tree of ~/work without the hidden files", &[Read], &["~/work"]),
    ("compare last month's log with this month's and highlight what changed", &[Read], &[]),
    ("write tests for parser.rs; don't change parser.rs itself", &[Make], &["parser.rs"]),
    ("create a new branch, commit everything and push", &[Make, Change, Send], &[]),
    ("Tell Anna by mail that the report is ready", &[Send], &[]),
    (
        "count how often \"error\" occurs in app.log and put the number in errors.txt",
        &[Count, Make],
        &["app.log", "errors.txt"],
    ),
    ("look up the weather in Berlin", &[Find], &[]),
    ("帮我看下桌面上有哪些大文件，不用的就删了", &[Read, Delete], &[]),
    ("把合同.pdf发到我的邮箱", &[Send], &[]),
    ("将config.yaml备份一份，再把端口改为9090", &[Copy, Change], &["config.yaml"]),
    ("整理一下下载文件夹，按类型分到不同的子文件夹", &[Move], &[]),
    ("用Python写一个爬虫，保存到crawler.py", &[Make, Make], &["crawler.py"]),
    ("先统计data.csv有多少行，再生成图表chart.png", &[Count, Make], &["data.csv", "chart.png"]),
    ("git怎么回退到上一个版本？", &[], &[]),
    ("帮我把这段话润色一下：我们删除了旧系统，并发送了通知。", &[Answer], &[]),
    ("新建todo.txt，写入今天的日期", &[Make, Make], &["todo.txt"]),
    ("检查server.log里的错误，修复后重启服务", &[Read, Change, Run], &["server.log"]),
    ("把图片都缩小到800像素，原图移到backup/", &[Change, Move], &["backup/"]),
    ("删除三天前的日志但保留error.log", &[Delete], &["error.log"]),
    ("什么是软链接？", &[], &[]),
    ("列出占用空间最多的十个文件并写成报告", &[List, Make], &[]),
    ("卸载docker，然后清理残留文件", &[Delete, Delete], &[]),
    ("把src目录打成zip包上传到服务器", &[Make, Send], &[]),
    ("看看谁占用了8080端口，把它停掉", &[Read, Run], &[]),
    ("给README.md加一段安装说明", &[Change], &["README.md"]),
    ("你觉得我应该删除node_modules吗？", &[], &[]),
    ("合并a.csv和b.csv到c.csv，并删除空行", &[Make, Delete], &["a.csv", "b.csv", "c.csv"]),
];
