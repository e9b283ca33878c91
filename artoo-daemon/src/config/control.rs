//! The parameters of the controller from the settings. Each value is in its range already; what is left are sums.

use artoo_types::setting::{ControlParams, GradientKind};

use super::error::ConfigError;
use super::settings::Settings;

/// The parameters.
///
/// # Errors
/// When both shares of the cost are 0: then no budget would ever end a task.
pub(super) fn params(settings: &Settings) -> Result<ControlParams, ConfigError> {
    let (w1, w2) = (settings.number("control.w1"), settings.number("control.w2"));
    if w1 + w2 <= 0.0 {
        return Err(ConfigError::Value {
            place: settings.place("control.w2"),
            key: "control.w1".to_owned(),
            problem:
                "and `control.w2` are both 0, so that the cost of a task would always be 0; set one above 0"
                    .to_owned(),
        });
    }
    let gradient = match settings.text("control.gradient") {
        Some("full") => GradientKind::Full,
        Some(_) | None => GradientKind::Quality,
    };
    Ok(ControlParams {
        alpha: settings.number("control.alpha"),
        beta: settings.number("control.beta"),
        lambda: settings.number("control.lambda"),
        w1,
        w2,
        epsilon: settings.number("control.epsilon"),
        delta: settings.number("control.delta"),
        rho: settings.number("control.rho"),
        theta: settings.number("control.theta"),
        time_budget_ms: settings.count("control.time_budget_ms"),
        max_replans: u32::try_from(settings.count("control.max_replans")).unwrap_or(u32::MAX),
        max_retries: u32::try_from(settings.count("control.max_retries")).unwrap_or(u32::MAX),
        gradient,
    })
}
