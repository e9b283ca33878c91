//! The way to the daemon: dial the socket, start the daemon if nobody answers.

use std::time::Duration;

use artoo_protocol::MAX_REPLY_BYTES;
use artoo_protocol::v1::artoo_service_client::ArtooServiceClient;
use tonic::transport::{Channel, Endpoint};

use crate::exit::Failure;
use crate::paths::{ClientPaths, short};
use crate::start::{StartingDaemon, start};

/// What makes calls.
pub type Client = ArtooServiceClient<Channel>;

/// How long a daemon that was started may take until it answers.
pub const START_PATIENCE: Duration = Duration::from_secs(10);
/// How long a daemon that ended right away is given: another one may be starting at the same time.
const GRACE_AFTER_EXIT: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(40);
/// How long a daemon that holds the folder and does not answer may take to be gone.
const DYING_PATIENCE: Duration = Duration::from_secs(10);
const DIAL_PATIENCE: Duration = Duration::from_secs(5);
/// How often the connection is tried while a call is open, so that a daemon that hangs is noticed.
const ALIVE_EVERY: Duration = Duration::from_secs(10);
/// How long the daemon may take to answer that.
const ALIVE_WITHIN: Duration = Duration::from_secs(10);

/// The daemon as seen from here.
#[derive(Clone)]
pub struct DaemonConnector {
    /// Where it lives.
    pub paths: ClientPaths,
    /// Whether it may be started when it does not answer.
    pub may_start: bool,
}

impl DaemonConnector {
    /// The same, if it runs already.
    #[must_use]
    pub fn running(&self) -> Self {
        Self { may_start: false, ..self.clone() }
    }

    /// Something that makes calls; starts the daemon if nobody answers and that is allowed.
    ///
    /// # Errors
    /// [`Failure::Unreachable`] with what the daemon said when it could not start.
    pub async fn connect(&self) -> Result<Client, Failure> {
        let refusal = match self.dial().await {
            Ok(client) => return Ok(client),
            Err(refusal) => refusal,
        };
        if !self.may_start {
            return Err(self.unreachable(format!("{refusal}, and it was not started because of --no-start.")));
        }
        // A daemon that was killed holds its folder until its last process is gone.
        let until = tokio::time::Instant::now() + DYING_PATIENCE;
        loop {
            let mut starting = start(&self.paths).map_err(|error| self.unreachable(error.to_string()))?;
            match self.wait_for(&mut starting).await {
                Err(_) if starting.found_another() && tokio::time::Instant::now() < until => {
                    tokio::time::sleep(POLL).await;
                }
                ended => return ended,
            }
        }
    }

    /// Something that makes calls, once a daemon that went down in order is back. It is not started from here: somebody
    /// has just stopped it.
    ///
    /// # Errors
    /// [`Failure::Unreachable`] when it stays away for [`START_PATIENCE`].
    pub async fn wait_until_back(&self) -> Result<Client, Failure> {
        let deadline = tokio::time::Instant::now() + START_PATIENCE;
        loop {
            match self.dial().await {
                Ok(client) => return Ok(client),
                Err(_) if tokio::time::Instant::now() < deadline => tokio::time::sleep(POLL).await,
                Err(refusal) => {
                    return Err(self.unreachable(format!("It was stopped, and is not back. {refusal}.")));
                }
            }
        }
    }

    /// Something that makes calls, if the daemon answers right now.
    ///
    /// # Errors
    /// Why it does not, in words.
    async fn dial(&self) -> Result<Client, String> {
        let endpoint = Endpoint::from_shared(format!("unix://{}", self.paths.socket.display()))
            .map_err(|error| error.to_string())?
            .connect_timeout(DIAL_PATIENCE)
            .http2_keep_alive_interval(ALIVE_EVERY)
            .keep_alive_timeout(ALIVE_WITHIN);
        match endpoint.connect().await {
            Ok(channel) => Ok(Client::new(channel).max_decoding_message_size(MAX_REPLY_BYTES)),
            Err(error) if self.paths.socket.exists() => {
                Err(format!("The socket is there but nobody answers ({})", root_cause(&error)))
            }
            Err(_) => Err("It is not running".to_owned()),
        }
    }

    /// The failure that a call ended with: whether the daemon said no, or was not there to say anything.
    pub fn failure(&self, status: tonic::Status) -> Failure {
        if is_outage(&status) {
            self.unreachable(format!("The connection broke: {}", status.message()))
        } else {
            Failure::Refused(Box::new(status))
        }
    }

    /// What the daemon answered, or the failure that its status means.
    ///
    /// # Errors
    /// See [`Self::failure`].
    pub fn answer<T>(&self, response: Result<tonic::Response<T>, tonic::Status>) -> Result<T, Failure> {
        response.map(tonic::Response::into_inner).map_err(|status| self.failure(status))
    }

    /// The failure of a daemon that takes calls and then says nothing.
    pub fn silent(&self) -> Failure {
        self.unreachable("It takes calls and says nothing: it hangs, or the machine is very busy.".to_owned())
    }

    async fn wait_for(&self, starting: &mut StartingDaemon) -> Result<Client, Failure> {
        let mut deadline = tokio::time::Instant::now() + START_PATIENCE;
        let mut ended = false;
        loop {
            if let Ok(client) = self.dial().await {
                return Ok(client);
            }
            if !ended && starting.has_ended() {
                ended = true;
                deadline = tokio::time::Instant::now() + GRACE_AFTER_EXIT;
            }
            if tokio::time::Instant::now() >= deadline {
                break;
            }
            tokio::time::sleep(POLL).await;
        }
        let said = starting.last_words();
        let reason = match (ended, said.is_empty()) {
            (true, false) => format!("It is not running and could not be started:\n{said}"),
            (true, true) => {
                "It is not running, and the one that was started ended without a word.".to_owned()
            }
            (false, _) => {
                format!("It was started and did not answer within {} s.\n{said}", START_PATIENCE.as_secs())
            }
        };
        Err(self.unreachable(reason))
    }

    fn unreachable(&self, reason: String) -> Failure {
        Failure::Unreachable { socket: short(&self.paths.socket), reason }
    }
}

/// Whether a call failed on the way, as opposed to being answered with an error: only the transport leaves a source.
pub fn is_outage(status: &tonic::Status) -> bool {
    std::error::Error::source(status).is_some()
}

fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
