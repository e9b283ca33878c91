//! The MCP servers whose tools the toolbox offers.

use std::path::PathBuf;

use super::{Shared, Toolbox};
use artoo_command::sandbox::Means;
use artoo_command::sandbox::{Confinement, derive};
use artoo_mcp::{Mcp, McpServer, Observer, Surroundings};

impl Toolbox {
    /// Starts these servers in the background; their tools join as soon as they are known. `pins` is the file of what the
    /// servers said when that was agreed to. Only the first call counts. It needs a tokio runtime.
    pub fn start_servers(&self, servers: Vec<McpServer>, pins: PathBuf, observer: &Observer) {
        let Shared { config, children, mcp, .. } = &*self.shared;
        let confinement = match self.means() {
            Means::Confining(_) => derive::all_but_own(&self.places("/")),
            Means::Lacking(_) | Means::Waived => Confinement::FullPower,
        };
        let surroundings = Surroundings {
            children: children.clone(),
            environment: config.environment.clone(),
            home: config.home.clone(),
            redactor: config.redactor.clone(),
            confinement,
        };
        mcp.start(servers, pins, &surroundings, observer);
    }

    /// The servers.
    pub fn servers(&self) -> &Mcp {
        &self.shared.mcp
    }
}
