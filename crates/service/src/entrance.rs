//! Where a call comes in: who may make it, how long its answer may take to begin, and that every text of a request is
//! redacted before anything looks at it, so that neither an answer nor a refusal, neither a log line nor a task can repeat
//! a secret.

use std::collections::HashMap;
use std::time::Duration;

use artoo_protocol::v1;
use artoo_redact::{Redactor, Secret};
use tonic::{Request, Response, Status};

use super::call_limit::Arrival;
use super::connection::Caller;
use super::errors;
use super::peer::{Peer, knows};
use super::service::Calls;

/// How long most answers may take. The slowest of them, a cancellation, waits 4 s.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// What the table says of an RPC.
#[derive(Debug)]
pub(super) struct Rpc {
    /// Its name in the protocol.
    pub(super) name: &'static str,
    /// How long its answer may take to begin; None is as long as it needs.
    pub(super) deadline: Option<Duration>,
    /// Who may call it.
    pub(super) callers: Callers,
}

/// Who may call an RPC. The text completes "programs that artoo itself started cannot ...".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callers {
    /// Whoever can open the socket.
    Anybody,
    /// People: whoever can read the token of this run, and was not started by artoo itself.
    People(&'static str),
}

/// A request as the entrance sees it.
pub(super) trait Entering {
    /// The row of its RPC.
    const RPC: Rpc;

    /// Takes secrets out of every text.
    fn redact(&mut self, redactor: &Redactor);

    /// Whether it asks for what not everybody may do.
    fn is_restricted(&self) -> bool {
        true
    }

    /// What the caller proves to be a person with.
    fn token(&self) -> &str {
        ""
    }
}

impl Calls {
    /// The request of somebody who may make it, without secrets. Nothing else may take a request out of its cover.
    pub(super) fn enter<T: Entering>(&self, request: Request<T>) -> Result<T, Status> {
        let (_, extensions, mut request) = request.into_parts();
        if let Some(arrival) = extensions.get::<Arrival>() {
            arrival.note();
        }
        request.redact(&self.parts.redactor);
        check_caller(&request, extensions.get::<Caller>().map(|caller| caller.peer), &self.parts.token)?;
        Ok(request)
    }
}

/// Whether this peer may make this request (Law 1).
fn check_caller<T: Entering>(request: &T, peer: Option<Peer>, token: &Secret) -> Result<(), Status> {
    let what = match T::RPC.callers {
        Callers::Anybody => return Ok(()),
        Callers::People(_) if !request.is_restricted() => return Ok(()),
        Callers::People(what) => what,
    };
    if !peer.is_some_and(|peer| peer.may_answer()) {
        tracing::warn!(
            ?peer,
            rpc = T::RPC.name,
            "something that artoo started tried to do what only a person may"
        );
        return Err(errors::forbidden(
            "NOT_A_PERSON",
            &format!("programs that artoo itself started cannot {what}; use your own terminal"),
        ));
    }
    if !knows(token.expose(), request.token()) {
        tracing::warn!(?peer, rpc = T::RPC.name, "what only a person may do came with a wrong token");
        return Err(errors::forbidden(
            "WRONG_TOKEN",
            "the token is not the content of confirm.token in the data folder; it changes at every start of the daemon",
        ));
    }
    Ok(())
}

/// An answer within its deadline.
pub(super) async fn within<T>(
    deadline: Option<Duration>,
    answer: impl Future<Output = Result<T, Status>>,
) -> Result<Response<T>, Status> {
    let Some(deadline) = deadline else { return answer.await.map(Response::new) };
    match tokio::time::timeout(deadline, answer).await {
        Ok(answer) => answer.map(Response::new),
        Err(_) => Err(errors::too_late("the daemon is too busy to answer; try again in a moment")),
    }
}

/// A field of a request that holds texts.
pub(super) trait Redact {
    /// Takes secrets out of them.
    fn redact(&mut self, redactor: &Redactor);
}

impl Redact for String {
    fn redact(&mut self, redactor: &Redactor) {
        redactor.clean(self);
    }
}

impl Redact for Vec<String> {
    fn redact(&mut self, redactor: &Redactor) {
        redactor.clean_all(self);
    }
}

impl Redact for HashMap<String, String> {
    fn redact(&mut self, redactor: &Redactor) {
        let clean = |(mut key, mut value): (String, String)| {
            redactor.clean(&mut key);
            redactor.clean(&mut value);
            (key, value)
        };
        *self = std::mem::take(self).into_iter().map(clean).collect();
    }
}

impl Redact for Vec<v1::Tag> {
    fn redact(&mut self, redactor: &Redactor) {
        for v1::Tag { space, entity } in self {
            redactor.clean(space);
            redactor.clean(entity);
        }
    }
}

/// Redacts a text that is JSON.
pub(super) fn json(text: &mut String, redactor: &Redactor) {
    redactor.clean_json(text);
}

/// Redacts a text whose lines are JSON.
pub(super) fn json_lines(lines: &mut String, redactor: &Redactor) {
    let clean = lines.split_inclusive('\n').map(|line| {
        let mut line = line.to_owned();
        redactor.clean_json(&mut line);
        line
    });
    *lines = clean.collect();
}

#[cfg(test)]
mod tests;
