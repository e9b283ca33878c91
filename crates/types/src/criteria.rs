//! Criteria, their machine-checkable predicates, and verdicts on them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::EvidenceId;

/// How a criterion may be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriterionMode {
    /// Evidence can prove it. Unmet, it rules out success.
    Verifiable,
    /// A matter of judgement.
    Plausible,
}

/// One assertion about a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "CriterionForm", into = "CriterionForm")]
pub struct Criterion {
    /// The assertion, for people and models.
    pub text: String,
    /// Verifiable unless stated otherwise.
    pub mode: CriterionMode,
    /// The predicate that code evaluates; with one, no model judges.
    pub check: Option<Check>,
    /// The check is a precondition: it holds before the task and after it, and the task leaves alone what it is about.
    pub unchanged: bool,
    /// What of it code put there; a model has no word for it.
    pub derived: Option<Derived>,
}

/// What code reads out of the words of a request or a plan and puts into a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Derived {
    /// What the check looks at may be as it was: neither the request nor the plan changes anything.
    Unchanged,
    /// The request makes the file.
    Made,
    /// The request makes the file with content of its own.
    Filled,
    /// The request changes the file.
    Changed,
    /// The request deletes the file.
    Deleted,
    /// The request says what the file is to hold.
    Held,
    /// The request moves something here.
    Moved {
        /// Where it was.
        from: String,
    },
    /// The request copies something here.
    Copied {
        /// Where the original is.
        from: String,
    },
    /// The request copies this, and leaves it as it is.
    Original,
}

impl Derived {
    /// The word for people.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Made => "made",
            Self::Filled => "filled",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Held => "held",
            Self::Moved { .. } => "moved",
            Self::Copied { .. } => "copied",
            Self::Original => "original",
        }
    }
}

impl Criterion {
    /// Whether what its check looks at may be as it was before the task.
    pub fn may_be_unchanged(&self) -> bool {
        self.unchanged || self.derived == Some(Derived::Unchanged)
    }

    /// Its check, where that is about the world.
    pub fn world_check(&self) -> Option<&Check> {
        self.check.as_ref().filter(|check| check.is_about_the_world())
    }
}

/// A criterion as it is written: `unchanged` is a field of its check.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Criterion")]
struct CriterionForm {
    /// The assertion, for people and models.
    text: String,
    /// Verifiable unless stated otherwise.
    #[serde(default = "verifiable")]
    mode: CriterionMode,
    /// The predicate that code evaluates; with one, no model judges.
    #[serde(default)]
    check: Option<CheckForm>,
    /// What of it code put there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    derived: Option<Derived>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct CheckForm {
    #[serde(flatten)]
    check: Check,
    /// The check is a precondition: it holds before the task and after it, and the task leaves alone what it is about.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unchanged: bool,
}

impl From<CriterionForm> for Criterion {
    fn from(form: CriterionForm) -> Self {
        let CriterionForm { text, mode, check, derived } = form;
        // Only what is in the world can be left unchanged.
        let unchanged = check.as_ref().is_some_and(|form| form.unchanged && form.check.is_about_the_world());
        Self { text, mode, check: check.map(|form| form.check), unchanged, derived }
    }
}

impl From<Criterion> for CriterionForm {
    fn from(criterion: Criterion) -> Self {
        let Criterion { text, mode, check, unchanged, derived } = criterion;
        Self { text, mode, check: check.map(|check| CheckForm { check, unchanged }), derived }
    }
}

fn verifiable() -> CriterionMode {
    CriterionMode::Verifiable
}

/// Comparison of a measured number with the stated one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Equal.
    #[serde(alias = "==", alias = "=")]
    Eq,
    /// Not equal.
    #[serde(alias = "!=")]
    Ne,
    /// Less than.
    #[serde(alias = "<")]
    Lt,
    /// Less than or equal.
    #[serde(alias = "<=")]
    Le,
    /// Greater than.
    #[serde(alias = ">")]
    Gt,
    /// Greater than or equal.
    #[serde(alias = ">=")]
    Ge,
}

impl Compare {
    /// Whether `measured` stands in this relation to `stated`. Not-a-number stands in none but `Ne`.
    pub fn holds(self, measured: f64, stated: f64) -> bool {
        match self {
            Self::Eq => measured == stated,
            Self::Ne => measured != stated,
            Self::Lt => measured < stated,
            Self::Le => measured <= stated,
            Self::Gt => measured > stated,
            Self::Ge => measured >= stated,
        }
    }
}

/// A predicate that the tools shell evaluates. Paths: a bare name is where `write_file` puts it, other relative paths are in the
/// task's working directory. `output_*` read the output of the subtask, or the merged output for a task criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Check {
    /// The path exists.
    FileExists {
        /// The path.
        path: String,
    },
    /// The path does not exist.
    FileAbsent {
        /// The path.
        path: String,
    },
    /// The file holds the text, or matches the regular expression.
    FileContains {
        /// The path.
        path: String,
        /// Literal text that must occur.
        #[serde(default)]
        text: Option<String>,
        /// Regular expression that must match somewhere.
        #[serde(default)]
        regex: Option<String>,
    },
    /// The number of lines of the file.
    FileLines {
        /// The path.
        path: String,
        /// The relation.
        op: Compare,
        /// The stated number.
        n: f64,
    },
    /// The value at a JSON pointer (RFC 6901) of a JSON file.
    FileJson {
        /// The path.
        path: String,
        /// The pointer; empty for the whole document.
        pointer: String,
        /// The relation.
        op: Compare,
        /// The stated value; numbers compare as numbers, everything else only for equality.
        value: serde_json::Value,
    },
    /// The output holds the text.
    OutputContains {
        /// Literal text that must occur.
        text: String,
    },
    /// The output matches the regular expression somewhere.
    OutputMatches {
        /// The expression.
        regex: String,
    },
    /// The number of non-empty lines of the output.
    OutputLines {
        /// The relation.
        op: Compare,
        /// The stated number.
        n: f64,
    },
    /// The value at a JSON pointer of the output read as JSON.
    OutputJson {
        /// The pointer; empty for the whole document.
        pointer: String,
        /// The relation.
        op: Compare,
        /// The stated value.
        value: serde_json::Value,
    },
    /// The last call of a tool or tool class in the attempt ended with this status.
    ExitStatus {
        /// A tool's name or a class such as `shell:find`.
        tool: String,
        /// The stated status.
        value: i64,
    },
    /// The tool, or tool class, was called in the attempt and did its work.
    ToolCalled {
        /// A tool's name or a class such as `shell:find`.
        tool: String,
    },
    /// The number of files that match a glob.
    FilesMatch {
        /// The glob; relative to the working directory.
        glob: String,
        /// The relation.
        op: Compare,
        /// The stated number.
        n: f64,
    },
}

impl Check {
    /// The file that it is about; none for checks of outputs and calls, and for a pattern.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::FileExists { path }
            | Self::FileAbsent { path }
            | Self::FileContains { path, .. }
            | Self::FileLines { path, .. }
            | Self::FileJson { path, .. } => Some(path),
            Self::OutputContains { .. }
            | Self::OutputMatches { .. }
            | Self::OutputLines { .. }
            | Self::OutputJson { .. }
            | Self::ExitStatus { .. }
            | Self::ToolCalled { .. }
            | Self::FilesMatch { .. } => None,
        }
    }

    /// Whether it is about the world, which was there before the task; the others are about what the task's calls gave.
    pub fn is_about_the_world(&self) -> bool {
        match self {
            Self::FileExists { .. }
            | Self::FileAbsent { .. }
            | Self::FileContains { .. }
            | Self::FileLines { .. }
            | Self::FileJson { .. }
            | Self::FilesMatch { .. } => true,
            Self::OutputContains { .. }
            | Self::OutputMatches { .. }
            | Self::OutputLines { .. }
            | Self::OutputJson { .. }
            | Self::ExitStatus { .. }
            | Self::ToolCalled { .. } => false,
        }
    }
}

/// Pass or fail; there is nothing between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The criterion is met, and the cited evidence shows it.
    Pass,
    /// It is not met, or nothing shows that it is.
    Fail,
}

/// Why a criterion failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// The approach is wrong.
    Logical,
    /// The approach is sound, the surroundings were in the way.
    Environmental,
}

/// The verdict on one criterion, as it enters the controller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriterionVerdict {
    /// Index in the list of criteria that was judged.
    pub index: usize,
    /// The criterion's text.
    pub criterion: String,
    /// How it may be met.
    pub mode: CriterionMode,
    /// Pass or fail.
    pub verdict: Verdict,
    /// Set for a fail that could be classified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_class: Option<FailureClass>,
    /// The evidence that the verdict cites. A pass always cites one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cites: Option<EvidenceId>,
    /// What the judge saw, in words.
    pub evidence: String,
    /// For a check about the world: what it gave before the task did anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Verdict>,
}

impl CriterionVerdict {
    /// Whether the criterion is met.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Pass
    }
}
