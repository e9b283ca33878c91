//! Why a server cannot be used, in words for the person who configured it.

use std::error::Error;

use artoo_types::text::{escape, first_chars};
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use rmcp::transport::worker::WorkerQuitReason;

/// Characters of what a server says that are quoted.
const QUOTED_CHARS: usize = 300;

type HttpError = StreamableHttpError<reqwest::Error>;

/// Why no connection came about.
pub(crate) fn not_connected(error: &ClientInitializeError) -> String {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum belongs to the library")]
    match error {
        ClientInitializeError::TransportError { error, .. } => match http_error(error.error.as_ref()) {
            Some(error) => not_http(error),
            None => format!("the connection broke down: {}", quoted(&error.error.to_string())),
        },
        ClientInitializeError::JsonRpcError(error) => {
            format!("it refused the connection: {} (code {})", quoted(&error.message), error.code.0)
        }
        ClientInitializeError::ConnectionClosed(_) => {
            "it ended the connection before it had said what it is".to_owned()
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => not_connected(fallback),
        other => format!("it does not shake hands as a server of MCP does: {}", quoted(&other.to_string())),
    }
}

fn http_error<'a>(error: &'a (dyn Error + Send + Sync + 'static)) -> Option<&'a HttpError> {
    match error.downcast_ref::<WorkerQuitReason<HttpError>>() {
        Some(WorkerQuitReason::Fatal { error, .. }) => Some(error),
        Some(_) => None,
        None => error.downcast_ref(),
    }
}

fn not_http(error: &HttpError) -> String {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum belongs to the library")]
    match error {
        HttpError::AuthRequired(_) => {
            "it wants a login (OAuth), which artoo does not have yet: if it takes a key as well, give it one with api_key, \
             api_key_file or headers"
                .to_owned()
        }
        HttpError::InsufficientScope(_) => "its key may not do this: give it another one".to_owned(),
        HttpError::SessionExpired => nothing_there(),
        HttpError::HttpStatus(status) => format!("it answers with HTTP {}: try again later", status.status),
        HttpError::UnexpectedContentType(kind) => format!(
            "it does not speak streamable HTTP (it sends {}): check url",
            quoted(kind.as_deref().unwrap_or("no type"))
        ),
        // The library keeps the status in its words alone.
        HttpError::UnexpectedServerResponse(said) if is_nothing_there(said) => nothing_there(),
        HttpError::UnexpectedServerResponse(said) => {
            format!("it does not answer as a server of MCP does ({}): check url and api_key", quoted(said))
        }
        HttpError::Client(error) => not_reached(error),
        other => format!("the connection broke down: {}", quoted(&other.to_string())),
    }
}

fn not_reached(error: &reqwest::Error) -> String {
    match error.status().map(|status| status.as_u16()) {
        Some(401) => "it wants a key (HTTP 401): set api_key, api_key_file or headers".to_owned(),
        Some(403) => "it does not let this key in (HTTP 403): check api_key".to_owned(),
        Some(404 | 405) => nothing_there(),
        Some(status @ 300..=399) => {
            format!(
                "it points elsewhere (HTTP {status}), which is not followed: write the address that it points to as url"
            )
        }
        Some(status) => format!("it answers with HTTP {status}: check url, or try again later"),
        None => {
            let mut last: &dyn Error = error;
            for _ in 0..8 {
                let Some(cause) = last.source() else { break };
                last = cause;
            }
            format!("nobody answers there ({}): start the server, or check url", quoted(&last.to_string()))
        }
    }
}

fn is_nothing_there(said: &str) -> bool {
    ["HTTP 404", "HTTP 405"].iter().any(|status| said.starts_with(status))
}

fn nothing_there() -> String {
    "there is no server of MCP at this address (HTTP 404 or 405): check url, which for most ends in /mcp; artoo speaks \
     streamable HTTP and not the older form, HTTP with SSE"
        .to_owned()
}

fn quoted(text: &str) -> String {
    first_chars(&escape(text), QUOTED_CHARS)
}
