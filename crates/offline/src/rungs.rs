//! Which way is taken: what exists on this machine, what a directive blocks, what failed, what memory prefers.

use std::collections::BTreeSet;

use super::measure::{Measure, Rung, Step};
use super::prompt::Prompt;

/// What the request for a plan says about tools and earlier rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    tools: Vec<String>,
    /// Class, and the folded intent that the block binds; empty: every intent.
    blocked_tools: Vec<(String, String)>,
    /// Class and target; blocked, or failed before.
    blocked_targets: Vec<(String, String)>,
    unmet: Vec<String>,
    /// Set when a draft was the plan that failed before.
    repeated: bool,
    must_not: Vec<String>,
    preferred: Vec<String>,
    /// What was learned under requests that only look alike.
    hints: Vec<String>,
    cautions: Vec<String>,
    established: Vec<String>,
    replan: usize,
}

/// The way to take for a measurement.
#[derive(Clone, Debug)]
pub(super) enum Choice<'a> {
    /// Its result is there already.
    Established,
    /// This one.
    Take(&'a Rung),
    /// None is left; the tool classes that were tried or are not there.
    Exhausted(Vec<String>),
}

impl Standing {
    /// Reads the sections Tools, Memory, Established, Directive and Rejected draft.
    pub(super) fn read(prompt: &Prompt) -> Self {
        let pair = |line: &str| {
            let (class, rest) = line.split_once('|').unwrap_or((line, ""));
            (class.trim().to_owned(), rest.trim().to_owned())
        };
        let targets =
            prompt.values("Directive", "blocked target").chain(prompt.values("Directive", "failed before"));
        let rejected: Vec<Rejection> =
            prompt.section("Rejected draft").lines().filter_map(Rejection::read).collect();
        let memory = |prefix: &str| {
            prompt
                .section("Memory")
                .lines()
                .filter(|line| line.starts_with(prefix))
                .map(str::to_owned)
                .collect()
        };
        Self {
            tools: prompt.tools(),
            blocked_tools: prompt
                .values("Directive", "blocked tool")
                .map(pair)
                .map(|(class, intent)| (class, fold(&intent)))
                .chain(
                    rejected
                        .iter()
                        .filter(|no| no.target.is_empty())
                        .map(|no| (no.class.clone(), String::new())),
                )
                .collect(),
            blocked_targets: targets
                .map(pair)
                .chain(
                    rejected
                        .iter()
                        .filter(|no| !no.target.is_empty())
                        .map(|no| (no.class.clone(), no.target.clone())),
                )
                .collect(),
            unmet: prompt
                .section("Directive")
                .lines()
                .filter_map(|line| line.strip_prefix("- ").map(str::to_owned))
                .collect(),
            repeated: prompt.section("Rejected draft").contains("already failed"),
            must_not: memory("MUST NOT"),
            preferred: memory("SHOULD PREFER"),
            hints: memory("HINT"),
            cautions: memory("CAUTION"),
            established: prompt.blocks("Established").into_iter().map(|block| fold(&block.rest)).collect(),
            replan: prompt
                .value("Directive", "replan")
                .split(' ')
                .next()
                .and_then(|number| number.parse().ok())
                .unwrap_or(0),
        }
    }

    /// Whether the step with this intent already has a result that is kept.
    pub(super) fn is_established(&self, intent: &str) -> bool {
        self.established.contains(&fold(intent))
    }

    /// The first way that is possible, allowed and untried.
    pub(super) fn choose<'a>(&self, measure: &'a Measure) -> Choice<'a> {
        let last_intent =
            measure.ladder.first().and_then(|rung| rung.steps.last()).map(|step| step.intent.as_str());
        if last_intent.is_some_and(|intent| self.is_established(intent)) {
            return Choice::Established;
        }
        let mut open: Vec<&Rung> = measure.ladder.iter().filter(|rung| self.is_open(rung)).collect();
        let excluded = measure.ladder.len() - open.len();
        let file = OneFile::of(measure);
        open.sort_by_key(|rung| (self.is_doubtful(rung), !self.is_preferred(rung, file.as_ref())));
        // A way that ran and missed its criteria is blocked by nobody, but the same plan again would be no plan.
        let ran = open.first().is_some_and(|rung| self.was_unmet(rung));
        if open.len() > 1 && ((ran && excluded < self.replan) || self.repeated) {
            open.remove(0);
        } else if ran && excluded < self.replan {
            open.clear();
        }
        match open.first() {
            Some(rung) => Choice::Take(rung),
            None => {
                let mut tried: Vec<String> = measure
                    .ladder
                    .iter()
                    .flat_map(|rung| rung.steps.iter().filter_map(|step| step.tools.first().cloned()))
                    .collect();
                tried.sort_unstable();
                tried.dedup();
                Choice::Exhausted(tried)
            }
        }
    }

    fn is_open(&self, rung: &Rung) -> bool {
        rung.steps.iter().filter(|step| !self.is_established(&step.intent)).all(|step| {
            let exists = step.tools.iter().all(|class| {
                let tool = class.split(':').next().unwrap_or(class);
                self.tools.is_empty() || self.tools.iter().any(|known| known == tool)
            });
            let intent = fold(&step.intent);
            let class_blocked = self.blocked_tools.iter().any(|(class, bound)| {
                step.tools.contains(class) && (bound.is_empty() || alike(bound, &intent))
            });
            let target_blocked = self.blocked_targets.iter().any(|(class, target)| {
                (step.one_file || step.tools.contains(class)) && step.targets.contains(target)
            });
            let forbidden = self.must_not.iter().any(|line| {
                // A plan that failed is named with its steps; it forbids exactly those, not their tools.
                if line.starts_with("MUST NOT repeat") && line.contains("] ") {
                    return fold(line).contains(&format!("] {intent}"));
                }
                step.tools.iter().any(|class| mentions(line, class))
                    && (!line.contains('/')
                        || step.targets.iter().any(|target| line.contains(target.as_str())))
            });
            exists && !class_blocked && !target_blocked && !forbidden
        })
    }

    /// Whether memory praises the way. Praise of a plan for one file counts for that file and for others of its folder: they
    /// may have been moved with it, so that a way which begins with a search is told by hints as well.
    fn is_preferred(&self, rung: &Rung, file: Option<&OneFile>) -> bool {
        let Some(first) = rung.steps.first() else { return false };
        let Some(class) = first.tools.first() else { return false };
        let searches = rung.steps.len() > 1;
        let hints = self.hints.iter().filter(|_| file.is_some() && searches);
        self.preferred.iter().chain(hints).any(|line| {
            // Praise of a tool on one input says nothing of it on others.
            let is_for_all = !line.contains(" on /");
            praises(line, class)
                && (is_for_all || first.targets.iter().any(|target| line.contains(target.as_str())))
                && file.is_none_or(|file| file.is_near(line) || (!searches && began_with(line).is_none()))
        })
    }

    /// Whether memory calls for caution with a tool of the way on the very input.
    fn is_doubtful(&self, rung: &Rung) -> bool {
        rung.steps.iter().any(|step| {
            self.cautions.iter().any(|line| {
                (step.one_file || step.tools.iter().any(|class| mentions(line, class)))
                    && step.targets.iter().any(|target| line.contains(target.as_str()))
            })
        })
    }

    /// The step as it goes out. Where memory had the search come first, nothing has failed yet: if the search finds the
    /// file where the request says, that one is meant.
    pub(super) fn settled(&self, step: &Step) -> Step {
        let mut step = step.clone();
        if self.replan > 0 {
            return step;
        }
        for (_, line) in &mut step.recipe {
            if let Some(from) = line.get_mut("path_from").and_then(|from| from.as_object_mut())
                && let Some(named) = from.remove("not")
            {
                from.insert("rather".to_owned(), named);
            }
        }
        step
    }

    fn was_unmet(&self, rung: &Rung) -> bool {
        rung.steps
            .iter()
            .flat_map(|step| &step.criteria)
            .filter_map(|criterion| criterion["text"].as_str())
            .any(|text| self.unmet.iter().any(|line| line.starts_with(text)))
    }
}

/// What tells of a plan in a line of the memory: its first step follows, its tools first. A lesson also names what failed,
/// which is no praise of that.
const PLANS: [&str; 3] = ["Plan: 1 [", "What then worked: 1 [", "后来成功的计划：1 ["];

/// The tools of the first step of the plan that a line of the memory tells of.
fn began_with(line: &str) -> Option<&str> {
    let (_, rest) = PLANS.iter().find_map(|mark| line.split_once(mark))?;
    rest.split_once(']').map(|(tools, _)| tools)
}

/// The one file that a measurement is about.
struct OneFile {
    /// The folder that it is said to lie in, as a part of a path: `reports/`.
    folder: String,
    name: String,
}

impl OneFile {
    /// The file; none when the measurement is about something else.
    fn of(measure: &Measure) -> Option<Self> {
        let step = measure.ladder.first()?.steps.last().filter(|step| step.one_file)?;
        let (parent, name) = step.targets.first()?.rsplit_once('/')?;
        let folder = format!("{}/", parent.rsplit('/').next().unwrap_or_default());
        Some(Self { folder, name: name.to_owned() })
    }

    /// Whether the line names it, or a file of its folder.
    fn is_near(&self, line: &str) -> bool {
        line.contains(&self.name) || (self.folder.len() > 1 && line.contains(&self.folder))
    }
}

/// Whether the line speaks well of the tool class: where it tells of a plan, as what that plan began with.
fn praises(line: &str, class: &str) -> bool {
    match began_with(line) {
        Some(tools) => tools.split(", ").any(|tool| tool == class),
        None => mentions(line, class),
    }
}

/// Case and spaces do not count.
fn fold(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two folded intents have at least half of their words in common; single characters count as words in Chinese.
fn alike(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|found: char| !found.is_alphanumeric()).filter(|word| !word.is_empty());
        parts
            .flat_map(|word| {
                if word.is_ascii() { vec![word.to_owned()] } else { word.chars().map(String::from).collect() }
            })
            .collect()
    };
    let (one, other) = (words(one), words(other));
    2 * one.intersection(&other).count() >= one.union(&other).count()
}

/// What a rejected draft was told: "subtask 1 uses shell:find on /a, which is blocked".
struct Rejection {
    class: String,
    /// Empty when the tool itself is the matter.
    target: String,
}

impl Rejection {
    fn read(line: &str) -> Option<Self> {
        let (_, rest) = line.split_once(" uses ").or_else(|| line.split_once(" names the tool "))?;
        let (used, _) = rest.split_once(", which ")?;
        let (class, target) = used.split_once(" on ").unwrap_or((used, ""));
        Some(Self { class: class.to_owned(), target: target.to_owned() })
    }
}

/// Whether the line names the tool class as a word of its own: `shell:find`, not `find`.
fn mentions(line: &str, class: &str) -> bool {
    line.match_indices(class).any(|(at, _)| {
        let part = |found: char| found.is_alphanumeric() || found == '_' || found == ':';
        let tagged = line[..at].ends_with("tool:");
        (tagged || !line[..at].chars().next_back().is_some_and(part))
            && !line[at + class.len()..].chars().next().is_some_and(part)
    })
}
