//! What real calls showed, and what the daemon runs with against what this shell has.

use artoo_protocol::v1::{DiagnoseResponse, ProbedModel};
use artoo_protocol::words::ProbeVerdict;
use sha2::{Digest, Sha256};

use super::check::{CheckVerdict, DoctorCheck, SafeFix};
use super::programs;
use crate::render::figures::duration;

/// Models of a server that are named where the configured one is unknown.
const NAMED: usize = 5;
const MIB: u64 = 1024 * 1024;

/// Every check that needs the daemon to look. `shell`: the variables of this shell.
pub(super) fn of_diagnosis(
    seen: &DiagnoseResponse,
    salt: u64,
    shell: impl Fn(&str) -> Option<String>,
) -> Vec<DoctorCheck> {
    let mut checks: Vec<DoctorCheck> = seen.models.iter().map(|probed| model(seen, probed)).collect();
    checks.push(environment(seen, salt, shell));
    checks.extend(programs::of_missing(&seen.missing_programs));
    checks.push(disk(seen));
    checks
}

fn model(seen: &DiagnoseResponse, probed: &ProbedModel) -> DoctorCheck {
    let name = match probed.tier.as_str() {
        "brain" => "model (brain)",
        "tool" => "model (tool)",
        _ => "model",
    };
    let set = |setting: &str, value: &str| setting_line(seen, &probed.tier, setting, value);
    let wrong = |remedy: &str| DoctorCheck::wrong(name, probed.message.clone(), remedy);
    let check = match probed.verdict() {
        ProbeVerdict::Answers => DoctorCheck::fine(
            name,
            format!("{} answers in {}, {}", probed.model, duration(probed.elapsed_ms), form(probed)),
        ),
        ProbeVerdict::WrongKey | ProbeVerdict::NoKey => wrong("give the right key").by(set("api_key", "KEY")),
        ProbeVerdict::UnknownModel => {
            let near = nearest(&probed.model, &probed.known_models).unwrap_or("NAME");
            let known: Vec<&str> = probed.known_models.iter().take(NAMED).map(String::as_str).collect();
            let remedy = match known.as_slice() {
                [] => "name one that the server has".to_owned(),
                known => format!("the server has {}; name one", known.join(", ")),
            };
            wrong(&remedy).by(set("model", near))
        }
        ProbeVerdict::WrongAddress => wrong("give the address of its interface").by(set("base_url", "URL")),
        ProbeVerdict::Closed => {
            wrong("start it, or look for another one with artoo setup, or give another address")
                .by(set("base_url", "URL"))
        }
        ProbeVerdict::Untrusted => {
            wrong("name the file with the certificate of the authority").by(set("ca_file", "FILE"))
        }
        ProbeVerdict::Silent => wrong("give it more time").by("artoo doctor --wait 60s".to_owned()),
        ProbeVerdict::Busy => DoctorCheck::note(
            name,
            probed.message.clone(),
            "wait: a task waits for it as well; then look again",
        )
        .by("artoo doctor".to_owned()),
        ProbeVerdict::Unreadable => wrong("choose another model").by(set("model", "NAME")),
        ProbeVerdict::NoCredit
        | ProbeVerdict::NoPermission
        | ProbeVerdict::Failing
        | ProbeVerdict::Unknown(_) => wrong("choose another model or server").by("artoo setup".to_owned()),
    };
    match check.verdict {
        CheckVerdict::Wrong => check.or(&way_back(seen, &probed.tier)),
        CheckVerdict::Fine | CheckVerdict::Note => check,
    }
}

/// How the built-in rules are had again.
fn way_back(seen: &DiagnoseResponse, tier: &str) -> String {
    let (section, own) = sections(tier);
    let line = match seen.settings_from.get(&format!("{own}.model")) {
        Some(variable) => format!("unset {variable}; artoo restart"),
        None => format!("artoo config unset {section}.model && artoo restart"),
    };
    format!("back to the built-in rules: {line}")
}

/// The section in which the settings of a tier stand, and the one under whose name their variables are told.
fn sections(tier: &str) -> (&'static str, &'static str) {
    match tier {
        "tool" => ("model.tool", "model.tool"),
        "brain" => ("model.brain", "model.brain"),
        _ => ("model", "model.brain"),
    }
}

fn form(probed: &ProbedModel) -> &'static str {
    match probed.form.as_str() {
        "json_schema" => "in JSON by schema",
        "json_object" => "in JSON",
        "tools" => "by its own tool calls",
        _ => "in JSON as text",
    }
}

/// How a setting of a tier is given another value, where it stands now.
fn setting_line(seen: &DiagnoseResponse, tier: &str, setting: &str, value: &str) -> String {
    let (section, own) = sections(tier);
    match seen.settings_from.get(&format!("{own}.{setting}")) {
        Some(variable) => format!("export {variable}={value}; artoo restart"),
        None => format!("artoo config set {section}.{setting} {value} && artoo restart"),
    }
}

/// The known name that is most like a wrong one.
fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let alike = |other: &&String| (strsim::normalized_damerau_levenshtein(name, other) * 1_000.0) as u32;
    known.iter().max_by_key(alike).map(String::as_str)
}

/// Variables of this shell that the daemon does not have, or has with another value.
fn environment(seen: &DiagnoseResponse, salt: u64, shell: impl Fn(&str) -> Option<String>) -> DoctorCheck {
    let differs = |variable: &&artoo_protocol::v1::EnvironmentVariable| {
        let here = shell(&variable.name).filter(|value| !value.trim().is_empty());
        here.is_some_and(|value| digest(salt, &variable.name, &value) != variable.digest)
    };
    let names: Vec<&str> =
        seen.environment.iter().filter(differs).map(|variable| variable.name.as_str()).collect();
    if names.is_empty() {
        return DoctorCheck::fine(
            "environment",
            "the daemon has every variable that this shell has for it".to_owned(),
        );
    }
    let saw = format!("the daemon was started without, or with another, {}", names.join(", "));
    DoctorCheck::note("environment", saw, "start it anew from this shell")
        .by("artoo restart".to_owned())
        .fixed_by(SafeFix::Restart)
}

/// As the daemon makes it: see `EnvironmentVariable` in the protocol.
fn digest(salt: u64, name: &str, value: &str) -> String {
    Sha256::digest(format!("{salt}\0{name}\0{value}"))
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn disk(seen: &DiagnoseResponse) -> DoctorCheck {
    let (free, floor) = (seen.disk_free_bytes / MIB, seen.disk_floor_bytes.div_ceil(MIB));
    if seen.disk_free_bytes >= seen.disk_floor_bytes {
        return DoctorCheck::fine("disk", format!("{free} MiB free, {floor} MiB are left to others"));
    }
    let saw = format!("{free} MiB free: no new task is accepted below {floor} MiB");
    DoctorCheck::wrong("disk", saw, "free some space, or ask for less")
        .by(format!("artoo config set storage.min_free_mib {} && artoo restart", free / 2))
}

#[cfg(test)]
mod tests {
    use artoo_protocol::v1::{DiagnoseResponse, EnvironmentVariable, ProbedModel};

    use super::super::check::CheckVerdict;
    use super::{digest, of_diagnosis};

    fn seen(verdict: &str, from: &[(&str, &str)]) -> DiagnoseResponse {
        let model = ProbedModel {
            model: "qwne".to_owned(),
            verdict: verdict.to_owned(),
            message: "it is so".to_owned(),
            known_models: vec!["llama".to_owned(), "qwen".to_owned()],
            ..Default::default()
        };
        let own = |(key, variable): &(&str, &str)| ((*key).to_owned(), (*variable).to_owned());
        DiagnoseResponse {
            models: vec![model],
            settings_from: from.iter().map(own).collect(),
            ..Default::default()
        }
    }

    fn check(seen: &DiagnoseResponse, name: &str, verdict: CheckVerdict, command: &str) {
        let shell = |name: &str| (name == "OPENAI_MODEL").then(|| "m".to_owned());
        let checks = of_diagnosis(seen, 7, shell);
        let found = checks.iter().find(|check| check.name == name).expect("the check is made");
        assert_eq!((found.verdict, found.command.as_str()), (verdict, command), "{found:?}");
        assert_eq!(found.remedy.is_empty(), verdict == CheckVerdict::Fine, "{found:?}");
    }

    #[test]
    fn each_way_to_fail_has_its_fix_where_the_setting_stands() {
        use CheckVerdict::{Fine, Wrong};
        check(&seen("answers", &[]), "model", Fine, "");
        let key = "artoo config set model.api_key KEY && artoo restart";
        check(&seen("wrong_key", &[]), "model", Wrong, key);
        let from = [("model.brain.api_key", "OPENAI_API_KEY"), ("model.brain.model", "BRAIN_MODEL")];
        check(&seen("wrong_key", &from), "model", Wrong, "export OPENAI_API_KEY=KEY; artoo restart");
        let qwen = "artoo config set model.model qwen && artoo restart";
        check(&seen("unknown_model", &[]), "model", Wrong, qwen);
        check(&seen("unknown_model", &from), "model", Wrong, "export BRAIN_MODEL=qwen; artoo restart");
        check(&seen("a word of a newer daemon", &[]), "model", Wrong, "artoo setup");
    }

    #[test]
    fn a_variable_that_the_daemon_lacks_is_told_and_one_that_only_it_has_is_not() {
        let variable = |digest: String| EnvironmentVariable { name: "OPENAI_MODEL".to_owned(), digest };
        let other = EnvironmentVariable { name: "TOOL_MODEL".to_owned(), digest: "12345678".to_owned() };
        let with = |digest: String| DiagnoseResponse {
            environment: vec![variable(digest), other.clone()],
            ..Default::default()
        };
        check(&with(String::new()), "environment", CheckVerdict::Note, "artoo restart");
        check(&with("00000000".to_owned()), "environment", CheckVerdict::Note, "artoo restart");
        check(&with(digest(7, "OPENAI_MODEL", "m")), "environment", CheckVerdict::Fine, "");
    }

    #[test]
    fn too_little_room_is_wrong() {
        let room = |free: u64| DiagnoseResponse {
            disk_free_bytes: free << 20,
            disk_floor_bytes: 100 << 20,
            ..Default::default()
        };
        check(&room(100), "disk", CheckVerdict::Fine, "");
        let less = "artoo config set storage.min_free_mib 20 && artoo restart";
        check(&room(40), "disk", CheckVerdict::Wrong, less);
    }
}
