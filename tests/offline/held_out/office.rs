//! The folder of an office, in English and in Chinese: requests of people who are no programmers, written before the words
//! of the rules were looked at.

use std::fs::File;
use std::time::{Duration, SystemTime};

use super::{NewUser, ZIP};

/// How many of the sixty of each language must come out right.
const ENGLISH: usize = 57;
const CHINESE: usize = 56;
/// The same for the forty that were measured before and after the sixty had been mended.
const MORE_ENGLISH: usize = 37;
const MORE_CHINESE: usize = 37;
/// The same for forty that were written after that.
const AFTERWARDS_ENGLISH: usize = 37;
const AFTERWARDS_CHINESE: usize = 35;
/// How many of a table may come out wrong.
const WRONG: usize = 1;

/// The home of the other requests, with the folders of an office.
fn office() -> NewUser {
    let user = NewUser::new();
    for (path, text) in TEXTS {
        user.put(path, text.as_bytes());
    }
    for (folder, scan, pictures, first, second) in [
        ("office", "scan.jpg", "pictures", ["sea", "cat", "desk"], "sea copy"),
        ("公司", "扫描件.jpg", "照片", ["海边", "猫", "桌子"], "海边 副本"),
    ] {
        let size = if folder == "office" { 90_000 } else { 80_000 };
        user.put(&format!("{folder}/{scan}"), &vec![folder.len() as u8; size]);
        for (name, letter, day) in [(first[0], 1, 0), (second, 1, 30), (first[1], 2, 69)] {
            let path = format!("{folder}/{pictures}/{name}.jpg");
            user.put(&path, &[letter; 1_000]);
            // The 1st of June 2025 and later.
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_748_779_200 + day * 86_400);
            let file = File::options().write(true).open(user.root.join(&path)).expect("it was just made");
            file.set_modified(time).expect("the home can be written");
        }
        user.put(&format!("{folder}/{pictures}/{}.jpg", first[2]), &[3; 1_000]);
    }
    user.put("office/backup.zip", ZIP);
    user.put("公司/资料.zip", ZIP);
    user
}

#[test]
fn office_in_english_sixty() {
    office().check(include_str!("english_office.txt"), ENGLISH, WRONG);
}

#[test]
fn office_in_chinese_sixty() {
    office().check(include_str!("chinese_office.txt"), CHINESE, WRONG);
}

#[test]
fn office_in_english_forty() {
    office().check(include_str!("english_office_more.txt"), MORE_ENGLISH, WRONG);
}

#[test]
fn office_in_chinese_forty() {
    office().check(include_str!("chinese_office_more.txt"), MORE_CHINESE, WRONG);
}

#[test]
fn office_in_english_afterwards() {
    office().check(include_str!("english_afterwards.txt"), AFTERWARDS_ENGLISH, 0);
}

#[test]
fn office_in_chinese_afterwards() {
    office().check(include_str!("chinese_afterwards.txt"), AFTERWARDS_CHINESE, 0);
}

const LOG: &str = "2026-11-20 08:00:01 INFO service started\n2026-11-20 08:00:09 WARN cache is cold\n\
                   2026-11-20 08:03:12 ERROR payment failed for order 17\n2026-11-20 08:04:00 INFO request served in 12 ms\n\
                   2026-11-20 08:05:31 ERROR payment failed for order 18\n2026-11-20 08:06:00 DEBUG heartbeat\n\
                   2026-11-20 08:07:45 ERROR database unreachable\n2026-11-20 08:09:00 WARN disk 88%\n";

const TEXTS: &[(&str, &str)] = &[
    (
        "office/expenses.csv",
        "date,category,vendor,amount,paid_by\n2025-11-03,travel,Railways,89.50,Mia\n2025-11-17,food,Bistro,23.40,Tom\n2025-12-01,travel,Taxi Co,31.00,Mia\n2025-12-09,software,Figma,144.00,Lena\n2026-01-12,food,Pizza Roma,47.60,Tom\n2026-01-20,travel,Hotel Sun,230.00,Lena\n2026-02-02,software,GitHub,48.00,Mia\n2026-02-15,food,Bistro,19.90,Mia\n",
    ),
    (
        "office/team.json",
        "[{\"name\":\"Mia\",\"team\":\"design\",\"age\":29,\"office\":\"Oslo\"},{\"name\":\"Tom\",\"team\":\"sales\",\"age\":41,\"office\":\"Bergen\"},{\"name\":\"Lena\",\"team\":\"design\",\"age\":36,\"office\":\"Oslo\"}]\n",
    ),
    ("office/app.log", LOG),
    (
        "office/minutes.md",
        "# Minutes\n\nPresent: Mia, Tom\n\n- [ ] book the room\n- [x] send the offer to tom@example.org\n- [ ] call Lena\n\nBudget was approved.\n",
    ),
    (
        "office/prefs.json",
        "{\"language\":\"en\",\"mail\":{\"server\":\"mail.example.org\",\"port\":993},\"tags\":[\"work\",\"home\"]}\n",
    ),
    ("office/invoice_001.pdf", "%PDF one"),
    ("office/invoice_002.pdf", "%PDF two"),
    ("office/old notes.txt", "first\nsecond\nthird\n"),
    ("office/todo.txt", "milk\nbread\nmilk\nstamps\n"),
    ("office/todo_old.txt", "milk\nbread\nstamps\nglue\n"),
    ("office/blank.txt", ""),
    (
        "公司/订单.csv",
        "日期,客户,城市,金额,状态\n2026-01-05,王强,北京,120,已付\n2026-01-18,李娜,上海,85.5,未付\n2026-02-03,王强,北京,60,已付\n2026-02-21,陈晨,广州,230,已付\n2026-03-09,李娜,上海,91,未付\n",
    ),
    (
        "公司/员工.json",
        "[{\"姓名\":\"赵一\",\"部门\":\"设计\",\"年龄\":28},{\"姓名\":\"钱二\",\"部门\":\"销售\",\"年龄\":35},{\"姓名\":\"孙三\",\"部门\":\"设计\",\"年龄\":44}]\n",
    ),
    ("公司/系统.log", LOG),
    ("公司/配置.json", "{\"语言\":\"中文\",\"服务器\":{\"地址\":\"10.1.2.3\",\"端口\":8088}}\n"),
    ("公司/会议.md", "# 会议\n\n- [ ] 订会议室\n- [x] 发报价\n\n预算已批准，联系 wang@example.cn\n"),
    ("公司/待办.txt", "买牛奶\n交电费\n买牛奶\n寄快递\n"),
    ("公司/待办_旧.txt", "买牛奶\n交电费\n寄快递\n买胶水\n"),
    ("公司/合同一.pdf", "%PDF 一"),
    ("公司/合同二.pdf", "%PDF 二"),
    ("公司/说明 书.txt", "第一步\n第二步\n"),
    ("公司/归档/旧合同.txt", "旧\n"),
    ("公司/空白.txt", ""),
];
