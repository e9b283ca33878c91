//! How the result of a call becomes a receipt.

use std::path::Path;

use artoo_redact::Redactor;
use artoo_redact::sanitise;
use artoo_types::EvidenceId;
use artoo_types::evidence::{CallAct, CallEnd, CallTime, Receipt};
use artoo_types::limits::{MESSAGE_OUTPUT_CHARS, MODEL_RESULT_CHARS, WRITTEN_CHARS};
use artoo_types::taint::Taint;
use artoo_types::text::{head_tail, name_line};
use artoo_types::tool::{CallOutcome, ToolCall, canonical_arguments, joined_remarks};

use crate::outputs;
use crate::survey::{SurveyedAct, WrittenText};
use crate::tool::CallFacts;

/// Makes the receipt and stores the full output when it is longer than what a model sees at once. The output is made
/// harmless to look at and then redacted first: digest, artifact and excerpt are of what is left, no cut can leave half of a
/// secret, and no invisible character in its midst hides one.
pub(crate) fn receipt(
    call: &ToolCall,
    facts: CallFacts,
    outcome: CallOutcome,
    act: SurveyedAct,
    artifacts: &Path,
    redactor: &Redactor,
    time: CallTime,
) -> Receipt {
    let CallOutcome { end, exit, mut output, note, image } = outcome;
    let mut notes: Vec<String> = note.into_iter().collect();
    let hidden = sanitise::clean(&mut output);
    if hidden > 0 {
        notes.push(format!("{hidden} control or invisible characters were taken out"));
    }
    redactor.clean_excerpt(&mut output);
    let brought = facts.brings.read(facts.reads_it && end == CallEnd::Ran && exit == Some(0));
    let digest = outputs::digest(&output);
    let cut = output.chars().nth(MESSAGE_OUTPUT_CHARS).is_some();
    if output.chars().nth(MODEL_RESULT_CHARS).is_some()
        && let Err(error) = outputs::store(artifacts, &digest, &output)
    {
        tracing::warn!(%error, "a tool's full output could not be stored");
        notes.push(format!("the full output could not be stored ({error})"));
    }
    if act.unseen > 0 {
        notes.push(format!("{} folders were not looked into for what it changed", act.unseen));
    }
    let act = CallAct { is_exact: facts.is_exact, image: image.map(|image| *image), ..told(act, redactor) };
    Receipt {
        id: EvidenceId::receipt(call.effect_id),
        tool: call.tool.clone(),
        classes: facts.classes,
        blame: facts.blame,
        target: facts.target,
        arguments: canonical_arguments(&call.arguments),
        effect: facts.effect,
        end,
        exit,
        output_bytes: output.len() as u64,
        handle: cut.then(|| outputs::name(&digest)),
        output: head_tail(&output, MESSAGE_OUTPUT_CHARS),
        digest,
        time,
        note: joined_remarks(notes).map(|note| sanitise::sanitise(&note).text.into_owned()),
        taint: if end == CallEnd::Refused { Taint::NONE } else { brought },
        act,
    }
}

/// Whether a path may stand in a receipt as it is. One that holds a secret could not be compared once it is redacted.
pub(crate) fn is_tellable(path: &str, redactor: &Redactor) -> bool {
    let mut told = path.to_owned();
    sanitise::clean(&mut told);
    redactor.clean_excerpt(&mut told);
    told == path
}

/// What a call did, redacted as outputs are, and cut. Each of several texts says of which file it is.
fn told(act: SurveyedAct, redactor: &Redactor) -> CallAct {
    let SurveyedAct { mut changes, more, unseen, texts } = act;
    for change in &mut changes {
        sanitise::clean(&mut change.path);
        redactor.clean_excerpt(&mut change.path);
    }
    let (files, share) = (texts.len(), WRITTEN_CHARS / texts.len().max(1));
    let texts: Vec<String> = texts
        .into_iter()
        .map(|WrittenText { mut path, mut text }| {
            path = name_line(&path).into_owned();
            for shown in [&mut path, &mut text] {
                sanitise::clean(shown);
                redactor.clean_excerpt(shown);
            }
            if files == 1 {
                head_tail(&text, share)
            } else {
                format!("=== {path}\n{}", head_tail(&text, share))
            }
        })
        .collect();
    let written = (!texts.is_empty()).then(|| texts.join("\n"));
    CallAct { changes, changes_omitted: more + unseen, folders_unseen: unseen, written, ..CallAct::default() }
}
