//! One finding of the doctor, and how it is shown.

use std::path::PathBuf;

use serde_json::json;

use crate::render::text::pad;
use crate::render::{Language, Line, Tone};

/// Most lines of one text; a path can be long, advice is not.
const LINES: usize = 8;

/// How one check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckVerdict {
    Fine,
    /// It works, with less than it could.
    Note,
    Wrong,
}

impl CheckVerdict {
    fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Wrong => "wrong",
        }
    }
}

/// What can be put right without a question: it takes nothing away that anybody wants back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SafeFix {
    /// Takes the rights of others to a file of artoo away.
    Close(PathBuf, u32),
    /// Makes a folder.
    MakeFolder(PathBuf),
    /// Ends the daemon and starts it anew, if no task is at work.
    Restart,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DoctorCheck {
    pub(super) name: &'static str,
    pub(super) verdict: CheckVerdict,
    pub(super) saw: String,
    /// What to do, one way a line; empty when it is fine.
    pub(super) remedy: String,
    /// The same as a line for a shell, where it can be one. Words in capitals are to be filled in.
    pub(super) command: String,
    /// What `--fix` does about it.
    pub(super) fix: Option<SafeFix>,
}

impl DoctorCheck {
    pub(super) fn fine(name: &'static str, saw: String) -> Self {
        let (remedy, command) = (String::new(), String::new());
        Self { name, verdict: CheckVerdict::Fine, saw, remedy, command, fix: None }
    }

    pub(super) fn note(name: &'static str, saw: String, remedy: &str) -> Self {
        Self { verdict: CheckVerdict::Note, remedy: remedy.to_owned(), ..Self::fine(name, saw) }
    }

    pub(super) fn wrong(name: &'static str, saw: String, remedy: &str) -> Self {
        Self { verdict: CheckVerdict::Wrong, remedy: remedy.to_owned(), ..Self::fine(name, saw) }
    }

    /// The same with a line for a shell behind what is to be done.
    pub(super) fn by(self, command: String) -> Self {
        let remedy = match self.remedy.as_str() {
            "" => command.clone(),
            said => format!("{said}: {command}"),
        };
        Self { remedy, command, ..self }
    }

    /// The same with another way behind it.
    pub(super) fn or(self, other: &str) -> Self {
        Self { remedy: format!("{}\n{other}", self.remedy), ..self }
    }

    pub(super) fn fixed_by(self, fix: SafeFix) -> Self {
        Self { fix: Some(fix), ..self }
    }

    pub(super) fn lines(&self, language: Language, width: usize) -> Vec<Line> {
        let (mark, tone) = match self.verdict {
            CheckVerdict::Fine => ("✓", Tone::Good),
            CheckVerdict::Note => ("!", Tone::Warn),
            CheckVerdict::Wrong => ("✗", Tone::Bad),
        };
        let head = |mark: &str, name: &str| Line::new().add(tone, mark).add(Tone::Dim, pad(name, 14));
        let mut lines = Vec::new();
        for (i, text) in language.screen(&self.saw).lines().enumerate() {
            let start =
                if i == 0 { head(&format!("{mark} "), &language.screen(self.name)) } else { head("  ", "") };
            lines.extend(start.hanging(Tone::Plain, text, width, LINES));
        }
        for remedy in language.screen(&self.remedy).lines() {
            let start = head("  ", "").add(Tone::Accent, "→ ");
            lines.extend(start.hanging(Tone::Plain, remedy, width, LINES));
        }
        lines
    }
}

/// All of them as JSON.
pub(super) fn object(checks: &[DoctorCheck]) -> String {
    let checks: Vec<_> = checks
        .iter()
        .map(|check| {
            json!({ "name": check.name, "verdict": check.verdict.word(), "saw": check.saw, "remedy": check.remedy,
                    "command": check.command })
        })
        .collect();
    json!({ "checks": checks }).to_string()
}

#[cfg(test)]
mod tests {
    use super::{DoctorCheck, Language};

    #[test]
    fn texts_break_between_words_and_stay_under_each_other() {
        let saw = "only commands that are seen to read run unasked";
        let check = DoctorCheck::note("confinement", saw.to_owned(), "everything else asks before it runs");
        let shown: Vec<String> =
            check.lines(Language::English, 50).iter().map(|line| line.text(false)).collect();
        let expected = [
            "! confinement   only commands that are seen to",
            "                read run unasked",
            "                → everything else asks before it",
            "                  runs",
        ];
        assert_eq!(shown, expected);
    }
}
