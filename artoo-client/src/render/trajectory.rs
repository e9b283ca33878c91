//! The figures of every round as a small plot: a row each for D, P, Ω and L.

use artoo_protocol::v1::{Loss, TrajectoryPoint};

use crate::render::figures::plot;
use crate::render::text::columns;
use crate::render::{Line, Tone};

/// A figure: its symbol, how it is read out of a round, what it says.
struct FigureRow {
    symbol: &'static str,
    of: fn(&Loss) -> f64,
    meaning: &'static str,
}

const ROWS: [FigureRow; 4] = [
    FigureRow { symbol: "D", of: |loss| loss.d, meaning: "what is missing" },
    FigureRow { symbol: "P", of: |loss| loss.p, meaning: "the approach is wrong" },
    FigureRow { symbol: "Ω", of: |loss| loss.omega, meaning: "the budget that is spent" },
    FigureRow { symbol: "L", of: |loss| loss.l, meaning: "the loss of all three" },
];

/// The plot, in rows of at most `width` columns; nothing for a single round, whose figures stand elsewhere.
pub fn lines(trajectory: &[TrajectoryPoint], width: usize) -> Vec<Line> {
    let losses: Vec<Loss> = trajectory.iter().filter_map(|point| point.loss).collect();
    if losses.len() < 2 {
        return Vec::new();
    }
    ROWS.iter().map(|figure| row(figure, &losses, width)).collect()
}

fn row(figure: &FigureRow, losses: &[Loss], width: usize) -> Line {
    let values: Vec<f64> = losses.iter().map(figure.of).collect();
    // L may be above 1; its bars are drawn against its own highest value then.
    let highest = values.iter().copied().fold(1.0, f64::max);
    let head = Line::plain("  ")
        .add(Tone::Accent, figure.symbol)
        .add(Tone::Plain, format!("  {}", plot(values.iter().map(|value| value / highest))));
    let number = |value: &f64| format!("{value:.2}");
    let all = values.iter().map(number).collect::<Vec<_>>().join(" → ");
    let room = width.saturating_sub(head.columns() + 2);
    let ends = [values.first(), values.last()].into_iter().flatten().map(number).collect::<Vec<_>>();
    let numbers = if columns(&all) <= room { all } else { ends.join(" … ") };
    let line = head.add(Tone::Plain, format!("  {numbers}"));
    let with_meaning = line.clone().add(Tone::Dim, format!("   {}", figure.meaning));
    if with_meaning.columns() <= width { with_meaning } else { line.fit(width) }
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{Loss, TrajectoryPoint};

    use super::lines;

    fn shown(rounds: &[(f64, f64, f64, f64)], width: usize) -> Vec<String> {
        let point = |(d, p, omega, l): &(f64, f64, f64, f64)| TrajectoryPoint {
            loss: Some(Loss { d: *d, p: *p, omega: *omega, l: *l }),
            ..Default::default()
        };
        let points: Vec<TrajectoryPoint> = rounds.iter().map(point).collect();
        let lines = lines(&points, width);
        assert!(lines.iter().all(|line| line.columns() <= width), "{lines:?}");
        lines.iter().map(|line| line.text(false)).collect()
    }

    #[test]
    fn every_figure_has_its_row() {
        let rounds = [(1.0, 1.0, 0.01, 0.9), (0.67, 0.0, 0.21, 0.49), (0.0, 0.0, 0.42, 0.17)];
        assert_eq!(
            shown(&rounds, 80),
            [
                "  D  ▇▅▁  1.00 → 0.67 → 0.00   what is missing",
                "  P  ▇▁▁  1.00 → 0.00 → 0.00   the approach is wrong",
                "  Ω  ▁▂▄  0.01 → 0.21 → 0.42   the budget that is spent",
                "  L  ▆▄▂  0.90 → 0.49 → 0.17   the loss of all three",
            ]
        );
        assert!(shown(&rounds[..1], 80).is_empty(), "one round has no course");
    }

    #[test]
    fn many_rounds_and_a_loss_above_one_fit_the_screen() {
        let rounds: Vec<_> = (0..21).map(|n| (1.0, 0.5, f64::from(n) / 21.0, 1.3)).collect();
        let shown = shown(&rounds, 80);
        assert_eq!(shown[0], "  D  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇  1.00 … 1.00   what is missing");
        assert!(shown[3].starts_with("  L  ▇▇▇▇"), "{shown:?}");
    }
}
