//! What an answer must say, and the comparison.

/// The fact that an output must state.
pub(crate) enum Expected {
    /// Exactly these lines.
    Lines(Vec<String>),
    /// Exactly these lines, in any order.
    Set(Vec<String>),
    /// A text that begins so.
    Starts(String),
    /// A text that holds each of these, one behind the other.
    Holds(Vec<String>),
    /// As many lines as these, each ending with its text.
    Ends(Vec<String>),
    /// A number of bytes, within a tenth of so many KiB, and a path behind it.
    Size(f64, String),
    /// Groups of paths, each line a digest and a path, an empty line between groups.
    Groups(Vec<Vec<String>>),
    /// So many lines that begin with numbers, which only fall.
    Falling(usize),
    /// A new file of which the answer gives the path, with this content.
    NewJson(serde_json::Value),
    /// A report at a path that the answer gives, which holds each of these, one behind the other.
    Report(Vec<String>),
}

impl Expected {
    /// What is wrong with the output; `Ok` when nothing is.
    pub(crate) fn check(&self, output: &str) -> Result<(), String> {
        let lines: Vec<String> = output.trim_end().lines().map(str::to_owned).collect();
        match self {
            Self::Lines(expected) => same(&lines, expected),
            Self::Set(expected) => same(&sorted(&lines), &sorted(expected)),
            Self::Starts(expected) => {
                if output.starts_with(expected) {
                    Ok(())
                } else {
                    Err(format!("it does not start with {expected:?}"))
                }
            }
            Self::Holds(expected) => in_order(output, expected),
            Self::Ends(expected) => ends(&lines, expected),
            Self::Size(kib, path) => size(output.trim_end(), *kib, path),
            Self::Groups(expected) => {
                let mut groups: Vec<Vec<String>> =
                    output.trim_end().split("\n\n").map(paths_of_group).collect();
                groups.sort();
                if groups == *expected { Ok(()) } else { Err(format!("expected the groups {expected:#?}")) }
            }
            Self::Falling(count) => falling(&lines, *count),
            Self::NewJson(expected) => {
                let content =
                    std::fs::read_to_string(path_in(output, ".json")?).map_err(|error| error.to_string())?;
                let value: serde_json::Value =
                    serde_json::from_str(&content).map_err(|error| error.to_string())?;
                if value == *expected {
                    Ok(())
                } else {
                    Err(format!("expected {expected:#}, the file holds {value:#}"))
                }
            }
            Self::Report(expected) => {
                let content =
                    std::fs::read_to_string(path_in(output, ".md")?).map_err(|error| error.to_string())?;
                in_order(&content, expected).and_then(|()| in_order(output, expected))
            }
        }
    }
}

/// Texts from anything that can be shown.
pub(crate) fn texts<T: ToString>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|one| one.to_string()).collect()
}

fn same(found: &[String], expected: &[String]) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("expected exactly {expected:#?}")) }
}

fn ends(lines: &[String], expected: &[String]) -> Result<(), String> {
    let all =
        lines.len() == expected.len() && lines.iter().zip(expected).all(|(line, end)| line.ends_with(end));
    if all { Ok(()) } else { Err(format!("expected lines that end with {expected:#?}")) }
}

fn size(output: &str, kib: f64, path: &str) -> Result<(), String> {
    let wrong = || format!("expected about {kib} KiB and {path}");
    let (size, found) = output.split_once('\t').ok_or_else(wrong)?;
    let bytes: f64 = size.parse().map_err(|_| wrong())?;
    if found == path && (bytes / 1024.0 / kib - 1.0).abs() < 0.1 { Ok(()) } else { Err(wrong()) }
}

fn sorted(lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.sort();
    lines
}

fn in_order(output: &str, expected: &[String]) -> Result<(), String> {
    let mut rest = output;
    for text in expected {
        let Some(at) = rest.find(text.as_str()) else {
            return Err(format!("{text:?} is missing, or not behind what was expected before it"));
        };
        rest = &rest[at + text.len()..];
    }
    Ok(())
}

fn paths_of_group(group: &str) -> Vec<String> {
    let mut paths: Vec<String> =
        group.lines().map(|line| line.split_once('\t').map_or(line, |(_, path)| path).to_owned()).collect();
    paths.sort();
    paths
}

fn falling(lines: &[String], count: usize) -> Result<(), String> {
    let numbers: Option<Vec<f64>> = lines.iter().map(|line| line.split(' ').next()?.parse().ok()).collect();
    let Some(numbers) = numbers else { return Err("a line does not begin with a number".to_owned()) };
    if lines.len() != count {
        return Err(format!("expected {count} lines, found {}", lines.len()));
    }
    if numbers.windows(2).all(|pair| pair[1] <= pair[0]) {
        Ok(())
    } else {
        Err("the numbers rise".to_owned())
    }
}

/// The last absolute path with this ending in a text; it may hold spaces, so it begins after the last `": /"` or line
/// start.
fn path_in(output: &str, ending: &str) -> Result<String, String> {
    output
        .lines()
        .rev()
        .find_map(|line| {
            let end = line.rfind(ending)? + ending.len();
            let start = line.find('/')?;
            line.get(start..end).map(str::to_owned)
        })
        .ok_or_else(|| format!("no path with {ending} is given"))
}
