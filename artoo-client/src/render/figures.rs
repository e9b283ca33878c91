//! Numbers with units, and the trajectory of the loss as a small plot.

use artoo_protocol::v1::{Loss, TaskUsage, TrajectoryPoint};
use prost_types::Timestamp;

/// Heights of the plot, lowest first; seven, so that a full block does not touch the line above.
const HEIGHTS: [char; 7] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/// Values between 0 and 1 as a row of bars.
pub fn plot(values: impl IntoIterator<Item = f64>) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "clamped between 0 and 6"
    )]
    let bar = |value: f64| HEIGHTS[(value.clamp(0.0, 1.0) * (HEIGHTS.len() - 1) as f64).round() as usize];
    values.into_iter().map(bar).collect()
}

/// D of every round and its plot: `1.00 → 0.67 → 0.00 ▇▅▁`; only the number when there was one round.
pub fn distances(trajectory: &[TrajectoryPoint], last: &Loss) -> String {
    let values: Vec<f64> =
        trajectory.iter().filter_map(|point| point.loss.as_ref()).map(|loss| loss.d).collect();
    if values.len() < 2 {
        return format!("{:.2}", last.d);
    }
    let numbers: Vec<String> = values.iter().map(|d| format!("{d:.2}")).collect();
    format!("{} {}", numbers.join(" → "), plot(values))
}

/// P, or a dash when nothing failed.
pub fn implausibility(loss: &Loss) -> String {
    if loss.d == 0.0 { "–".to_owned() } else { format!("{:.2}", loss.p) }
}

/// A share as a percentage: `21 %`.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A gradient with its sign; a dash in the first round, which has none.
pub fn gradient(value: f64, first: bool) -> String {
    if first { "–".to_owned() } else { format!("{value:+.2}") }
}

/// `0.04 s`, `9 s`, `2 m 5 s`, `3 h 1 m`, `4 d 2 h`.
pub fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    let two = |large: u64, large_unit: &str, small: u64, small_unit: &str| {
        if small == 0 {
            format!("{large} {large_unit}")
        } else {
            format!("{large} {large_unit} {small} {small_unit}")
        }
    };
    match ms {
        0..1_000 => format!("0.{:02} s", ms / 10),
        1_000..10_000 => format!("{seconds}.{} s", ms % 1000 / 100),
        10_000..60_000 => format!("{seconds} s"),
        60_000..3_600_000 => two(seconds / 60, "m", seconds % 60, "s"),
        3_600_000..86_400_000 => two(seconds / 3600, "h", seconds % 3600 / 60, "m"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

/// `6 bytes`, `1.2 MB`: units of a thousand, as the system's own tools show them.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if number < 1_000 {
        return count(number, "byte");
    }
    let (mut unit, mut size) = (0, 1_000);
    // Rounded to tenths, so that none shows a thousand of a unit.
    while number.saturating_add(size / 20) / size >= 1_000 && unit + 1 < UNITS.len() {
        (unit, size) = (unit + 1, size * 1_000);
    }
    let tenths = number.saturating_add(size / 20) / (size / 10);
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

/// `1 replan`, `2 replans`.
pub fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `1 memory`, `2 memories`.
pub fn memories(number: u64) -> String {
    if number == 1 { "1 memory".to_owned() } else { format!("{number} memories") }
}

/// Model calls over all roles.
pub fn model_calls(usage: &TaskUsage) -> u64 {
    usage.roles.values().map(|role| role.calls).sum()
}

/// What the model calls cost, where that is known: `0.0123 USD`, `about 0.0123 USD` where a server does not say what was used.
pub fn cost(usage: &TaskUsage) -> Option<String> {
    let about = if usage.estimated_tokens.is_some() { "about " } else { "" };
    usage.cost_usd.map(|dollars| format!("{about}{dollars:.4} USD"))
}

/// Milliseconds since the Unix epoch; 0 for an absent time.
pub fn millis(time: Option<&Timestamp>) -> i64 {
    time.map_or(0, |time| time.seconds.saturating_mul(1000).saturating_add(i64::from(time.nanos / 1_000_000)))
}

/// Milliseconds from one time to another; 0 when the clock stepped back or a time is absent.
pub fn between(from: Option<&Timestamp>, to: Option<&Timestamp>) -> u64 {
    if from.is_none() || to.is_none() {
        return 0;
    }
    u64::try_from(millis(to).saturating_sub(millis(from))).unwrap_or(0)
}

/// How long ago a time was: `3 d ago`, `just now`; a dash for an absent time.
pub fn age(time: Option<&Timestamp>, now_ms: i64) -> String {
    let Some(time) = time else { return "–".to_owned() };
    let ms = u64::try_from(now_ms.saturating_sub(millis(Some(time)))).unwrap_or(0);
    match ms {
        0..10_000 => "just now".to_owned(),
        10_000..60_000 => format!("{} s ago", ms / 1000),
        60_000..3_600_000 => format!("{} m ago", ms / 60_000),
        3_600_000..86_400_000 => format!("{} h ago", ms / 3_600_000),
        _ => format!("{} d ago", ms / 86_400_000),
    }
}

/// The part of an id that people type: its time, to the millisecond.
pub fn short_id(id: &str) -> &str {
    id.get(..13).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::{age, between, bytes, count, duration, plot, short_id};

    #[test]
    fn the_plot_has_seven_heights() {
        assert_eq!(plot([1.0, 0.67, 0.0]), "▇▅▁");
        assert_eq!(plot([2.0, -1.0, f64::NAN]), "▇▁▁");
    }

    #[test]
    fn durations_carry_their_units() {
        for (ms, text) in [
            (0, "0.00 s"),
            (40, "0.04 s"),
            (999, "0.99 s"),
            (9_040, "9.0 s"),
            (59_999, "59 s"),
            (125_000, "2 m 5 s"),
            (3_600_000, "1 h"),
            (90_061_000, "1 d 1 h"),
        ] {
            assert_eq!(duration(ms), text);
        }
        assert_eq!(count(1, "replan"), "1 replan");
        assert_eq!(count(0, "replan"), "0 replans");
    }

    #[test]
    fn a_clock_that_stepped_back_gives_no_negative_time() {
        let at = |seconds| prost_types::Timestamp { seconds, nanos: 500_000_000 };
        assert_eq!(between(Some(&at(1)), Some(&at(3))), 2_000);
        assert_eq!(between(Some(&at(3)), Some(&at(1))), 0);
        assert_eq!(between(None, Some(&at(1))), 0);
        assert_eq!(age(Some(&at(0)), 3 * 86_400_000 + 600), "3 d ago");
        assert_eq!(age(Some(&at(9)), 0), "just now");
        assert_eq!(age(None, 0), "–");
    }

    #[test]
    fn short_ids_keep_the_time() {
        assert_eq!(short_id("0197b2c4-1a2b-7000-8000-000000000000"), "0197b2c4-1a2b");
        assert_eq!(short_id("é"), "é");
    }

    #[test]
    fn sizes_have_units_of_a_thousand() {
        let cases = [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (1_200_369, "1.2 MB"),
            (256 << 20, "268.4 MB"),
        ];
        for (number, shown) in cases {
            assert_eq!(bytes(number), shown);
        }
    }
}
