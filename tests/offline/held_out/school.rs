//! The folder of a teacher, in English and in Chinese: requests over all kinds, written before the words of the rules of the
//! day were looked at.

use super::{NewUser, ZIP};

/// How many of the requests of each language must come out right.
const ENGLISH: usize = 63;
const CHINESE: usize = 61;

/// The home of the other requests, with the folders of a teacher.
fn school() -> NewUser {
    let user = NewUser::new();
    for (path, text) in TEXTS {
        user.put(path, text.as_bytes());
    }
    for (folder, film, photos, names) in [
        ("school", "big.mov", "photos", ["lake.jpg", "lake2.jpg", "tent.jpg"]),
        ("学校", "录像.mov", "相册", ["湖.jpg", "湖2.jpg", "帐篷.jpg"]),
    ] {
        user.put(&format!("{folder}/{film}"), &vec![folder.len() as u8 + 40; 700_000]);
        for (name, letter) in names.into_iter().zip([1, 1, 2]) {
            user.put(&format!("{folder}/{photos}/{name}"), &[letter; 900]);
        }
    }
    user.put("school/songs.zip", ZIP);
    user.put("学校/歌曲.zip", ZIP);
    user
}

#[test]
fn school_in_english() {
    school().check(include_str!("english_school.txt"), ENGLISH, 0);
}

#[test]
fn school_in_chinese() {
    school().check(include_str!("chinese_school.txt"), CHINESE, 0);
}

const LOG: &str = "2026-09-01 07:58:00 INFO door opened\n2026-09-01 08:02:10 ERROR card reader offline\n\
                   2026-09-01 08:05:00 WARN battery 12%\n2026-09-01 12:30:00 ERROR card reader offline\n\
                   2026-09-01 16:00:00 INFO door closed\n";

const TEXTS: &[(&str, &str)] = &[
    (
        "school/grades.csv",
        "student,class,subject,points,date\nOla,5a,math,14,2026-01-12\nPer,5a,art,9,2026-01-13\nKim,5b,math,17,2026-01-12\nLiv,5b,art,12,2026-02-03\nOla,5a,art,11,2026-02-05\nKim,5b,music,20,2026-02-20\n",
    ),
    (
        "school/trips.json",
        "[{\"place\":\"Bergen\",\"price\":120,\"seats\":30},{\"place\":\"Lofoten\",\"price\":480,\"seats\":12},{\"place\":\"Oslo\",\"price\":90,\"seats\":45}]\n",
    ),
    (
        "school/options.json",
        "{\"title\":\"School\",\"printer\":{\"name\":\"HP-2\",\"port\":9100},\"dark\":false}\n",
    ),
    ("school/door.log", LOG),
    (
        "school/essay.md",
        "# My summer\n\nWe went to the lake. It rained.\nContact: liv@school.example\nMore at https://lake.example/map\n",
    ),
    ("school/words.txt", "tree\nbird\ntree\nstone\n"),
    ("school/words_new.txt", "tree\nbird\nstone\nriver\n"),
    ("school/points.txt", "3\n8\n4\n"),
    ("school/class list.txt", "Ola\nPer\nKim\nLiv\n"),
    ("school/timetable.pdf", "%PDF table"),
    ("school/homework_1.docx", "one"),
    ("school/homework_2.docx", "two!"),
    ("school/blank.md", ""),
    (
        "学校/成绩.csv",
        "学生,班级,科目,分数,日期\n小明,五一,数学,14,2026-01-12\n小红,五一,美术,9,2026-01-13\n小刚,五二,数学,17,2026-01-12\n小丽,五二,美术,12,2026-02-03\n小明,五一,美术,11,2026-02-05\n小刚,五二,音乐,20,2026-02-20\n",
    ),
    (
        "学校/春游.json",
        "[{\"地点\":\"黄山\",\"价格\":120,\"人数\":30},{\"地点\":\"三亚\",\"价格\":480,\"人数\":12},{\"地点\":\"长城\",\"价格\":90,\"人数\":45}]\n",
    ),
    ("学校/选项.json", "{\"标题\":\"学校\",\"打印机\":{\"名称\":\"HP-2\",\"端口\":9100},\"深色\":false}\n"),
    ("学校/门禁.log", LOG),
    (
        "学校/作文.md",
        "# 我的暑假\n\n我们去了湖边，下雨了。\n联系：li@school.example\n更多照片在 https://lake.example/map\n",
    ),
    ("学校/词语.txt", "树\n鸟\n树\n石头\n"),
    ("学校/词语_新.txt", "树\n鸟\n石头\n河\n"),
    ("学校/得分.txt", "3\n8\n4\n"),
    ("学校/名单.txt", "小明\n小红\n小刚\n小丽\n"),
    ("学校/课程 表.pdf", "%PDF 表"),
    ("学校/作业一.docx", "一"),
    ("学校/作业二.docx", "二！"),
    ("学校/空.md", ""),
];
