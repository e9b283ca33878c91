//! What a look from outside cannot see: whether the models answer, and what this process runs with.

use std::time::Duration;

use artoo_model::probe::ModelProbe;
use artoo_protocol::v1;
use sha2::{Digest, Sha256};
use tonic::Status;

use super::service::Calls;

/// How long each model may take when the request does not say.
const USUAL_WAIT: Duration = Duration::from_secs(20);
/// Longest wait: what the row of the RPC allows for, a list of models included.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Programs that are looked for; the doctor knows some twenty.
const MAX_PROGRAMS: usize = 64;
/// Bytes of a digest that are told: enough to tell values apart, too few to try them.
const DIGEST_BYTES: usize = 4;

/// Looks.
pub(super) async fn diagnose(
    calls: &Calls,
    request: v1::DiagnoseRequest,
) -> Result<v1::DiagnoseResponse, Status> {
    let wait = match request.wait_ms {
        0 => USUAL_WAIT,
        ms => Duration::from_millis(ms.into()).min(LONGEST_WAIT),
    };
    let parts = &calls.parts;
    let mut models = Vec::new();
    let mut settings_from = Default::default();
    if let Some(probed) = &parts.about.probed {
        let [brain, tool] = probed.models.probe(wait).await;
        if brain == tool {
            models.extend(brain.map(|probe| model("", &parts.about.configured.brain_model, probe)));
        } else {
            models.extend(brain.map(|probe| model("brain", &parts.about.configured.brain_model, probe)));
            models.extend(tool.map(|probe| model("tool", &parts.about.configured.tool_model, probe)));
        }
        let own = |(key, variable): &(&str, &str)| ((*key).to_owned(), (*variable).to_owned());
        settings_from = probed.variables.iter().map(own).collect();
    }
    Ok(v1::DiagnoseResponse {
        models,
        environment: environment(request.salt),
        settings_from,
        disk_free_bytes: parts.health.free_bytes(),
        disk_floor_bytes: parts.health.floor_bytes(),
        missing_programs: parts
            .toolbox
            .missing_programs(&request.programs[..request.programs.len().min(MAX_PROGRAMS)]),
    })
}

fn model(tier: &str, name: &str, probe: ModelProbe) -> v1::ProbedModel {
    let ModelProbe { verdict, message, elapsed_ms, form, models } = probe;
    v1::ProbedModel {
        tier: tier.to_owned(),
        model: name.to_owned(),
        verdict: verdict.as_str().to_owned(),
        message,
        elapsed_ms,
        form: form.to_owned(),
        known_models: models.into_iter().map(|listed| listed.name).collect(),
    }
}

/// The variables that configure artoo, as this process has them. No value is told.
fn environment(salt: u64) -> Vec<v1::EnvironmentVariable> {
    let variable = |name: &'static str| {
        let value = artoo_config::process_environment(name).filter(|value| !value.trim().is_empty());
        let digest = value.map(|value| {
            let text = format!("{salt}\0{name}\0{value}");
            Sha256::digest(text).iter().take(DIGEST_BYTES).map(|byte| format!("{byte:02x}")).collect()
        });
        v1::EnvironmentVariable { name: name.to_owned(), digest: digest.unwrap_or_default() }
    };
    artoo_config::variables().into_iter().map(variable).collect()
}
