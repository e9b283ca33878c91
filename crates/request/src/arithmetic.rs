//! Sums of figures in a request: `18% of 249.90`, `12 * 7`, `3加4`. Exact decimal numbers; what does not come out even within
//! them is not answered.

/// Most digits on either side: products of two such numbers fit.
const MOST_DIGITS: usize = 15;
/// Digits behind the point that a quotient may have.
const QUOTIENT_DIGITS: u32 = 6;

/// A decimal number: units of ten to the power of minus `places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    units: i128,
    places: u32,
}

/// The result of a normalised request that is nothing but a calculation, as `1 + 2 = 3`.
pub fn calculate(request: &str) -> Option<String> {
    let lower = request.to_lowercase();
    let text = strip(&lower);
    if let Some(result) = percentage(text) {
        return Some(format!("{} = {}", text.trim(), result.shown()));
    }
    let result =
        sum_of_list(text).or_else(|| mean_of_list(text)).or_else(|| two(text)).or_else(|| chain(text))?;
    Some(format!("{} = {}", text.trim(), result.shown()))
}

/// The calculation without the words of the question.
fn strip(text: &str) -> &str {
    let fronts = [
        "what is ",
        "what's ",
        "whats ",
        "how much is ",
        "calculate ",
        "compute ",
        "work out ",
        "the ",
        "计算一下",
        "计算",
        "算一下",
        "算算",
        "把",
        "求",
    ];
    let backs = ["算一下", "是多少", "等于多少", "等于几", "是几", "=", "?", "？"];
    let mut text = text.trim();
    for front in fronts {
        text = text.strip_prefix(front).unwrap_or(text);
    }
    for back in backs {
        text = text.trim_end().strip_suffix(back).unwrap_or(text);
    }
    text.trim()
}

fn percentage(text: &str) -> Option<Decimal> {
    let parted = text.split_once("% of ").or_else(|| text.split_once(" percent of "));
    let (share, whole) = match parted {
        Some((share, whole)) => (share, whole),
        None => {
            let (whole, share) = text.split_once('的')?;
            let share = share.trim();
            (share.strip_suffix('%').or_else(|| share.strip_prefix("百分之"))?, whole)
        }
    };
    let spoken = || {
        let (length, number) = crate::chinese_number(share.trim())?;
        (length == share.trim().len()).then(|| Decimal { units: i128::from(number), places: 0 })
    };
    let product = times(number(share).or_else(spoken)?, number(whole)?)?;
    Some(Decimal { places: product.places + 2, ..product }.shortest())
}

/// `add 3.5, 4 and 10`.
fn sum_of_list(text: &str) -> Option<Decimal> {
    let front = ["add up ", "add ", "sum of ", "total of ", "sum up "];
    let back = ["加起来", "的和", "的总和", "相加", "之和"];
    let list = front
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .or_else(|| back.iter().find_map(|word| text.strip_suffix(word)))?;
    numbers_of(list)?.into_iter().try_fold(Decimal { units: 0, places: 0 }, |sum, next| plus(sum, next, 1))
}

/// `average of 4, 8 and 12`.
fn mean_of_list(text: &str) -> Option<Decimal> {
    let front = ["average of ", "mean of "];
    let back = ["的平均数", "的平均值", "的平均"];
    let list = front
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .or_else(|| back.iter().find_map(|word| text.strip_suffix(word)))?;
    let numbers = numbers_of(list)?;
    let count = Decimal { units: i128::try_from(numbers.len()).ok()?, places: 0 };
    let sum =
        numbers.into_iter().try_fold(Decimal { units: 0, places: 0 }, |sum, next| plus(sum, next, 1))?;
    divided(sum, count)
}

/// At least two numbers with commas and "and" between them.
fn numbers_of(list: &str) -> Option<Vec<Decimal>> {
    let list = list.replace(" and ", ",").replace(['、', '和'], ",").replace(",,", ",");
    let numbers: Option<Vec<Decimal>> = list.split(',').map(number).collect();
    numbers.filter(|numbers| numbers.len() > 1)
}

/// One operation between two numbers.
fn two(text: &str) -> Option<Decimal> {
    type Operation = fn(Decimal, Decimal) -> Option<Decimal>;
    let operations: [(&str, Operation); 14] = [
        (" plus ", |a, b| plus(a, b, 1)),
        (" minus ", |a, b| plus(a, b, -1)),
        (" times ", times),
        (" divided by ", divided),
        ("加上", |a, b| plus(a, b, 1)),
        ("减去", |a, b| plus(a, b, -1)),
        ("乘以", times),
        ("除以", divided),
        ("加", |a, b| plus(a, b, 1)),
        ("减", |a, b| plus(a, b, -1)),
        ("+", |a, b| plus(a, b, 1)),
        ("*", times),
        ("/", divided),
        ("-", |a, b| plus(a, b, -1)),
    ];
    if let Some((above, below)) = text.strip_prefix("divide ").and_then(|rest| rest.split_once(" by ")) {
        return divided(number(above)?, number(below)?);
    }
    if let Some((one, other)) = text.strip_prefix("multiply ").and_then(|rest| rest.split_once(" by ")) {
        return times(number(one)?, number(other)?);
    }
    operations.iter().find_map(|(sign, operation)| {
        let (one, other) = text.split_once(sign)?;
        operation(number(one)?, number(other)?)
    })
}

/// More than two numbers with signs between them; products come first, as everywhere.
fn chain(text: &str) -> Option<Decimal> {
    let words = [
        ("divided by", "/"),
        ("multiplied by", "*"),
        ("times", "*"),
        ("plus", "+"),
        ("minus", "-"),
        ("乘以", "*"),
        ("除以", "/"),
        ("加上", "+"),
        ("减去", "-"),
        ("加", "+"),
        ("减", "-"),
        ("乘", "*"),
        ("×", "*"),
        ("÷", "/"),
    ];
    // A date is no difference.
    let inner = text.as_bytes().windows(3);
    if inner
        .into_iter()
        .any(|three| three[1] == b'-' && three[0].is_ascii_digit() && three[2].is_ascii_digit())
    {
        return None;
    }
    let plain = words.iter().fold(text.to_owned(), |text, (word, sign)| text.replace(word, sign));
    let mut numbers = Vec::new();
    let mut signs = Vec::new();
    for part in plain.split_inclusive(['+', '-', '*', '/']) {
        numbers.push(number(part.trim_end_matches(['+', '-', '*', '/']))?);
        signs.extend(part.chars().next_back().filter(|last| "+-*/".contains(*last)));
    }
    if numbers.len() < 3 || signs.len() + 1 != numbers.len() {
        return None;
    }
    let mut terms = vec![(1, numbers[0])];
    for (sign, next) in signs.into_iter().zip(numbers.into_iter().skip(1)) {
        let (_, last) = terms.last_mut()?;
        match sign {
            '*' => *last = times(*last, next)?,
            '/' => *last = divided(*last, next)?,
            sign => terms.push((if sign == '-' { -1 } else { 1 }, next)),
        }
    }
    terms.into_iter().try_fold(Decimal { units: 0, places: 0 }, |sum, (sign, term)| plus(sum, term, sign))
}

/// A plain decimal number; nothing with signs, exponents or groups.
fn number(text: &str) -> Option<Decimal> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !whole.is_empty() && whole.len() + fraction.len() <= MOST_DIGITS;
    if !(fits && digits(whole) && digits(fraction)) || text.ends_with('.') {
        return None;
    }
    let units = format!("{whole}{fraction}").parse().ok()?;
    Some(Decimal { units, places: u32::try_from(fraction.len()).ok()? })
}

fn plus(one: Decimal, other: Decimal, sign: i128) -> Option<Decimal> {
    let places = one.places.max(other.places);
    let scaled = |number: Decimal| number.units.checked_mul(10_i128.checked_pow(places - number.places)?);
    let units = scaled(one)?.checked_add(scaled(other)?.checked_mul(sign)?)?;
    Some(Decimal { units, places }.shortest())
}

fn times(one: Decimal, other: Decimal) -> Option<Decimal> {
    let units = one.units.checked_mul(other.units)?;
    Some(Decimal { units, places: one.places + other.places }.shortest())
}

/// Only a quotient that ends.
fn divided(one: Decimal, other: Decimal) -> Option<Decimal> {
    let above = one.units.checked_mul(10_i128.checked_pow(other.places + QUOTIENT_DIGITS)?)?;
    let below = other.units.checked_mul(10_i128.checked_pow(one.places)?)?;
    (below != 0 && above % below == 0)
        .then(|| Decimal { units: above / below, places: QUOTIENT_DIGITS }.shortest())
}

impl Decimal {
    /// Without zeros at its end.
    fn shortest(mut self) -> Self {
        while self.places > 0 && self.units % 10 == 0 {
            self.units /= 10;
            self.places -= 1;
        }
        self
    }

    fn shown(self) -> String {
        let digits = format!("{:0width$}", self.units.unsigned_abs(), width = self.places as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - self.places as usize);
        let sign = if self.units < 0 { "-" } else { "" };
        if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }
}

#[cfg(test)]
mod tests {
    use super::calculate;

    #[test]
    fn figures_come_out_exactly() {
        for (request, result) in [
            ("what's 18% of 249.90", "18% of 249.90 = 44.982"),
            ("what's 15% of 80", "15% of 80 = 12"),
            ("how much is 12 * 7", "12 * 7 = 84"),
            ("add 3.5, 4 and 10", "add 3.5, 4 and 10 = 17.5"),
            ("80的15%是多少", "80的15% = 12"),
            ("3加4等于多少", "3加4 = 7"),
            ("12乘以7是多少", "12乘以7 = 84"),
            ("what is 0.1 plus 0.2", "0.1 plus 0.2 = 0.3"),
            ("5 - 7.5", "5 - 7.5 = -2.5"),
            ("1 / 8", "1 / 8 = 0.125"),
            ("divide 144 by 12", "divide 144 by 12 = 12"),
            ("what's 20 percent of 50", "20 percent of 50 = 10"),
            ("what is the average of 4, 8 and 12", "average of 4, 8 and 12 = 8"),
            ("把4,8,12加起来算一下", "4,8,12加起来 = 24"),
            ("4,8,12的平均数", "4,8,12的平均数 = 8"),
            ("2 + 3 * 4", "2 + 3 * 4 = 14"),
            ("what is 7 plus 8 times 2", "7 plus 8 times 2 = 23"),
            ("10 - 8 / 4 - 1.5", "10 - 8 / 4 - 1.5 = 6.5"),
        ] {
            assert_eq!(calculate(request).as_deref(), Some(result), "{request}");
        }
    }

    #[test]
    fn what_is_no_plain_calculation_is_not_answered() {
        for request in [
            "what is 2^10",
            "1 / 3",
            "1 / 0",
            "1 + 2 / 3",
            "1 + + 2",
            "what is the square root of 2",
            "2026-11-23",
            "12",
            "add 3 files",
            "10% of the files",
            "find 3 + 4",
            "1,000 + 1",
            "a.txt - b.txt",
        ] {
            assert_eq!(calculate(request), None, "{request}");
        }
    }
}
