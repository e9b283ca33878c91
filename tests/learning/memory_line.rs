//! A line of the `## Memory` section, read as a careful reader would: which tools and files it speaks of, and how far it
//! carries over to another file.

/// What a line says of a way to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// It worked.
    For,
    /// It failed.
    Against,
}

/// One line.
#[derive(Debug)]
pub(crate) struct MemoryLine<'a> {
    pub(crate) says: Says,
    text: &'a str,
}

impl<'a> MemoryLine<'a> {
    /// Reads a line; none when it is neither advice for nor against anything.
    pub(crate) fn read(line: &'a str) -> Option<Self> {
        let (word, text) = line.split_once(": ")?;
        let says = match word {
            "SHOULD PREFER" | "HINT" | "RULE" => Says::For,
            "MUST NOT" | "MUST NOT use" | "MUST NOT repeat" | "CAUTION" => Says::Against,
            _ => return None,
        };
        Some(Self { says, text })
    }

    /// The tools of the first step that it speaks of: `Plan: 1 [a, b] …` or `a on /path …`; sorted.
    pub(crate) fn tools(&self) -> Vec<&'a str> {
        let in_plan = self.text.split_once("lan: 1 [").or_else(|| self.text.split_once("lans: 1 ["));
        if let Some((tools, _)) = in_plan.and_then(|(_, rest)| rest.split_once(']')) {
            return tools.split(", ").collect();
        }
        self.text.split_once(" on /").map(|(tool, _)| vec![tool]).unwrap_or_default()
    }

    /// How closely what it speaks of is like this file: 2 for one in the same folder, 1 for one with the same ending.
    pub(crate) fn closeness(&self, file: &str) -> u32 {
        let paths = || self.text.split([' ', '"', ',', ';']).filter(|word| word.contains('/'));
        if paths().any(|path| folder(path) == folder(file)) {
            2
        } else {
            u32::from(paths().any(|path| ending(path) == ending(file)))
        }
    }

    /// Whether it says that a file was not where it was looked for.
    pub(crate) fn is_about_a_place(&self) -> bool {
        is_missing(self.text)
    }

    /// Whether it names this plan of one step, as plans are written down.
    pub(crate) fn names_plan(&self, tools: &[&str], intent: &str) -> bool {
        let mut tools = tools.to_vec();
        tools.sort_unstable();
        let step = format!("[{}] {}", tools.join(", "), intent.to_lowercase());
        self.says == Says::Against && self.text.to_lowercase().contains(&step)
    }
}

/// Whether a text says that a file is not there.
pub(crate) fn is_missing(text: &str) -> bool {
    let text = text.to_lowercase();
    ["no such file", "does not exist", "not found", "cannot be found"].iter().any(|said| text.contains(said))
}

/// The name of the folder that a file lies in.
fn folder(path: &str) -> &str {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    parent.rsplit('/').next().unwrap_or(parent)
}

/// The ending of a file's name.
fn ending(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}
