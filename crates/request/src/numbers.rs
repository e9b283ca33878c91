//! Numbers in words.

/// English words for whole numbers.
pub const NUMBER_WORDS: [(&str, u64); 20] = [
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("ninety", 90),
    ("hundred", 100),
];

/// The numbers that a text says in words, in either language; those in digits are not among them.
pub fn spoken_numbers(text: &str) -> Vec<u64> {
    let folded = text.to_lowercase();
    let english = folded.split(|c: char| !c.is_alphanumeric());
    let english = english.filter_map(|word| NUMBER_WORDS.iter().find(|(name, _)| *name == word));
    let mut found: Vec<u64> = english.map(|(_, number)| *number).collect();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match chinese_number(rest) {
            Some((length, number)) => {
                found.push(number);
                length
            }
            None => next.len_utf8(),
        };
        rest = &rest[length..];
    }
    found
}

/// A Chinese number from 1 to 999 at the front: 三, 十, 十五, 二十, 一百, 三百二十.
pub fn chinese_number(rest: &str) -> Option<(usize, u64)> {
    let (mut total, mut digit, mut length) = (0_u64, None, 0);
    for found in rest.chars() {
        match digit_value(found) {
            Some(value) => digit = Some(value),
            None => {
                let unit = match found {
                    '十' => 10,
                    '百' => 100,
                    _ => break,
                };
                total += digit.take().unwrap_or(1) * unit;
            }
        }
        length += found.len_utf8();
    }
    let number = total + digit.unwrap_or(0);
    (number > 0).then_some((length, number))
}

fn digit_value(found: char) -> Option<u64> {
    const DIGITS: [(char, u64); 10] = [
        ('一', 1),
        ('二', 2),
        ('两', 2),
        ('三', 3),
        ('四', 4),
        ('五', 5),
        ('六', 6),
        ('七', 7),
        ('八', 8),
        ('九', 9),
    ];
    DIGITS.iter().find(|(digit, _)| *digit == found).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::spoken_numbers;

    #[test]
    fn numbers_are_heard_in_both_languages() {
        for (text, heard) in [
            ("the Ten largest, and twelve more", &[10, 12][..]),
            ("often written, someone", &[]),
            ("最大的三个文件，再加十五个", &[3, 15]),
            ("3 files", &[]),
        ] {
            assert_eq!(spoken_numbers(text), heard, "{text}");
        }
    }
}
