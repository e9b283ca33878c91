//! Orders in words of which the request's reading knows no action: a tag, a lock, a ping; and runs that are told of and were
//! never made.

use std::sync::LazyLock;

use artoo_types::evidence::{CallEnd, EffectClass, Receipt};
use artoo_types::text::first_chars;
use regex::Regex;

use crate::deeds::admits;
use crate::pattern;
use crate::runs::ran_something;
use crate::shown::{command, is_idle, programs};

/// Orders that no words alone carry out, at the beginning of a sentence.
static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?im)(?:^|[.!?;,]\s+|\b(?:and|then)\s+)(?:please\s+|(?:can|could) you (?:please )?)?(?:tag (?:the|this|my|our|it|HEAD|current|commit|release)\b|(?:un)?lock (?:the|my|this|\.?/)|ping \S|(?:un)?mute (?:the|my)\b|(?:un)?mount (?:the|my|/)|eject (?:the|my)\b|upload (?:the|my|this|\.?/)|push (?:the|my|this|it|to)\b|stash (?:the|my|all)\b|rebase (?:the|my|onto|on|this)\b|cherry-pick \S|(?:add|create|make|set up|install) (?:a|the) (?:\w+ )?cron ?job\b|print (?:\S+ ){1,6}(?:on|with) (?:the|my) printer\b)[^.!?;\n]*|(?:^|[，。；！])(?:请|帮我)*(?:给\S{0,12}打(?:上)?标签|锁定|锁屏|上传|推送|挂载|静音|(?i:ping)\s)[^，。；！\n]*",
    )
});
/// Programs that reach another machine, so that their call is the order carried out.
const REACHING: [&str; 8] = ["ping", "ping6", "fping", "nc", "curl", "wget", "ssh", "nmap"];
/// A thing that is said to have been run more than once.
static REPEATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:I|we)(?:'ve| have)? (?:also )?(?:ran|run|executed|tested|tried) (?:it|this|the \w+|them) (?:(several|many|multiple|a few|two|three|four|five|six|ten|\d{1,3}) times|(twice))\b|我(?:\S{0,4})(?:运行|执行|测试)了(?:它|脚本)?(多|几|两|三|四|五|\d{1,3})[次遍]",
    )
});
/// What makes one command run something again.
static LOOPS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:for|while|until|seq|repeat|xargs|parallel|watch|hyperfine)\b|&&|;|\n"));

/// Each such order has a call that did more than look, unless the answer says that it was not carried out.
pub(crate) fn are_heeded(request: &str, answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let acts = |receipt: &&Receipt| {
        let reaches = programs(receipt).any(|program| REACHING.contains(&program));
        receipt.end == CallEnd::Ran && (receipt.effect != EffectClass::Read || reaches)
    };
    match ORDERS.find(request).filter(|_| !admits(answer) && !receipts.iter().any(acts)) {
        Some(order) => {
            let order = order.as_str().trim_start_matches(|c: char| !c.is_alphanumeric());
            Err(format!(
                "no call did more than look, and \"{}\" is asked for; do it, or say that it was not done and why",
                first_chars(order.trim(), 80)
            ))
        }
        None => Ok(()),
    }
}

/// What is said to have been run several times was run as often.
pub(crate) fn are_repeated(answer: &str, receipts: &[&Receipt]) -> Result<(), String> {
    let Some(found) = REPEATED.captures(answer) else { return Ok(()) };
    let told = found.get(1).or(found.get(2)).or(found.get(3)).map_or("", |word| word.as_str()).to_lowercase();
    let times = match told.as_str() {
        "three" | "三" => 3,
        "four" | "四" => 4,
        "five" | "五" => 5,
        "six" => 6,
        "ten" => 10,
        other => other.parse().unwrap_or(2),
    };
    let ran = receipts.iter().filter(|receipt| ran_something(receipt) && !is_idle(receipt, &[]));
    let ran: Vec<String> = ran.filter_map(|receipt| command(receipt)).collect();
    if ran.len() >= times || ran.iter().any(|command| LOOPS.is_match(command)) {
        return Ok(());
    }
    Err(format!(
        "the answer says \"{}\", and {} of the calls ran anything: run it as often, or say how often it ran",
        first_chars(&found[0], 60),
        ran.len()
    ))
}

#[cfg(test)]
mod tests {
    use artoo_types::evidence::{EffectClass, Receipt};
    use artoo_types::tool::names::SHELL;
    use artoo_types::{EffectId, EvidenceId};

    use super::{are_heeded, are_repeated};

    fn call(program: &str, command: &str, effect: EffectClass) -> Receipt {
        Receipt {
            classes: vec![format!("shell:{program}")],
            arguments: serde_json::json!({ "command": command }).to_string(),
            effect,
            ..Receipt::quiet(EvidenceId::receipt(EffectId(1)), SHELL)
        }
    }

    #[test]
    fn an_order_that_words_alone_do_not_carry_out_needs_a_call() {
        let look = call("git", "git log --oneline", EffectClass::Read);
        let deed = call("git", "git tag v1.0", EffectClass::Overwrite);
        let ping = call("ping", "ping -c1 host", EffectClass::Read);
        for request in [
            "Tag the current commit as v1.0",
            "Look at ./a.txt. Then lock the file ./a.txt",
            "Ping example.com and tell me whether it answers",
            "Add a cron job that runs backup.sh every night",
            "Commit all changes and push to origin",
            "给当前提交打标签 v1.0",
            "上传报告到服务器",
        ] {
            let held = |answer: &str, receipt: &Receipt| are_heeded(request, answer, &[receipt]).is_ok();
            assert!(!held("It is done.", &look), "{request}");
            assert!(held("It is done.", &deed), "{request}");
            assert!(held("I could not do that here.", &look), "{request}");
        }
        assert!(are_heeded("Ping example.com", "It answers.", &[&ping]).is_ok());
        for request in [
            "Which commit does the tag v1.0 point to?",
            "Print the first lines of ./a.txt",
            "How do I tag a commit?",
            "Explain what git push does",
            "List the tags and the locked files",
            "How can I add a cron job?",
            "标签 v1.0 指向哪个提交？",
        ] {
            assert!(are_heeded(request, "Here it is.", &[&look]).is_ok(), "{request}");
        }
    }

    #[test]
    fn what_is_told_to_have_run_several_times_did() {
        let once = call("sh", "sh ./hello.sh", EffectClass::Unknown);
        let looped = call("sh", "for i in 1 2 3; do sh ./hello.sh; done", EffectClass::Unknown);
        let held = |answer: &str, receipts: &[&Receipt]| are_repeated(answer, receipts).is_ok();
        // The form of a script is checked as often as one likes without running it.
        let checked = call("sh", "sh -n ./hello.sh", EffectClass::Unknown);
        assert!(!held("I ran it several times: it works.", &[&checked, &checked, &checked]));
        assert!(!held("It is made. I ran it several times: it works.", &[&once]));
        assert!(!held("I ran it three times.", &[&once, &once]));
        assert!(held("I ran it three times.", &[&once, &once, &once]));
        assert!(held("I ran it several times: it works.", &[&once, &once]));
        assert!(held("I ran it several times: it works.", &[&looped]));
        assert!(held("I ran it: it works. Logs rotate several times a day.", &[&once]));
        assert!(!held("我运行了脚本三次", &[&once]));
    }
}
