//! The bounds that everything else is derived from. One number, one place.

/// Longest request text, in bytes.
pub const MAX_INPUT_BYTES: usize = 64 * 1024;
/// Most subtasks a plan may have.
pub const MAX_SUBTASKS: usize = 32;
/// Most sequence groups a plan may have.
pub const MAX_GROUPS: usize = 8;
/// Most subtasks that run at once; the rest of a group queues.
pub const MAX_PARALLEL: usize = 8;
/// Most criteria a subtask, or a task, may have.
pub const MAX_CRITERIA: usize = 12;
/// Most tool calls in one attempt of an executor. Calls that code refused are none of them.
pub const MAX_TOOL_STEPS: usize = 60;
/// Most calls of one attempt that code may refuse. An executor that has not understood by then does not.
pub const MAX_REFUSALS: usize = 12;
/// Characters of one tool result that a model sees (head and tail).
pub const MODEL_RESULT_CHARS: usize = 16_000;
/// Characters of prior outputs in one subtask's context.
pub const PRIOR_OUTPUT_CHARS: usize = 8_000;
/// Characters of one output that travels in messages; the rest is reached through its handle.
pub const MESSAGE_OUTPUT_CHARS: usize = 32 * 1024;
/// Files and folders that one receipt lists as changed; how many more there are is counted. A hundred bytes of path and two
/// digests each: what a receipt of 32 KiB of output may add to its journal line by half.
pub const MAX_CHANGES: usize = 64;
/// Characters of what a call wrote that its receipt holds, beside the arguments that may hold it whole.
pub const WRITTEN_CHARS: usize = 4_000;
/// Characters of one whole prompt. A request of 64 KiB with its restatement, the receipts that [`EVIDENCE_CHARS`] lets in
/// and 8,000 of context fit.
pub const MAX_PROMPT_CHARS: usize = 192_000;
/// Characters of all receipts, or of all outputs, in one prompt.
pub const EVIDENCE_CHARS: usize = 60_000;
/// Drafts of a plan that may be rejected before the planner has to say that it cannot plan.
pub const MAX_DRAFT_REJECTIONS: u32 = 2;
/// Memory entries that reach the planner.
pub const MAX_MEMORY_ENTRIES: usize = 10;
/// Questions that the perceiver may ask, all in one turn.
pub const MAX_QUESTIONS: usize = 2;
/// Questions that the executors of one task may ask the person, each once: more is no help to who wanted it done.
pub const MAX_PERSON_QUESTIONS: usize = 2;
/// Answers to choose from that such a question may name.
pub const MAX_CHOICES: usize = 6;
/// Characters of such a question, of each choice, and of an answer that goes to the executor.
pub const PERSON_CHARS: usize = 2_000;
/// Earlier turns of a session that the perceiver sees.
pub const SESSION_PAIRS: usize = 5;
/// Characters of the answers of those turns, the newest first: what "the third of them" refers to.
pub const SESSION_CHARS: usize = 8_000;
/// Files and folders of a request that are looked at before rules plan.
pub const ASKED_PATHS: usize = 8;
/// Names of workspace files that a planner sees.
pub const WORKSPACE_FILES: usize = 50;
/// How long an attended question waits for its answer, in milliseconds.
pub const QUESTION_EXPIRY_MS: u64 = 10 * 60 * 1000;
/// Characters of a tool call's output in `tool_calls`.
pub const TOOL_CALL_SNIPPET_CHARS: usize = 200;
/// Deadline of one model call, in milliseconds.
pub const MODEL_CALL_MS: u64 = 120_000;
/// How many times its deadline a call may take as long as its reply keeps coming: models on a person's own machine think for
/// minutes. A server that falls silent is given up long before.
pub const HEARS_OUT: u32 = 5;
/// How long a task waits for a model that is busy or gone, in milliseconds, unless it is set otherwise. Journals leave the value
/// out, so that it stays.
pub const MODEL_WAIT_MS: u64 = 600_000;
/// The first wait for a busy model that names none, in milliseconds; each further one is twice as long.
pub const MODEL_RETRY_MS: u64 = 3_000;
/// The longest of these waits, in milliseconds.
pub const MODEL_RETRY_CAP_MS: u64 = 60_000;
/// Deadline of one tool call unless the call sets another, in milliseconds. A command may ask for as much as its task has left.
pub const TOOL_CALL_MS: u64 = 30_000;
/// Deadline of a command that tests or builds, in milliseconds, unless it sets another or a quarter of what its task has left is
/// less: one that is killed has to begin again.
pub const LONG_CALL_MS: u64 = 120_000;
/// What is kept of the time of a task, in milliseconds, for judging and telling what its calls found: a tenth, and no more
/// than one model call takes. Calls of any step may take all the rest, for one step may be all of the task.
pub fn closing_ms(task_ms: u64) -> u64 {
    (task_ms / 10).min(MODEL_CALL_MS)
}
/// Restarts in a row after which a task that got no further ends: it may be what brings the daemon down.
pub const MAX_RESTARTS: u32 = 8;
/// How long cancellation waits for the last child, in milliseconds.
pub const STOP_MS: u64 = 2_850;

/// Tokens of the context for which the bounds of prompts above are made. A model that has more is shown more, one that has less
/// is shown less.
const USUAL_CONTEXT: u64 = 32_768;
/// The least share of the usual bounds: below it a prompt says nothing any more.
const LEAST_SHARE: f64 = 0.1;
/// The largest share of the usual bounds: 30,000 characters of one result.
const MOST_SHARE: f64 = 1.875;
/// Characters of a prompt for each token of a context, a quarter of it left to the reply: code and figures take three
/// characters a token.
const CHARS_A_TOKEN: f64 = 2.25;
/// The least bound of a whole prompt, in characters: what the roles say of themselves has room.
const LEAST_PROMPT_CHARS: usize = 6_000;

/// The bounds of one prompt by the context of the model that reads it, in characters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PromptLimits {
    /// Share of the usual bounds.
    share: f64,
    /// One whole prompt.
    pub prompt_chars: usize,
}

impl Default for PromptLimits {
    /// Of a model of which nothing is known.
    fn default() -> Self {
        Self { share: 1.0, prompt_chars: MAX_PROMPT_CHARS }
    }
}

impl PromptLimits {
    /// The bounds for a context of so many tokens; the usual ones where that is not known.
    pub fn of(context: Option<u64>) -> Self {
        let Some(tokens) = context else { return Self::default() };
        let share = (tokens as f64 / USUAL_CONTEXT as f64).clamp(LEAST_SHARE, MOST_SHARE);
        let chars = (tokens as f64 * CHARS_A_TOKEN) as usize;
        Self { share, prompt_chars: chars.clamp(LEAST_PROMPT_CHARS, MAX_PROMPT_CHARS) }
    }

    /// What a bound for the usual context is here.
    pub fn scaled(&self, usual: usize) -> usize {
        (usual as f64 * self.share) as usize
    }

    /// One tool result, head and tail.
    pub fn result_chars(&self) -> usize {
        self.scaled(MODEL_RESULT_CHARS)
    }

    /// All receipts, or all outputs.
    pub fn evidence_chars(&self) -> usize {
        self.scaled(EVIDENCE_CHARS)
    }
}

/// Calls by which a judge sees for itself before it judges an attempt.
pub const MAX_JUDGE_LOOKS: usize = 3;

/// The most model calls that a task can make, known before it starts: what perceiving, planning and judging may cost
/// in the worst case under the bounds above. Each call may be asked again once when its reply is lost, and once to repair its form.
///
/// One attempt of an executor: [`MAX_TOOL_STEPS`] actions, [`MAX_REFUSALS`] refused ones and one to finish; then one judgement, and one
/// more where it looks for itself. A round: one plan and
/// its allowed rejections, every attempt of every subtask, one merge. The first call is the perceiver's, two with a
/// clarification; the last is the planner's farewell, which is asked once.
pub fn worst_case_model_calls(max_replans: u32, max_retries: u32) -> u64 {
    let attempt = (MAX_TOOL_STEPS + MAX_REFUSALS) as u64 + 1 + 2;
    let subtask = attempt * (u64::from(max_retries) + 1);
    let round = 1 + u64::from(MAX_DRAFT_REJECTIONS) + subtask * MAX_SUBTASKS as u64 + 1;
    3 * (2 + round * (u64::from(max_replans) + 1)) + 1
}

#[cfg(test)]
mod tests {
    use super::{EVIDENCE_CHARS, MAX_PROMPT_CHARS, MESSAGE_OUTPUT_CHARS, MODEL_RESULT_CHARS, PromptLimits};

    #[test]
    fn prompts_follow_the_context_of_the_model() {
        let of = |tokens| PromptLimits::of(Some(tokens));
        let usual = PromptLimits::of(None);
        assert_eq!(
            (usual.result_chars(), usual.evidence_chars(), usual.prompt_chars),
            (MODEL_RESULT_CHARS, EVIDENCE_CHARS, MAX_PROMPT_CHARS)
        );
        assert_eq!((of(32_768).result_chars(), of(32_768).prompt_chars), (MODEL_RESULT_CHARS, 73_728));
        assert_eq!((of(8_192).result_chars(), of(8_192).prompt_chars), (4_000, 18_432));
        for tokens in [200_000, 1_000_000, u64::MAX] {
            assert_eq!((of(tokens).result_chars(), of(tokens).prompt_chars), (30_000, MAX_PROMPT_CHARS));
        }
        assert!(of(u64::MAX).result_chars() <= MESSAGE_OUTPUT_CHARS, "a receipt holds no more");
        assert_eq!((of(0).result_chars(), of(0).prompt_chars), (1_600, 6_000));
    }
}
