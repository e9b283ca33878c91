//! Chinese numbers.

/// The number that `run` begins with, in digits, and its length. A single "一" is mostly an article.
pub(super) fn number_ahead(run: &[char]) -> Option<(String, usize)> {
    let digits = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let (mut total, mut digit, mut length) = (0_u64, None, 0);
    for c in run.iter().take(12) {
        let value = digits.iter().position(|d| d == c).or((*c == '两').then_some(2));
        let scale = match c {
            '十' => Some(10),
            '百' => Some(100),
            '千' => Some(1_000),
            '万' => Some(10_000),
            _ => None,
        };
        match (value, scale) {
            (Some(value), _) => digit = Some(value as u64),
            (None, Some(10_000)) => total = (total + digit.take().unwrap_or(0)).max(1) * 10_000,
            (None, Some(scale)) => total += digit.take().unwrap_or(1) * scale,
            (None, None) => break,
        }
        length += 1;
    }
    let number = (total + digit.unwrap_or(0)).to_string();
    (length > 0 && run[..length] != ['一']).then_some((number, length))
}
