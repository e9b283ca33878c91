//! What a replay found: whether everything is the same, where it parts, and what the controller decided.

use artoo_protocol::v1::{ControllerDecision, ReplayDifference, ReplayTaskResponse, ReplayedDecision};

use crate::render::figures::{count, gradient, implausibility, percent};
use crate::render::text::one_line;
use crate::render::{Line, Tone};

/// Most lines of one value of a difference.
const VALUE_LINES: usize = 4;
/// Most lines of one remark.
const REMARK_LINES: usize = 3;

/// The lines of a replay. `settings` are those that it was decided with in the place of the recorded ones.
pub fn lines(replay: &ReplayTaskResponse, settings: &[String], width: usize) -> Vec<Line> {
    let mut lines = match &replay.first_difference {
        None => same(replay, settings, width),
        Some(difference) if settings.is_empty() => differs(difference, width),
        Some(difference) => decides_differently(difference, settings, width),
    };
    for (index, decision) in replay.decisions.iter().enumerate() {
        lines.extend(round(decision, index == 0, width));
    }
    for remark in &replay.remarks {
        lines.extend(Line::plain("  ").hanging(Tone::Dim, remark, width, REMARK_LINES));
    }
    lines
}

fn same(replay: &ReplayTaskResponse, settings: &[String], width: usize) -> Vec<Line> {
    let (word, what) = if settings.is_empty() {
        let (steps, messages) = (count(replay.steps, "step"), count(replay.envelopes, "message"));
        let effects = count(replay.effects, "effect");
        ("✓ identical", format!("{steps}, {messages} and {effects} folded again"))
    } else {
        ("✓ decides the same", format!("with {}", settings.join(", ")))
    };
    Line::new().add(Tone::Good, word).add(Tone::Plain, "   ").hanging(Tone::Dim, &what, width, REMARK_LINES)
}

fn differs(difference: &ReplayDifference, width: usize) -> Vec<Line> {
    let head =
        Line::new().add(Tone::Bad, format!("✗ differs at step {}", difference.step)).add(Tone::Plain, "   ");
    let mut lines = head.hanging(Tone::Strong, &difference.about, width, VALUE_LINES);
    let rows =
        [("where", &difference.path), ("recorded", &difference.recorded), ("replayed", &difference.replayed)];
    for (label, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        let label = Line::plain("    ").add(Tone::Dim, format!("{label:<10}"));
        lines.extend(label.hanging(Tone::Plain, text, width, VALUE_LINES));
    }
    lines
}

fn decides_differently(difference: &ReplayDifference, settings: &[String], width: usize) -> Vec<Line> {
    let head =
        Line::new().add(Tone::Warn, format!("✗ parts at step {}", difference.step)).add(Tone::Plain, "   ");
    let what = format!("{}, with {}", difference.about, settings.join(", "));
    head.hanging(Tone::Plain, &what, width, VALUE_LINES)
}

/// One round: a line when recording and replay say the same, else one for each.
fn round(decision: &ReplayedDecision, first: bool, width: usize) -> Vec<Line> {
    let ReplayedDecision { recorded, replayed, agrees } = decision;
    let number = recorded.as_ref().or(replayed.as_ref()).map_or(0, |decided| decided.round);
    let head = format!("  round {number:<2} ");
    if let (Some(recorded), true) = (recorded, recorded == replayed) {
        return vec![decided(&head, Some(recorded), first, Tone::Strong).fit(width)];
    }
    let tone = if *agrees { Tone::Strong } else { Tone::Warn };
    vec![
        decided(&head, recorded.as_ref(), first, Tone::Strong).fit(width),
        decided("  replayed ", replayed.as_ref(), first, tone).fit(width),
    ]
}

/// The decision before its figures, so that a narrow screen cuts the figures.
fn decided(head: &str, decided: Option<&ControllerDecision>, first: bool, tone: Tone) -> Line {
    let line = Line::new().add(Tone::Dim, head);
    let Some(decided) = decided else { return line.add(tone, "no decision here") };
    let loss = decided.loss.unwrap_or_default();
    let mut word = one_line(&decided.directive);
    if !decided.reason.is_empty() {
        word = format!("{word} · {}", one_line(&decided.reason));
    }
    let figures = format!(
        "D {:.2}  P {:<4}  Ω {:>4}  L {:.2}  ∇L {}",
        loss.d,
        implausibility(&loss),
        percent(loss.omega),
        loss.l,
        gradient(decided.grad_l, first)
    );
    line.add(tone, word).to_column(39).add(Tone::Plain, figures)
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::Loss;

    use super::*;

    fn decision(round: u32, d: f64, omega: f64, directive: &str, reason: &str) -> ControllerDecision {
        ControllerDecision {
            round,
            loss: Some(Loss { d, p: 0.25, omega, l: 0.6 * d + 0.1 }),
            grad_l: -0.125,
            grad_q: -0.1,
            directive: directive.to_owned(),
            reason: reason.to_owned(),
        }
    }

    fn twice(recorded: Option<ControllerDecision>, replayed: Option<ControllerDecision>) -> ReplayedDecision {
        let word = |decision: &Option<ControllerDecision>| decision.as_ref().map(|d| d.directive.clone());
        let agrees = word(&recorded) == word(&replayed);
        ReplayedDecision { recorded, replayed, agrees }
    }

    fn both(decision: ControllerDecision) -> ReplayedDecision {
        twice(Some(decision.clone()), Some(decision))
    }

    fn shown(replay: &ReplayTaskResponse, settings: &[&str], width: usize) -> String {
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
        let text: Vec<String> = lines(replay, &settings, width).iter().map(|line| line.text(false)).collect();
        for line in &text {
            assert!(crate::render::text::columns(line) <= width, "wider than {width}: {line}");
            assert!(!line.contains(char::is_control), "{line:?}");
        }
        text.join("\n")
    }

    fn identical() -> ReplayTaskResponse {
        ReplayTaskResponse {
            identical: true,
            first_difference: None,
            steps: 41,
            envelopes: 63,
            effects: 29,
            decisions: vec![
                both(decision(0, 1.0, 0.0, "change_path", "")),
                both(decision(1, 0.0, 0.22, "accept", "criteria_met")),
            ],
            remarks: Vec::new(),
        }
    }

    #[test]
    fn a_task_that_is_the_same_again() {
        insta::assert_snapshot!("identical", shown(&identical(), &[], 80));
        insta::assert_snapshot!("identical_narrow", shown(&identical(), &[], 44));
    }

    #[test]
    fn a_task_that_differs() {
        let difference = ReplayDifference {
        step: 17,
        path: "envelopes[2].payload.body.rationale".to_owned(),
        about: "plan_directive from R7 to R2 (sequence 23, round 0)".to_owned(),
        recorded: "\"失败的地方 \u{1b}[31mnot the method\"".to_owned(),
        replayed:
            "\"first failure, the place was wrong rather than the method, and the place is what must change\""
                .to_owned(),
    };
        let remark = "Recorded by 0.1.0+0123456789abcdef and replayed by 0.1.0+fedcba9876543210: the words of prompts \
                  were not compared (3 read differently now).";
        let replay = ReplayTaskResponse {
            identical: false,
            first_difference: Some(difference),
            remarks: vec![remark.to_owned()],
            ..identical()
        };
        insta::assert_snapshot!("differs", shown(&replay, &[], 80));
    }

    #[test]
    fn other_settings_that_decide_the_same_and_otherwise() {
        let settings = ["lambda=0.5", "theta=0.3"];
        let mut replay = identical();
        replay.decisions[1].replayed = Some(decision(1, 0.0, 0.33, "accept", "criteria_met"));
        insta::assert_snapshot!("decides_the_same", shown(&replay, &settings, 80));

        replay.identical = false;
        replay.first_difference = Some(ReplayDifference {
            step: 30,
            about: "the controller's decision on round 1".to_owned(),
            ..ReplayDifference::default()
        });
        replay.decisions[1] = twice(
            Some(decision(1, 0.67, 0.22, "refine", "")),
            Some(decision(1, 0.67, 1.0, "abandon", "replans_exhausted")),
        );
        replay.decisions.push(twice(Some(decision(2, 0.5, 0.4, "refine", "")), None));
        replay.remarks = vec!["It holds up to there: what would have followed, nobody has tried.".to_owned()];
        insta::assert_snapshot!("parts", shown(&replay, &settings, 80));
    }
}
