//! What a plan looked at, and what was there: a plan that failed is bad in the state in which it failed, and in no other.

use serde::{Deserialize, Serialize};

use crate::plan::PlanMark;

/// Most inputs of one plan, or of one call, that are remembered. A plan that looks at more is compared by these.
pub const MAX_INPUTS: usize = 32;

/// What was found at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", content = "sha256", rename_all = "snake_case")]
pub enum InputState {
    /// Nothing.
    Absent,
    /// Something, by its SHA-256 in hex: of a small file's content, of another file's size and time of change, of the names,
    /// sizes and times of what lies in a folder.
    Present(String),
    /// It could not be looked at, or is too large to be. No state is the same as this one.
    Unknown,
}

/// One path and what was found there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanInput {
    /// Absolute lexical path; the tool class where nobody can tell what a call depends on.
    pub path: String,
    /// What was there.
    #[serde(flatten)]
    pub state: InputState,
}

/// The part of the world that something failed in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldState {
    /// The working folder; empty where nothing is known of the state.
    pub folder: String,
    /// What was looked at, each path once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<PlanInput>,
}

impl WorldState {
    /// Whether the world is as it was: the same folder, and every input as in `present`. What nobody looked at now, or
    /// could not be told then, is not the same.
    pub fn holds(&self, folder: &str, present: &[PlanInput]) -> bool {
        let is_same = |input: &PlanInput| input.state != InputState::Unknown && present.contains(input);
        !self.folder.is_empty() && self.folder == folder && self.inputs.iter().all(is_same)
    }

    /// Adds what a call looked at. The first look at a path counts: it came before what the plan itself changed.
    pub fn note(&mut self, inputs: &[PlanInput]) {
        for input in inputs {
            if self.inputs.len() < MAX_INPUTS && self.inputs.iter().all(|known| known.path != input.path) {
                self.inputs.push(input.clone());
            }
        }
    }
}

/// A plan that failed because its approach was wrong, and the state in which it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "FailedPlanForm", into = "FailedPlanForm")]
pub struct FailedPlan {
    /// The plan.
    pub mark: PlanMark,
    /// The state.
    pub world: WorldState,
}

/// How a failed plan is written down. Earlier builds wrote its mark alone.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FailedPlanForm {
    Mark(PlanMark),
    InState {
        mark: PlanMark,
        #[serde(flatten)]
        world: WorldState,
    },
}

impl From<FailedPlanForm> for FailedPlan {
    fn from(form: FailedPlanForm) -> Self {
        match form {
            FailedPlanForm::Mark(mark) => Self { mark, world: WorldState::default() },
            FailedPlanForm::InState { mark, world } => Self { mark, world },
        }
    }
}

impl From<FailedPlan> for FailedPlanForm {
    fn from(FailedPlan { mark, world }: FailedPlan) -> Self {
        if world == WorldState::default() { Self::Mark(mark) } else { Self::InState { mark, world } }
    }
}

/// What failed, in a memory that says so.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RememberedFailure {
    /// The plans that failed for a request because their approach was wrong: code refuses them in the state they failed in.
    #[serde(default, rename = "failed_plans", skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<FailedPlan>,
    /// The state in which a call failed; None where the memory is of no call, and where nothing is known of it.
    #[serde(default, rename = "failed_in", skip_serializing_if = "Option::is_none")]
    pub world: Option<WorldState>,
}

impl RememberedFailure {
    /// Every path that has to be looked at to tell whether the state is the same; what was unknown is never the same.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let worlds = self.plans.iter().map(|plan| &plan.world).chain(&self.world);
        let inputs = worlds.flat_map(|world| &world.inputs);
        inputs.filter(|input| input.state != InputState::Unknown).map(|input| input.path.as_str())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn input(path: &str, state: InputState) -> PlanInput {
        PlanInput { path: path.to_owned(), state }
    }

    fn world(inputs: &[PlanInput]) -> WorldState {
        WorldState { folder: "/w".to_owned(), inputs: inputs.to_vec() }
    }

    #[test]
    fn a_state_holds_in_its_folder_while_every_input_is_as_it_was() {
        let (absent, one) = (input("/w/a", InputState::Absent), InputState::Present("1".to_owned()));
        let failed = world(&[absent.clone(), input("/w/b", one.clone())]);
        let check = |folder: &str, present: &[PlanInput], holds: bool| {
            assert_eq!(failed.holds(folder, present), holds, "{folder} {present:?}");
        };
        let same = [input("/w/b", one.clone()), absent.clone(), input("/w/c", InputState::Absent)];
        check("/w", &same, true);
        check("/v", &same, false);
        check("/w", std::slice::from_ref(&absent), false);
        check("/w", &[absent, input("/w/b", InputState::Present("2".to_owned()))], false);
        check("/w", &[input("/w/a", one.clone()), input("/w/b", one)], false);
        let unknown = input("/w/a", InputState::Unknown);
        assert!(!world(std::slice::from_ref(&unknown)).holds("/w", &[unknown]), "nobody can tell");
        assert!(world(&[]).holds("/w", &[]), "a plan that looked at nothing fails in its folder");
        assert!(!WorldState::default().holds("", &[]), "of a state that is not known nothing holds");
    }

    #[test]
    fn the_first_look_at_a_path_counts() {
        let mut state = world(&[input("/w/a", InputState::Absent)]);
        state.note(&[
            input("/w/a", InputState::Present("made".to_owned())),
            input("/w/b", InputState::Absent),
        ]);
        assert_eq!(state, world(&[input("/w/a", InputState::Absent), input("/w/b", InputState::Absent)]));
    }

    #[test]
    fn what_earlier_builds_wrote_is_read_and_written_as_it_was() {
        let mark = PlanMark(Uuid::from_u128(7));
        let old =
            RememberedFailure { plans: vec![FailedPlan { mark, world: WorldState::default() }], world: None };
        let text = serde_json::to_string(&old).expect("it is plain data");
        assert_eq!(text, r#"{"failed_plans":["00000000-0000-0000-0000-000000000007"]}"#);
        assert_eq!(serde_json::from_str::<RememberedFailure>(&text).expect("it was just written"), old);
        let state =
            world(&[input("/w/a", InputState::Absent), input("/w/b", InputState::Present("1".to_owned()))]);
        let new =
            RememberedFailure { plans: vec![FailedPlan { mark, world: state.clone() }], world: Some(state) };
        let text = serde_json::to_string(&new).expect("it is plain data");
        assert_eq!(serde_json::from_str::<RememberedFailure>(&text).expect("it was just written"), new);
        assert_eq!(new.paths().collect::<Vec<_>>(), ["/w/a", "/w/b", "/w/a", "/w/b"]);
    }
}
