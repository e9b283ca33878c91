//! Whether the evidence that a task is accepted on bears on what it is cited for. What the judges asked of it is not asked
//! again here: this is the auditor's own, smaller test.

use std::collections::{BTreeMap, BTreeSet};

use artoo_types::criteria::{Criterion, CriterionMode, CriterionVerdict, Verdict};
use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::finding::FindingKind;
use artoo_types::outcome::{ExecutionResult, SubTaskOutcome};
use artoo_types::text::first_chars;
use artoo_types::{EvidenceId, SubtaskId};
use serde::{Deserialize, Serialize};

use crate::deeds::{Deed, claimed, shown};
use crate::event::Findings;
use crate::subjects::{ChangedFiles, NamedFiles};

/// Classes that do nothing; what they print is no evidence of anything but themselves.
const IDLE: [&str; 6] = ["shell:true", "shell::", "shell:false", "shell:sleep", "shell:exit", "shell:echo"];
/// Classes whose exit status 1 is an answer: nothing was found, or there is a difference.
const ANSWERS_BY_ONE: [&str; 8] = [
    "shell:grep",
    "shell:egrep",
    "shell:fgrep",
    "shell:rg",
    "shell:diff",
    "shell:cmp",
    "shell:test",
    "shell:pgrep",
];
/// One doubt is proof enough; a few more help the operator.
const MAX_DOUBTS: usize = 4;
/// Characters of a criterion in a finding.
const CRITERION_CHARS: usize = 80;

/// What the receipts of a task showed. It grows with the calls that the limits of a task allow.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct EvidenceWatch {
    receipts: BTreeMap<EvidenceId, ReceiptFacts>,
    deeds: BTreeSet<Deed>,
    /// What is another than before.
    #[serde(rename = "changed_files")]
    changed: ChangedFiles,
    /// What the criteria of the plans name.
    named: NamedFiles,
    /// Something was done of which it is not known to what files.
    is_blurred: bool,
    /// What is doubtful about accepting on what was put to the controller last.
    doubts: AcceptanceDoubts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ReceiptFacts {
    subtask: SubtaskId,
    /// Why it proves nothing, in words.
    fault: Option<String>,
    /// Whether it changed something: that stands, whatever became of its step.
    #[serde(default)]
    did: bool,
    /// Which of the named files it says nothing of.
    #[serde(default)]
    silent_on: BTreeSet<usize>,
}

/// What makes an acceptance doubtful.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
struct AcceptanceDoubts {
    irrelevant: Vec<String>,
    stale: Vec<String>,
}

impl EvidenceWatch {
    /// Takes in the criteria of a plan: what they name is looked for in the receipts that come.
    pub(crate) fn expect<'a>(&mut self, criteria: impl Iterator<Item = &'a Criterion>) {
        criteria.for_each(|criterion| self.named.add(&criterion.text));
    }

    /// Takes in the receipts of an attempt.
    pub(crate) fn note(&mut self, result: &ExecutionResult) {
        result.receipts.iter().for_each(|receipt| self.note_call(result.subtask_id, receipt));
    }

    /// Takes in what the judge of a step looked at itself.
    pub(crate) fn note_looks<'a>(&mut self, subtask: SubtaskId, receipts: impl Iterator<Item = &'a Receipt>) {
        for receipt in receipts {
            if !self.receipts.contains_key(&receipt.id) {
                self.note_call(subtask, receipt);
            }
        }
    }

    fn note_call(&mut self, subtask: SubtaskId, receipt: &Receipt) {
        let silent_on = self.named.unmentioned(receipt);
        let did = receipt.end == CallEnd::Ran && !shown(receipt).is_empty();
        let facts = ReceiptFacts { subtask, fault: fault(receipt), did, silent_on };
        self.receipts.insert(receipt.id.clone(), facts);
        self.deeds.extend(shown(receipt));
        self.changed.note(receipt);
        let is_seen = !receipt.act.changes.is_empty() && receipt.act.changes_omitted == 0;
        self.is_blurred |= receipt.effect != EffectClass::Read && receipt.end == CallEnd::Ran && !is_seen;
    }

    /// Looks at what would be accepted with these verdicts.
    pub(crate) fn weigh(
        &mut self,
        outcomes: &[SubTaskOutcome],
        task_verdicts: &[CriterionVerdict],
        task_criteria: &[Criterion],
        working_directory: &str,
    ) {
        let matched: BTreeSet<SubtaskId> =
            outcomes.iter().filter(|o| o.matched()).map(|o| o.subtask_id).collect();
        let mut doubts = AcceptanceDoubts::default();
        for outcome in outcomes {
            for verdict in &outcome.criteria_verdicts {
                let criterion = outcome.subtask.success_criteria.get(verdict.index);
                self.doubt((verdict, criterion), &matched, working_directory, &mut doubts);
            }
        }
        for verdict in task_verdicts {
            let criterion = task_criteria.get(verdict.index);
            self.doubt((verdict, criterion), &matched, working_directory, &mut doubts);
        }
        self.doubts = doubts;
    }

    /// Reports what is doubtful about an acceptance.
    pub(crate) fn report(&self, found: &mut Findings) {
        let AcceptanceDoubts { irrelevant, stale } = &self.doubts;
        for (kind, doubts) in [(FindingKind::IrrelevantAccept, irrelevant), (FindingKind::StaleAccept, stale)]
        {
            if !doubts.is_empty() {
                found.push((kind, doubts.join("; ")));
            }
        }
    }

    fn doubt(
        &self,
        (verdict, criterion): (&CriterionVerdict, Option<&Criterion>),
        matched: &BTreeSet<SubtaskId>,
        working_directory: &str,
        doubts: &mut AcceptanceDoubts,
    ) {
        if !verdict.passed() || verdict.mode != CriterionMode::Verifiable {
            return;
        }
        let quoted = first_chars(&verdict.criterion, CRITERION_CHARS);
        if let Some((id, facts)) = verdict.cites.as_ref().and_then(|id| self.receipts.get_key_value(id))
            && let Some(why) = self.irrelevance(&verdict.criterion, facts, matched)
        {
            doubts.irrelevant.push(format!("\"{quoted}\" rests on {id}, {why}"));
        } else if let Some(what) =
            criterion.and_then(|criterion| self.untouched(criterion, verdict.before, working_directory))
        {
            doubts
                .stale
                .push(format!("\"{quoted}\": {what} was so before, and no call of the task changed it"));
        }
        doubts.irrelevant.truncate(MAX_DOUBTS);
        doubts.stale.truncate(MAX_DOUBTS);
    }

    fn irrelevance(
        &self,
        criterion: &str,
        facts: &ReceiptFacts,
        matched: &BTreeSet<SubtaskId>,
    ) -> Option<String> {
        if let Some(fault) = &facts.fault {
            return Some(fault.clone());
        }
        if !facts.did && !matched.contains(&facts.subtask) {
            return Some(format!("a call of subtask {}, which did not match", facts.subtask));
        }
        if let Some(names) = self.named.all_unmentioned(criterion, &facts.silent_on) {
            return Some(format!("which says nothing of {names}"));
        }
        let deed = claimed(criterion).filter(|deed| !self.deeds.contains(deed))?;
        Some(format!("and no call of the task shows that anything was {}", deed.as_str()))
    }

    /// What a check about the world is about, where nothing in the task changed it and it is no precondition. What a check
    /// gave before is known where it could be measured; where it could not, nothing can have made it true.
    fn untouched(
        &self,
        criterion: &Criterion,
        before: Option<Verdict>,
        working_directory: &str,
    ) -> Option<String> {
        let check = criterion.check.as_ref().filter(|check| check.is_about_the_world())?;
        if criterion.may_be_unchanged() || before == Some(Verdict::Fail) || self.is_blurred {
            return None;
        }
        match check.path() {
            Some(path) => (!self.changed.touch(path, working_directory)).then(|| path.to_owned()),
            None => self.changed.is_empty().then(|| "what it counts".to_owned()),
        }
    }
}

/// Why a receipt proves nothing, whatever it is cited for.
fn fault(receipt: &Receipt) -> Option<String> {
    if receipt.end != CallEnd::Ran {
        return Some(format!("a call that did not run to its end ({:?})", receipt.end));
    }
    let is_answer = |exit| exit == 1 && receipt.classes.iter().any(|c| ANSWERS_BY_ONE.contains(&c.as_str()));
    if let Some(exit) = receipt.exit.filter(|exit| *exit != 0 && !is_answer(*exit)) {
        return Some(format!("a call that ended with status {exit}"));
    }
    let is_idle = !receipt.classes.is_empty()
        && receipt.effect == EffectClass::Read
        && receipt.classes.iter().all(|class| IDLE.contains(&class.as_str()));
    is_idle.then(|| format!("a call that did nothing ({})", receipt.classes.join(", ")))
}
