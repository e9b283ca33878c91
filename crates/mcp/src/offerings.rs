//! What a server offers beside tools: resources, which are texts at addresses, and prompts, which are texts with places for
//! words. Both are read with a tool that artoo adds to the server's own, so that the same rules hold: it is pinned, asked about,
//! bounded and marked as a stranger's.

use std::time::Duration;

use artoo_types::text::first_chars;
use artoo_types::tool::CallOutcome;
use rmcp::model::{
    ClientRequest, GetPromptRequest, GetPromptRequestParams, ListPromptsRequest, ListResourcesRequest,
    PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams, Role, ServerResult, Tool,
};
use rmcp::service::{Peer, ServiceError};
use rmcp::{RoleClient, model::Prompt, model::Resource};
use serde_json::{Map, Value, json};

use super::described::CallMethod;
use super::{result, session};

/// Entries of a list that are told.
const MAX_ENTRIES: usize = 200;
/// Pages of a list that are asked for.
const MAX_PAGES: usize = 16;
/// Characters of what a server says of one entry.
const MAX_SAID_CHARS: usize = 200;

/// The tools that stand for what this server offers beside its own.
pub(crate) fn tools(peer: &Peer<RoleClient>) -> Vec<(Tool, CallMethod)> {
    let Some(info) = peer.peer_info() else { return Vec::new() };
    let mut tools = Vec::new();
    if info.capabilities.resources.is_some() {
        let schema = json!({"type": "object", "properties": {"uri": {"type": "string",
            "description": "address of the resource; without one all of them are listed"}}});
        let purpose = "lists the resources of this server, which are texts and data, or reads one of them";
        tools.push((added("read_resource", purpose, &schema), CallMethod::Resources));
    }
    if info.capabilities.prompts.is_some() {
        let schema = json!({"type": "object", "properties": {
            "name": {"type": "string", "description": "name of the prompt; without one all of them are listed"},
            "arguments": {"type": "object", "additionalProperties": {"type": "string"},
                          "description": "words for its places, by their names"}}});
        let purpose =
            "lists the prompts of this server, which are texts with places for words, or fills one in";
        tools.push((added("get_prompt", purpose, &schema), CallMethod::Prompts));
    }
    tools
}

fn added(name: &'static str, purpose: &'static str, schema: &Value) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, purpose, std::sync::Arc::new(schema))
}

/// Lists or reads, within `patience` for each answer of the server.
///
/// # Errors
/// What the server, or the connection, says instead of an answer.
pub(crate) async fn call(
    peer: &Peer<RoleClient>,
    method: CallMethod,
    mut arguments: Map<String, Value>,
    patience: Duration,
) -> Result<CallOutcome, ServiceError> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    match method {
        CallMethod::Prompts => match text("name").map(str::to_owned) {
            Some(name) => prompt(peer, name, arguments.remove("arguments"), patience).await,
            None => prompts(peer, patience).await,
        },
        CallMethod::Resources | CallMethod::Tool => match text("uri").map(str::to_owned) {
            Some(uri) => resource(peer, uri, patience).await,
            None => resources(peer, patience).await,
        },
    }
}

async fn resource(
    peer: &Peer<RoleClient>,
    uri: String,
    patience: Duration,
) -> Result<CallOutcome, ServiceError> {
    let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
    let answer = session::ask(peer, ClientRequest::ReadResourceRequest(request), patience).await?;
    let ServerResult::ReadResourceResult(read) = answer else {
        return Err(ServiceError::UnexpectedResponse);
    };
    let parts: Vec<String> = read.contents.iter().map(result::contents).collect();
    Ok(CallOutcome::done(parts.join("\n")))
}

async fn resources(peer: &Peer<RoleClient>, patience: Duration) -> Result<CallOutcome, ServiceError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    for _ in 0..MAX_PAGES {
        let request = ListResourcesRequest { params: page(cursor), ..ListResourcesRequest::default() };
        let answer = session::ask(peer, ClientRequest::ListResourcesRequest(request), patience).await?;
        let ServerResult::ListResourcesResult(found) = answer else {
            return Err(ServiceError::UnexpectedResponse);
        };
        all.extend(found.resources.iter().map(resource_line));
        cursor = found.next_cursor;
        if cursor.is_none() || all.len() > MAX_ENTRIES {
            break;
        }
    }
    Ok(CallOutcome::done(listed(&all, "resource", cursor.is_some())))
}

async fn prompt(
    peer: &Peer<RoleClient>,
    name: String,
    words: Option<Value>,
    patience: Duration,
) -> Result<CallOutcome, ServiceError> {
    let mut params = GetPromptRequestParams::new(name);
    if let Some(Value::Object(words)) = words {
        params = params.with_arguments(words);
    }
    let request = GetPromptRequest::new(params);
    let answer = session::ask(peer, ClientRequest::GetPromptRequest(request), patience).await?;
    let ServerResult::GetPromptResult(filled) = answer else { return Err(ServiceError::UnexpectedResponse) };
    let part = |message: &rmcp::model::PromptMessage| {
        let who = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        format!("[{who}]\n{}", result::part(&message.content))
    };
    Ok(CallOutcome::done(filled.messages.iter().map(part).collect::<Vec<_>>().join("\n")))
}

async fn prompts(peer: &Peer<RoleClient>, patience: Duration) -> Result<CallOutcome, ServiceError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    for _ in 0..MAX_PAGES {
        let request = ListPromptsRequest { params: page(cursor), ..ListPromptsRequest::default() };
        let answer = session::ask(peer, ClientRequest::ListPromptsRequest(request), patience).await?;
        let ServerResult::ListPromptsResult(found) = answer else {
            return Err(ServiceError::UnexpectedResponse);
        };
        all.extend(found.prompts.iter().map(prompt_line));
        cursor = found.next_cursor;
        if cursor.is_none() || all.len() > MAX_ENTRIES {
            break;
        }
    }
    Ok(CallOutcome::done(listed(&all, "prompt", cursor.is_some())))
}

fn page(cursor: Option<String>) -> Option<PaginatedRequestParams> {
    cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)))
}

fn resource_line(resource: &Resource) -> String {
    let kind = resource.mime_type.as_deref().unwrap_or("no type named");
    line(&format!("{} ({kind})", resource.uri), &resource.name, resource.description.as_deref())
}

fn prompt_line(prompt: &Prompt) -> String {
    let places = prompt.arguments.iter().flatten().map(|place| {
        if place.required == Some(true) { place.name.clone() } else { format!("{}?", place.name) }
    });
    let places = places.collect::<Vec<_>>().join(", ");
    line(&format!("{} {{{places}}}", prompt.name), "", prompt.description.as_deref())
}

fn line(head: &str, name: &str, said: Option<&str>) -> String {
    let said: Vec<&str> =
        [name, said.unwrap_or_default()].into_iter().filter(|text| !text.is_empty()).collect();
    let said = said.join(": ").split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{head} {}", first_chars(&said, MAX_SAID_CHARS)).trim_end().to_owned()
}

/// The list as text, with what of it is left out.
fn listed(all: &[String], what: &str, has_more: bool) -> String {
    let told = all.iter().take(MAX_ENTRIES).cloned().collect::<Vec<_>>().join("\n");
    match (all.len(), has_more || all.len() > MAX_ENTRIES) {
        (0, _) => format!("the server has no {what} now"),
        (_, false) => told,
        (_, true) => format!("{told}\n[only the first {} are shown]", all.len().min(MAX_ENTRIES)),
    }
}
