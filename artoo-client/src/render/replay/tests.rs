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
