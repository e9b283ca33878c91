//! From a request to its clauses: where each begins, what it asks for, and what it names.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::joints::cuts;
use crate::language::is_han;
use crate::leads::{Lead, strip_leads};
use crate::material::{Sentence, sentences};
use crate::names::{NamedThings, named_things};
use crate::normalise::normalise;
use crate::nouns::{is_about_surroundings, is_made_file, names_machine};
use crate::questions::{Asking, asking, is_polite};
use crate::scan::{begins_with_words, entries, first_word, is_entry};
use crate::verbs::{Action, HeadVerb, head_verb};

/// Most clauses that are read: four plans of a few steps each.
const MOST_CLAUSES: usize = 24;

/// How a clause stands in its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is asked for.
    Asked,
    /// It is asked for in a certain case.
    Conditional,
    /// It must not happen.
    Forbidden,
}

/// One clause of a request that has an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestClause {
    /// The person's words.
    pub text: String,
    /// What they ask for.
    pub action: Action,
    /// Whether it is asked for or forbidden.
    pub standing: Standing,
    /// Files and folders that it names.
    pub files: Vec<String>,
    /// Addresses of pages and of people in it.
    pub addresses: Vec<String>,
    /// What it has in quotation marks.
    pub quoted: Vec<String>,
}

/// What a request asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestReading {
    /// Its clauses with an action, in the order in which they stand.
    pub clauses: Vec<RequestClause>,
    /// Every file and folder that it names, those aside that it only forbids to touch.
    pub files: Vec<String>,
    /// It asks after the person's own files or machine, which no model knows.
    pub about_surroundings: bool,
}

impl RequestReading {
    /// The clauses that must be done, whatever is found on the way.
    pub fn asked(&self) -> impl Iterator<Item = &RequestClause> {
        self.clauses.iter().filter(|clause| clause.standing == Standing::Asked)
    }

    /// Whether nothing is to be done or run: it asks, and an answer is all that it leaves.
    pub fn only_asks(&self) -> bool {
        let does = |clause: &RequestClause| {
            clause.standing != Standing::Forbidden
                && (clause.action.changes() || clause.action == Action::Run)
        };
        !self.clauses.iter().any(does)
    }

    /// Whether words alone can answer it: nothing is to be done, and nothing of the person's machine is asked after.
    pub fn needs_words_alone(&self) -> bool {
        let acts = |clause: &RequestClause| {
            clause.action != Action::Answer && clause.standing != Standing::Forbidden
        };
        !self.clauses.iter().any(acts) && self.files.is_empty() && !self.about_surroundings
    }
}

/// Requests whose readings are kept: those of tasks that run at the same time.
const MOST_KEPT: usize = 32;
/// Longer requests are read anew, so that what is kept is at most some megabyte.
const MOST_KEPT_BYTES: usize = 8 * 1024;

static KEPT: Mutex<VecDeque<(String, RequestReading)>> = Mutex::new(VecDeque::new());

/// Reads a request. The roles of a task read the same one a dozen times, so that its reading is kept for a while: it depends on
/// nothing but the words.
pub fn read(request: &str) -> RequestReading {
    if request.len() > MOST_KEPT_BYTES {
        return read_anew(request);
    }
    let kept = |kept: &VecDeque<(String, RequestReading)>| {
        kept.iter().find(|(words, _)| words == request).map(|(_, reading)| reading.clone())
    };
    if let Some(reading) = kept(&KEPT.lock().unwrap_or_else(PoisonError::into_inner)) {
        return reading;
    }
    let reading = read_anew(request);
    let mut readings = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept(&readings).is_none() {
        if readings.len() == MOST_KEPT {
            readings.pop_front();
        }
        readings.push_back((request.to_owned(), reading.clone()));
    }
    reading
}

/// How many readings are kept now.
#[cfg(test)]
pub(crate) fn kept_readings() -> usize {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).len()
}

fn read_anew(request: &str) -> RequestReading {
    let mut reader = ClauseReader::default();
    for sentence in sentences(request) {
        if reader.is_material(&sentence) {
            break;
        }
        reader.sentence(&sentence);
    }
    reader.reading.clauses.truncate(MOST_CLAUSES);
    reader.reading
}

/// What a joint says about what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    /// "and": it may belong to what stands before.
    Loose,
    /// A comma with or without "and".
    Comma,
    /// "then": it is another step.
    Step,
    /// The beginning of a sentence.
    Start,
}

/// A piece between two joints.
struct RequestPiece<'a> {
    text: &'a str,
    bond: Bond,
    /// The joint itself forbids: "without".
    forbids: bool,
}

#[derive(Default)]
struct ClauseReader {
    reading: RequestReading,
    /// What stands behind is what the request is about, not what it asks for.
    material_follows: bool,
    /// The first paragraph is a question or wants words.
    wants_words: bool,
}

impl ClauseReader {
    fn is_material(&self, sentence: &Sentence) -> bool {
        self.material_follows || (sentence.opens && self.wants_words)
    }

    fn sentence(&mut self, sentence: &Sentence) {
        let before = self.reading.clauses.len();
        let polite = is_polite(&sentence.text);
        let asks = self.pieces(&normalise(&sentence.text), sentence.marked, polite);
        order_to_look(&mut self.reading.clauses[before..]);
        let last = self.reading.clauses[before..].last().map(|clause| clause.action);
        let wants_words = asks || last.is_some_and(|action| action == Action::Answer);
        if let Some(behind) = &sentence.behind_colon {
            let takes_text = matches!(
                last,
                Some(Action::Make | Action::Change | Action::Send | Action::Answer | Action::Read)
            );
            if asks || takes_text || (last.is_none() && hands_over(&sentence.text)) {
                self.material_follows = behind.is_empty();
            } else {
                self.pieces(&normalise(behind), sentence.marked, polite);
            }
        }
        self.wants_words |= wants_words && !sentence.listed;
    }

    /// Reads the pieces of a sentence; says whether it is a question.
    fn pieces(&mut self, text: &str, marked: bool, polite: bool) -> bool {
        let mut asks = None;
        let mut depends = false;
        // Joints up to this bond belong to the clause before them.
        let mut swallows: Option<Bond> = None;
        let mut open = false;
        for piece in split(text) {
            if swallows.is_some_and(|most| piece.bond <= most) {
                continue;
            }
            let Lead { rest, forbids, depends: condition } = strip_leads(piece.text);
            depends |= condition;
            let standing = match (forbids || piece.forbids, depends) {
                (true, _) => Standing::Forbidden,
                (false, true) => Standing::Conditional,
                (false, false) => Standing::Asked,
            };
            let question = asking(rest, marked && !polite).filter(|_| !condition);
            let verb = head_verb(rest, piece.bond >= Bond::Step);
            match (question, verb) {
                (Some(Asking::How), _) => {
                    asks = Some(Asking::How);
                    swallows = Some(Bond::Step);
                    self.note_files(piece.text, standing);
                }
                (Some(Asking::What), None) => {
                    asks = Some(Asking::What);
                    swallows = Some(Bond::Comma);
                    self.question(piece.text);
                }
                (Some(Asking::Count), None) => {
                    open = self.count(rest, piece.text, standing);
                    if !open {
                        asks = Some(Asking::What);
                    }
                }
                // "提交了多少次": what was done is asked about, and not to be done.
                (Some(Asking::Count), Some(verb)) if verb.rest.starts_with(['了', '过']) => {
                    asks = Some(Asking::What);
                    self.question(piece.text);
                }
                (Some(Asking::What), Some(verb)) if verb.action.changes() && piece.bond == Bond::Start => {
                    asks = Some(Asking::What);
                    swallows = Some(Bond::Comma);
                }
                (_, Some(verb)) => {
                    swallows = swallowed(&verb, rest);
                    if ends_as_a_name(piece.text, piece.bond) {
                        continue;
                    }
                    let action = settled(&verb, rest);
                    self.clause(action, rest, limited(standing, action, verb.rest));
                    // "修复后重启": two verbs with nothing between them.
                    if let Some(next) = verb.rest.strip_prefix('后').and_then(|next| head_verb(next, false))
                    {
                        self.clause(settled(&next, rest), rest, standing);
                    }
                    open = true;
                }
                (None, None) if forbids || piece.forbids => {
                    self.clause(Action::Change, rest, Standing::Forbidden);
                    open = true;
                }
                (None, None) => self.extend(piece.text, open, standing),
            }
        }
        asks.is_some()
    }

    fn question(&mut self, piece: &str) {
        self.note_files(piece, Standing::Asked);
        self.reading.about_surroundings |= is_about_surroundings(piece);
    }

    /// "How many files": counted, if it is about things that can be counted here.
    fn count(&mut self, rest: &str, piece: &str, standing: Standing) -> bool {
        let NamedThings { files, .. } = named_things(piece);
        let counts =
            names_machine(rest) && (!files.is_empty() || is_about_surroundings(piece) || has_place(rest));
        if counts {
            self.clause(Action::Count, rest, standing);
        } else {
            self.question(piece);
        }
        counts
    }

    fn clause(&mut self, action: Action, text: &str, standing: Standing) {
        let NamedThings { files, addresses, quoted } = named_things(text);
        let needs_machine = action == Action::Answer && standing != Standing::Forbidden;
        self.reading.about_surroundings |= needs_machine && is_about_surroundings(text);
        self.note_files(text, standing);
        let text = text.trim().to_owned();
        self.reading.clauses.push(RequestClause { text, action, standing, files, addresses, quoted });
    }

    /// What names no action belongs to the clause before it.
    fn extend(&mut self, piece: &str, open: bool, standing: Standing) {
        self.note_files(piece, standing);
        let Some(last) = self.reading.clauses.last_mut().filter(|_| open) else { return };
        let named = named_things(piece);
        last.text.push_str(if last.text.ends_with(is_han) { "，" } else { ", " });
        last.text.push_str(piece.trim());
        last.files.extend(named.files);
        last.addresses.extend(named.addresses);
        last.quoted.extend(named.quoted);
    }

    fn note_files(&mut self, piece: &str, standing: Standing) {
        if standing == Standing::Forbidden {
            return;
        }
        for file in named_things(piece).files {
            if !self.reading.files.contains(&file) {
                self.reading.files.push(file);
            }
        }
    }
}

/// Further places where a clause may end: behind them stands what is excepted.
const EXCEPTIONS: [(&str, bool); 6] = [
    (" but ", false),
    (" without ", true),
    ("但是", false),
    ("但", false),
    ("不过", false),
    (", without ", true),
];

/// The pieces of a normalised sentence.
fn split(text: &str) -> Vec<RequestPiece<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut bond = Bond::Start;
    for cut in cuts(text) {
        if cut.end > start {
            except(&text[start..cut.end], bond, &mut pieces);
            bond = bond_of(&text[cut.end..cut.next]);
        } else {
            bond = bond.max(bond_of(&text[cut.end..cut.next]));
        }
        start = cut.next;
    }
    except(&text[start..], bond, &mut pieces);
    pieces.retain(|piece| !piece.text.trim().is_empty());
    pieces
}

fn except<'a>(text: &'a str, bond: Bond, pieces: &mut Vec<RequestPiece<'a>>) {
    let found =
        EXCEPTIONS.iter().filter_map(|(word, forbids)| Some((text.find(word)?, word.len(), *forbids))).min();
    match found {
        Some((at, length, forbids)) => {
            pieces.push(RequestPiece { text: &text[..at], bond, forbids: false });
            pieces.push(RequestPiece { text: &text[at + length..], bond: Bond::Step, forbids });
        }
        None => pieces.push(RequestPiece { text, bond, forbids: false }),
    }
}

fn bond_of(joint: &str) -> Bond {
    const STEPS: &[&str] = &["then", "finally", "然后", "接着", "最后", "再", "顺便", ". ", ";"];
    if STEPS.iter().any(|word| joint.contains(word)) {
        Bond::Step
    } else if joint.contains(',') {
        Bond::Comma
    } else {
        Bond::Loose
    }
}

/// "Sort sales.csv by amount and show the top 3": the order is one of what is shown, not of the file.
fn order_to_look(clauses: &mut [RequestClause]) {
    const ORDERS: &str = "sort, rank, order";
    const LEFT: &str = "in place, overwrite, into, save, folder, folders, subfolders";
    const OF_IT: &str = "it, them, result, results, top, first, last, highest, lowest, largest, smallest";
    let is_order = |clause: &RequestClause| {
        let lower = clause.text.to_lowercase();
        let by = is_entry(ORDERS, first_word(&lower)) && !entries(LEFT).any(|word| lower.contains(word));
        let zh = clause.text.contains("排序")
            && !["保存", "写", "存", "覆盖", "另"].iter().any(|w| clause.text.contains(w));
        clause.action == Action::Change && (by || zh)
    };
    // "Sort by requests, largest first", where no file and no other thing is named: that is how the answer stands.
    let of_answer = |clause: &RequestClause| {
        const ANSWERS: &str =
            "by, it, them, the table, the list, the rows, the result, the results, the answer, the output";
        let lower = clause.text.to_lowercase();
        let object = lower.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_start();
        clause.files.is_empty()
            && (entries(ANSWERS).any(|word| begins_with_words(object, word).is_some())
                || ["按", "结果按", "并按"].iter().any(|word| lower.starts_with(word)))
    };
    // The rows of a table in an order are an answer; a file in another order would be said to be left.
    let of_table = |clause: &RequestClause| {
        // A Chinese name need not stand apart from the words around it.
        let lower = clause.text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        says(&[" by ", "按", "根据", "依"]) && says(&[".csv", ".tsv", ".json"])
    };
    let only_shown = |at: usize, clauses: &[RequestClause]| {
        let mut others = clauses.iter().enumerate().filter(|(other, _)| *other != at);
        others.all(|(_, other)| !other.action.changes())
    };
    for at in 0..clauses.len() {
        if is_order(&clauses[at])
            && (of_answer(&clauses[at]) || of_table(&clauses[at]))
            && only_shown(at, clauses)
        {
            clauses[at].action = Action::Read;
        }
    }
    for at in 1..clauses.len() {
        let look = &clauses[at];
        let lower = look.text.to_lowercase();
        let of_it = lower.split(|c: char| !c.is_alphanumeric()).any(|word| is_entry(OF_IT, word))
            || ["前", "后", "结果", "它", "最"].iter().any(|word| lower.contains(word));
        let looks = matches!(look.action, Action::Read | Action::List | Action::Answer)
            && look.files.is_empty()
            && of_it;
        if looks && is_order(&clauses[at - 1]) {
            clauses[at - 1].action = Action::Read;
        }
    }
}

/// "This text: …": what follows is handed over to be worked on.
fn hands_over(head: &str) -> bool {
    const TEXTS: &str =
        "这段, 这句, 下面, 以下内容, 以下文, this text, this sentence, following text, text below";
    let lower = head.to_lowercase();
    entries(TEXTS).any(|word| lower.contains(word))
}

/// Which joints belong to the clause with this verb: what a script does, and what a message says, is no order.
fn swallowed(verb: &HeadVerb<'_>, rest: &str) -> Option<Bond> {
    let says = [
        " that says",
        " saying ",
        " with the text",
        " with the words",
        " with the content",
        " reading ",
        "内容是",
        "内容为",
    ];
    if says.iter().any(|word| rest.contains(word)) {
        return Some(Bond::Step);
    }
    let purpose = rest.match_indices(" to ").any(|(at, word)| {
        let behind = &rest[at + word.len()..];
        head_verb(behind, true).is_some_and(|inner| inner.action != Action::Read)
    });
    let relative = rest.contains(" that ") || rest.contains(" which ") || rest.contains(" who ");
    let makes = matches!(verb.action, Action::Make | Action::Send | Action::Answer);
    (purpose || (relative && makes)).then_some(Bond::Loose)
}

/// "…并发送邮件的脚本" goes on with what a thing does that is made.
fn ends_as_a_name(piece: &str, bond: Bond) -> bool {
    const MADE: &str = "的脚本, 的程序, 的工具, 的函数, 的代码, 的命令, 的说明, 的文章, 的方法";
    bond == Bond::Loose && entries(MADE).any(|ending| piece.trim_end().ends_with(ending))
}

/// How an order stands with its object: "delete nothing" forbids, and "clean it up if something is wrong" depends.
fn limited(standing: Standing, action: Action, object: &str) -> Standing {
    const NOTHING: &str = "nothing, none, no file, no files, nobody";
    if !action.changes() || standing == Standing::Forbidden {
        return standing;
    }
    if entries(NOTHING).any(|word| begins_with_words(object.trim_start(), word).is_some()) {
        return Standing::Forbidden;
    }
    let depends = action != Action::Make
        && object.split_once(" if ").is_some_and(|(before, _)| {
            !["that", "which", "so", "code", "function"]
                .iter()
                .any(|word| before.split(' ').any(|w| w == *word))
        });
    if depends { Standing::Conditional } else { standing }
}

fn has_place(rest: &str) -> bool {
    [" in ", " on ", " are there", " do i ", "里", "下", "中"].iter().any(|word| rest.contains(word))
}

/// The action of a verb with what it is about.
fn settled(verb: &HeadVerb<'_>, clause: &str) -> Action {
    let object = verb.rest;
    let named = named_things(clause);
    let is_make = verb.action == Action::Make;
    if verb.word == "extract" && is_found(clause) {
        Action::Find
    } else if is_make && verb.word == "make" && !named_things(first_word(object)).files.is_empty() {
        Action::Change
    } else if is_make && named.files.is_empty() && named.addresses.is_empty() && !is_written(verb) {
        if is_made_file(clause) { Action::Make } else { Action::Answer }
    } else if verb.action == Action::Answer && begins_with_words(object, "me the contents of").is_some() {
        Action::Read
    } else {
        verb.action
    }
}

/// "Extract all mail addresses from contacts.txt": they are found; nothing is unpacked, and nothing says where they would go.
fn is_found(clause: &str) -> bool {
    const PACKED: &str = ".zip, .tar, .gz, .tgz, .xz, .bz2, .7z, .rar, archive";
    const PUTTING: &str = "to, into, as, in";
    let lower = clause.to_lowercase();
    lower.contains(" from ")
        && !entries(PACKED).any(|word| lower.contains(word))
        && !lower.split_whitespace().any(|word| is_entry(PUTTING, word))
}

/// Verbs that leave a file, whatever their object is called.
fn is_written(verb: &HeadVerb<'_>) -> bool {
    const LEAVING: &str = "save, store, export, download, unzip, unpack, extract, zip, compress, mkdir, convert, 下载, 保存, 另存为, 导出, 压缩, \
        打包, 解压, 转换, 拆分, 写入, 写到, 写进, 合并, bundle";
    is_entry(LEAVING, verb.word)
}
