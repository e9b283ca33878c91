//! How a server is asked for JSON: from the strictest form that it takes down to plain words, remembered for as long
//! as the daemon runs.

use parking_lot::Mutex;

use super::refusal::ServerRefusal;
use crate::config::ApiForm;

/// Words by which servers speak of the form of a reply in a 400.
const FORM_WORDS: [&str; 10] = [
    "text.format",
    "response_schema",
    "response_mime_type",
    "response_format",
    "json_schema",
    "json_object",
    "json schema",
    "structured output",
    "guided_json",
    "grammar",
];

/// One way to ask for JSON, strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rung {
    /// `response_format` with the schema.
    JsonSchema,
    /// `response_format` without one; the schema is in the prompt.
    JsonObject,
    /// No `response_format`; the schema is in the prompt.
    Text,
}

/// What a server has shown to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// How it is asked for JSON.
    pub(super) rung: Rung,
    /// Whether it takes `stream_options`.
    pub(super) stream_options: bool,
    /// Whether it streams.
    pub(super) stream: bool,
    /// Whether it takes instructions apart from the person's words.
    pub(super) system: bool,
    /// Whether it takes tools in its own form.
    pub(super) tools: bool,
    /// Which of [`REPLY_TOKENS`] a reply may have, where the interface wants a bound.
    pub(super) reply_tokens: usize,
}

/// Tokens that a reply may have, the largest first: models take no larger bound than their own.
pub(super) const REPLY_TOKENS: [u32; 3] = [16_000, 8_192, 4_096];

impl Default for Dialect {
    fn default() -> Self {
        Self {
            rung: Rung::JsonSchema,
            stream_options: true,
            stream: true,
            system: true,
            tools: true,
            reply_tokens: 0,
        }
    }
}

/// What is known of the server.
#[derive(Debug)]
pub(super) struct Ladder(Mutex<Dialect>);

impl Ladder {
    /// What is supposed of a server that speaks this interface.
    pub(super) fn new(api: ApiForm) -> Self {
        // What Messages takes as a schema is narrower than ours.
        let rung = if api == ApiForm::Messages { Rung::Text } else { Rung::JsonSchema };
        Self(Mutex::new(Dialect { rung, stream_options: api == ApiForm::Chat, ..Dialect::default() }))
    }

    /// Begins a call with what is known. With native tools no form is asked for: a form would keep the model from
    /// calling a tool.
    pub(super) fn walk(&self, wants_tools: bool) -> LadderWalk {
        let mut dialect = *self.0.lock();
        let (native_tools, known) = (wants_tools && dialect.tools, dialect.rung);
        if native_tools {
            dialect.rung = Rung::Text;
        }
        LadderWalk { dialect, native_tools, known, refused: Vec::new() }
    }

    /// Keeps what a call that was answered has shown.
    pub(super) fn remember(&self, walk: &LadderWalk) {
        let mut known = self.0.lock();
        let rung = if walk.native_tools { known.rung } else { walk.dialect.rung };
        *known = Dialect { rung, ..walk.dialect };
    }
}

/// One call's way over the ladder. Each rung but the last, and each of the other properties, can be refused: at most
/// [`MAX_STEPS`].
#[derive(Debug)]
pub(super) struct LadderWalk {
    /// How to ask now.
    pub(super) dialect: Dialect,
    /// Whether tools are offered in the server's own form.
    pub(super) native_tools: bool,
    /// The rung for calls without them.
    known: Rung,
    refused: Vec<Rung>,
}

/// What else a server may not take, by the words with which it says so, and how it is left out.
type LeftOut = (fn(&LadderWalk) -> bool, &'static [&'static str], fn(&mut LadderWalk));

const LEFT_OUT: [LeftOut; 5] = [
    (|w| w.dialect.reply_tokens + 1 < REPLY_TOKENS.len(), &["max_tokens"], |w| w.dialect.reply_tokens += 1),
    (
        |w| w.dialect.stream_options,
        &["stream_options", "include_usage"],
        |w| w.dialect.stream_options = false,
    ),
    (
        |w| w.native_tools,
        &["tool", "function call"],
        |w| {
            w.dialect.tools = false;
            w.native_tools = false;
            w.dialect.rung = w.known;
        },
    ),
    (
        |w| w.dialect.stream,
        &["to stream", "streaming", "'stream'", "`stream`", "\\\"stream\\\""],
        |w| {
            w.dialect.stream = false;
        },
    ),
    (
        |w| w.dialect.system,
        &["'system'", "`system`", "system role", "system message", "developer instruction"],
        |w| {
            w.dialect.system = false;
        },
    ),
];

/// Most steps of one walk.
#[cfg(test)]
const MAX_STEPS: usize = LEFT_OUT.len() - 1 + (REPLY_TOKENS.len() - 1) + 2;

impl LadderWalk {
    /// Takes another form when the refusal objects to this one. False when it is about something else, or nothing is
    /// left to try.
    pub(super) fn step(&mut self, refusal: &ServerRefusal) -> bool {
        for (is_used, words, leave_out) in LEFT_OUT {
            if is_used(self) && refusal.objects_to(words) {
                leave_out(self);
                return true;
            }
        }
        if self.dialect.rung == Rung::Text || !refusal.objects_to(&FORM_WORDS) {
            return false;
        }
        self.refused.push(self.dialect.rung);
        // Downwards, except from JSON object where the server asks for a schema: some take a schema or nothing.
        let wants_schema =
            self.dialect.rung == Rung::JsonObject && refusal.objects_to(&["json_schema", "json schema"]);
        let order = if wants_schema {
            [Rung::JsonSchema, Rung::Text, Rung::JsonObject]
        } else {
            [Rung::JsonObject, Rung::Text, Rung::JsonSchema]
        };
        match order.into_iter().find(|rung| !self.refused.contains(rung)) {
            Some(rung) => {
                self.dialect.rung = rung;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ladder, MAX_STEPS, Rung};
    use crate::config::ApiForm;
    use crate::openai::refusal::ServerRefusal;

    /// From `start`, the refusals lead over these rungs; None where the walk ends.
    fn check(start: Rung, refusals: &[(u16, &str)], expected: &[Option<Rung>]) {
        let mut walk = Ladder::new(ApiForm::Chat).walk(false);
        walk.dialect.rung = start;
        let steps: Vec<Option<Rung>> = refusals
            .iter()
            .map(|(status, body)| {
                walk.step(&ServerRefusal::from_status(*status, body, None)).then_some(walk.dialect.rung)
            })
            .collect();
        assert_eq!(steps, expected, "{refusals:?}");
    }

    const NO_SCHEMA: (u16, &str) =
        (400, r#"{"error":{"message":"This response_format type is unavailable now"}}"#);
    const SCHEMA_OR_TEXT: (u16, &str) =
        (400, r#"{"error":"'response_format.type' must be 'json_schema' or 'text'"}"#);

    #[test]
    fn a_refused_form_leads_to_the_next_lower_one() {
        check(Rung::JsonSchema, &[NO_SCHEMA, NO_SCHEMA], &[Some(Rung::JsonObject), Some(Rung::Text)]);
        check(Rung::JsonSchema, &[(422, "unsupported: JSON_SCHEMA")], &[Some(Rung::JsonObject)]);
        check(Rung::JsonSchema, &[(400, "failed to parse grammar")], &[Some(Rung::JsonObject)]);
    }

    #[test]
    fn a_server_that_wants_a_schema_or_nothing_leads_upwards() {
        check(Rung::JsonObject, &[SCHEMA_OR_TEXT, NO_SCHEMA], &[Some(Rung::JsonSchema), Some(Rung::Text)]);
        check(Rung::JsonSchema, &[NO_SCHEMA, SCHEMA_OR_TEXT], &[Some(Rung::JsonObject), Some(Rung::Text)]);
    }

    #[test]
    fn other_refusals_lead_nowhere() {
        check(Rung::JsonSchema, &[(400, "the prompt is too long")], &[None]);
        check(Rung::JsonSchema, &[(401, "response_format"), (500, "response_format")], &[None, None]);
        check(Rung::Text, &[NO_SCHEMA], &[None]);
    }

    #[test]
    fn stream_options_are_left_out_where_they_are_refused() {
        let mut walk = Ladder::new(ApiForm::Chat).walk(false);
        let refusal = ServerRefusal::from_status(400, r#"{"detail":"Extra inputs: stream_options"}"#, None);
        assert!(walk.step(&refusal));
        assert!(!walk.dialect.stream_options && walk.dialect.rung == Rung::JsonSchema);
        assert!(!walk.step(&refusal), "it is not sent any more, so it cannot be the reason");
    }

    #[test]
    fn what_was_answered_is_remembered() {
        let ladder = Ladder::new(ApiForm::Chat);
        let mut walk = ladder.walk(false);
        assert!(walk.step(&ServerRefusal::from_status(NO_SCHEMA.0, NO_SCHEMA.1, None)));
        assert_eq!(ladder.walk(false).dialect.rung, Rung::JsonSchema, "not before an answer");
        ladder.remember(&walk);
        assert_eq!(ladder.walk(false).dialect.rung, Rung::JsonObject);
        let native = ladder.walk(true);
        assert_eq!(native.dialect.rung, Rung::Text, "a form would keep the model from calling a tool");
        ladder.remember(&native);
        assert_eq!(ladder.walk(false).dialect.rung, Rung::JsonObject, "native calls say nothing about forms");
    }

    #[test]
    fn every_walk_ends() {
        let all = r#"{"error": "response_format, stream_options, max_tokens, tools, 'stream' and the system role"}"#;
        let mut walk = Ladder::new(ApiForm::Chat).walk(true);
        let refusal = ServerRefusal::from_status(400, all, None);
        let steps = (0..100).take_while(|_| walk.step(&refusal)).count();
        assert_eq!(steps, MAX_STEPS);
        assert!(!walk.native_tools && !walk.dialect.stream && !walk.dialect.system);
        let ladder = Ladder::new(ApiForm::Chat);
        ladder.remember(&walk);
        assert!(!ladder.walk(true).native_tools, "a server without tools is not offered any again");
    }
}
