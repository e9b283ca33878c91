//! What the page about the controller shows: each function gives one file.

use artoo_control::Decision;
use artoo_control::belief::{Cause, Evidence, Tables};
use artoo_control::cascade::{TABLE, Trend};
use artoo_control::loss;
use artoo_types::control::{Directive, MacroState};
use artoo_types::setting::ControlParams;
use artoo_types::unit::{Cost, Distance, Implausibility};

use crate::plant::Family;
use crate::report::Row;
use crate::svg::{Align, COLOURS, Drawing};
use crate::trial::TOLD;

/// L over the spent budget, for a right and a wrong approach, near and far.
pub fn loss() -> String {
    let mut sheet = Drawing::new(560.0, 300.0, "Loss L over the spent budget \u{3a9}, by D and P");
    let params = ControlParams::default();
    let at = |cost: f64, loss: f64| (60.0 + 460.0 * cost, 250.0 - 200.0 * loss);
    sheet.line(&[at(0.0, 1.0), at(0.0, 0.0), at(1.0, 0.0)], "#888");
    for tick in 0..=4 {
        let share = f64::from(tick) / 4.0;
        let ((x, y), (left, level)) = (at(share, 0.0), at(0.0, share));
        sheet.word(x, y + 16.0, Align::Middle, &format!("{share:.2}"));
        sheet.word(left - 6.0, level + 4.0, Align::End, &format!("{share:.2}"));
    }
    let cases =
        [("D 1, P 1", 1.0, 1.0), ("D 1, P 0", 1.0, 0.0), ("D 0.3, P 1", 0.3, 1.0), ("D 0.3, P 0", 0.3, 0.0)];
    for ((_, distance, wrong), colour) in cases.iter().zip(COLOURS) {
        let of = |cost: f64| {
            let (d, p) = (Distance::clamped(*distance), Implausibility::clamped(*wrong));
            loss::total(&params, d, p, Cost::clamped(cost))
        };
        let points: Vec<(f64, f64)> = (0..=20).map(|n| f64::from(n) / 20.0).map(|x| at(x, of(x))).collect();
        sheet.line(&points, colour);
    }
    sheet.legend(70.0, 288.0, &cases.map(|(word, ..)| word));
    sheet.finish()
}

/// The cells that ask for another plan; the others end the task.
pub fn table() -> String {
    let mut sheet = Drawing::new(
        560.0,
        190.0,
        "What the table asks for while something is open and the budget is not spent",
    );
    for (i, trend) in [Trend::Falling, Trend::Flat, Trend::Rising].into_iter().enumerate() {
        let x = 130.0 + 140.0 * i as f64;
        let word = match trend {
            Trend::Falling => "Q falls",
            Trend::Flat => "nothing moves",
            Trend::Rising => "Q rises",
        };
        sheet.word(x + 65.0, 50.0, Align::Middle, word);
        for (j, wrong) in [false, true].into_iter().enumerate() {
            let y = 60.0 + 60.0 * j as f64;
            let of = TABLE
                .iter()
                .find(|(cell, _)| cell.trend == trend && cell.far && cell.wrong == wrong && !cell.spent);
            if let Some((_, Decision::Replan(directive))) = of {
                let colour = match directive {
                    Directive::Refine => COLOURS[0],
                    Directive::ChangePath => COLOURS[1],
                    Directive::ChangeApproach => COLOURS[2],
                    Directive::BreakSymmetry => COLOURS[3],
                };
                sheet.bar(x, y, (130.0, 50.0), colour, 0.35);
                sheet.word(x + 65.0, y + 30.0, Align::Middle, MacroState::from(*directive).as_str());
            }
        }
    }
    sheet.word(12.0, 90.0, Align::Start, "approach sound");
    sheet.word(12.0, 150.0, Align::Start, "approach wrong");
    sheet.finish()
}

/// What is believed of a step that failed for the first time, by what its attempts showed.
pub fn belief(tables: &Tables) -> String {
    let mut sheet = Drawing::new(640.0, 230.0, "What is believed of a step after its first failed round");
    let plain = Evidence { receipts: 0, classes: 0, level: 1, trend: 1, single: false, relapse: false };
    let kinds = [
        ("calls fail, blamed on the surroundings", Evidence { receipts: 3, classes: 2, level: 2, ..plain }),
        ("nothing moves, one criterion", Evidence { level: 2, single: true, ..plain }),
        ("fewer criteria fail each time", Evidence { level: 0, trend: 0, ..plain }),
        ("what was met fails again", Evidence { relapse: true, trend: 2, level: 2, ..plain }),
    ];
    for (i, (word, evidence)) in kinds.into_iter().enumerate() {
        let y = 45.0 + 38.0 * i as f64;
        sheet.word(12.0, y + 16.0, Align::Start, word);
        let chances = tables.seen(tables.prior(Directive::ChangePath), evidence, 1.0);
        let mut x = 260.0;
        for (chance, colour) in chances.into_iter().zip(COLOURS) {
            sheet.bar(x, y, (360.0 * chance, 24.0), colour, 0.85);
            if chance >= 0.1 {
                sheet.word(x + 180.0 * chance, y + 16.0, Align::Middle, &format!("{:.0} %", 100.0 * chance));
            }
            x += 360.0 * chance;
        }
    }
    sheet.legend(20.0, 218.0, &Cause::ALL.map(Cause::as_str));
    sheet.finish()
}

/// Success of each family against another row, in points.
pub fn families(rows: &[&Row], base: &Row) -> String {
    let mut sheet = Drawing::new(
        760.0,
        330.0,
        &format!("True success against {}, in points, by what tasks fail of", base.name),
    );
    let middle = 190.0;
    let solvable = Family::ALL.into_iter().filter(|family| *family != Family::Impossible);
    for level in [-20.0, -10.0, 0.0, 10.0, 20.0] {
        let y = middle - 5.0 * level;
        sheet.line(&[(50.0, y), (745.0, y)], if level == 0.0 { "#444" } else { "#ccc" });
        sheet.word(44.0, y + 4.0, Align::End, &format!("{level:+.0}"));
    }
    for (i, family) in solvable.enumerate() {
        let left = 60.0 + 98.0 * i as f64;
        for (j, (row, colour)) in rows.iter().zip(COLOURS).enumerate() {
            let x = left + 26.0 * j as f64;
            let points = row.of_family(family)[0] - base.of_family(family)[0];
            sheet.bar(x, middle, (22.0, -5.0 * points), colour, 1.0);
        }
        sheet.word(left + 37.0, 308.0, Align::Middle, family.as_str());
    }
    let words: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    sheet.legend(60.0, 325.0, &words);
    sheet.finish()
}

/// The true cause against what was told in the first round.
pub fn confusion(row: &Row) -> String {
    let mut sheet = Drawing::new(
        560.0,
        290.0,
        "What the belief tells of a step after its first round, by the true cause, %",
    );
    for (j, axis) in TOLD.iter().enumerate() {
        sheet.word(165.0 + 80.0 * j as f64, 50.0, Align::Middle, axis.as_str());
    }
    for (i, (cause, told)) in Cause::ALL.iter().zip(row.confusion(|_, round| round == 0)).enumerate() {
        let y = 60.0 + 44.0 * i as f64;
        sheet.word(12.0, y + 24.0, Align::Start, cause.as_str());
        let all = (told.iter().sum::<u64>() as f64).max(1.0);
        for (j, n) in told.iter().enumerate() {
            let (x, share) = (127.0 + 80.0 * j as f64, *n as f64 / all);
            sheet.bar(x, y, (76.0, 40.0), COLOURS[0], share);
            sheet.word(x + 38.0, y + 25.0, Align::Middle, &format!("{:.0}", 100.0 * share));
        }
    }
    sheet.finish()
}
