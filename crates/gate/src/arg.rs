//! Words of a command as far as they are known before they are expanded.

/// One piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text that stays as it is.
    Text(String),
    /// Unquoted text with characters that expand to file names or alternatives.
    Wild(String),
    /// Unquoted text that is known and that the shell splits into words, or expands, again.
    Split(String),
    /// Something that is known only when the command runs. `loose`: unquoted, so that it may become several words.
    Hole { kind: Hole, loose: bool },
}

/// What is known of a piece that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hole {
    /// A number.
    Number,
    /// A path out of a listing that was checked; a path only when it is the whole word. It begins with no dash.
    Listing,
    /// The same, and none of the paths is split or changed when the word is not quoted.
    Names,
    /// The path of a new entry of the call's own temporary folder, or of that folder: one word, which begins with no dash.
    Scratch,
    /// The number of a process that the command has started in the background; nothing where it has started none.
    Child,
    /// Anything.
    Opaque,
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Arg(pub(crate) Vec<Part>);

impl Arg {
    /// A word of plain text.
    pub(crate) fn plain(text: &str) -> Self {
        Self(vec![Part::Text(text.to_owned())])
    }

    /// A word that is one hole.
    pub(crate) fn hole(kind: Hole) -> Self {
        Self(vec![Part::Hole { kind, loose: false }])
    }

    /// The text, when all of it is known.
    pub(crate) fn fixed(&self) -> Option<String> {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Wild(_) | Part::Split(_) | Part::Hole { .. } => return None,
            }
        }
        Some(text)
    }

    /// The known text at its start.
    pub(crate) fn prefix(&self) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Wild(_) | Part::Split(_) | Part::Hole { .. } => break,
            }
        }
        text
    }

    /// Whether it is text and wildcards only.
    pub(crate) fn is_pattern(&self) -> bool {
        self.0.iter().all(|part| !matches!(part, Part::Hole { .. } | Part::Split(_)))
    }

    /// Whether the whole word is a path, or several, out of a listing that was checked.
    pub(crate) fn is_listed(&self) -> bool {
        matches!(
            self.0.as_slice(),
            [Part::Hole { kind: Hole::Names, .. } | Part::Hole { kind: Hole::Listing, loose: false }]
        )
    }

    /// Whether it is something in the call's own temporary folder: known to be there, or a name of its own in it.
    pub(crate) fn is_scratch(&self) -> bool {
        let is_name = |text: &str| {
            text.strip_prefix('/')
                .is_some_and(|name| !name.contains('/') && name != ".." && !name.starts_with('~'))
        };
        match self.0.as_slice() {
            [Part::Hole { kind: Hole::Scratch, .. }] => true,
            [Part::Hole { kind: Hole::Scratch, .. }, Part::Text(text)] => is_name(text),
            _ => false,
        }
    }

    /// Whether it is something anywhere below the call's own temporary folder, as far as no link leads away from there.
    pub(crate) fn is_below_scratch(&self) -> bool {
        let is_below = |text: &str| {
            text.starts_with('/') && text.split('/').all(|part| part != ".." && !part.starts_with('~'))
        };
        match self.0.as_slice() {
            [Part::Hole { kind: Hole::Scratch, .. }, Part::Text(text)] => is_below(text),
            _ => self.is_scratch(),
        }
    }

    /// Whether every unknown piece is a number.
    pub(crate) fn is_numeric(&self) -> bool {
        self.0.iter().all(|part| match part {
            Part::Text(_) => true,
            Part::Wild(_) | Part::Split(_) => false,
            Part::Hole { kind, .. } => *kind == Hole::Number,
        })
    }

    /// Whether it may turn into several words.
    pub(crate) fn is_loose(&self) -> bool {
        self.0.iter().any(|part| match part {
            Part::Split(_) => true,
            Part::Hole { kind, loose } => {
                *loose && !matches!(kind, Hole::Number | Hole::Names | Hole::Scratch)
            }
            Part::Text(_) | Part::Wild(_) => false,
        })
    }

    /// Whether it may turn into an option, or into several words, that the text does not show.
    pub(crate) fn may_hide_option(&self) -> bool {
        let first = self.0.iter().find(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        let open = match first {
            Some(Part::Wild(text)) => text.starts_with(['*', '?', '[', '{']),
            Some(Part::Hole { kind, .. }) => *kind == Hole::Opaque,
            Some(Part::Split(_)) => true,
            Some(Part::Text(_)) | None => false,
        };
        self.is_loose() || open
    }

    /// Whether it is an option by its text.
    pub(crate) fn is_option(&self) -> bool {
        let start = match self.0.iter().find(|part| !matches!(part, Part::Text(text) if text.is_empty())) {
            Some(Part::Text(text) | Part::Wild(text)) => text.clone(),
            Some(Part::Split(_) | Part::Hole { .. }) | None => String::new(),
        };
        start.starts_with('-') && self.fixed().is_none_or(|text| text.len() > 1)
    }

    /// The word as text, unknown pieces left out: for targets and messages.
    pub(crate) fn shown(&self) -> String {
        self.0
            .iter()
            .map(|part| match part {
                Part::Text(text) | Part::Wild(text) | Part::Split(text) => text.as_str(),
                Part::Hole { .. } => "…",
            })
            .collect()
    }

    /// The words that the shell makes of a word that is known text to be split; any other word stays one.
    pub(crate) fn split(self) -> Vec<Self> {
        match self.0.as_slice() {
            [Part::Split(text)] if !text.contains(['*', '?', '[', '\\']) => {
                text.split_whitespace().map(Self::plain).collect()
            }
            _ => vec![self],
        }
    }

    /// Adds text at its end.
    pub(crate) fn push_text(&mut self, text: &str) {
        if let Some(Part::Text(last)) = self.0.last_mut() {
            last.push_str(text);
        } else {
            self.0.push(Part::Text(text.to_owned()));
        }
    }
}

/// Whether unquoted text is more, or less, than one plain word.
pub(crate) fn splits(text: &str) -> bool {
    text.is_empty() || text.contains([' ', '\t', '\n', '*', '?', '['])
}
