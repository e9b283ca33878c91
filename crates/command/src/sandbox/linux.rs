//! Confinement on Linux: Landlock for files, TCP and signals, a filter of system calls for the rest, and no capabilities.
//!
//! Landlock has no rule that forbids; what is not granted is denied. So everything that may be read is granted around what
//! may not, see [`super::reach`].

use std::os::fd::AsFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

use super::prepared::PreparedEntries;
use super::reach;
use super::{Bounds, Confinement, Grant, ModeRights};

mod loopback;
mod syscalls;
mod view;

/// The oldest Landlock that confines enough: it knows changes of a file's length. Linux 6.2.
const NEEDED: ABI = ABI::V3;
/// The newest whose rights are asked for where the kernel has them.
const KNOWN: ABI = ABI::V7;
/// The first that keeps signals inside. Linux 6.12.
const SCOPES_SIGNALS: i32 = 6;
/// Devices that programs read and write as a matter of course, and that keep nothing.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// Capabilities that remain to root: those that replace the ownership of files, which a user's own command has.
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::FOWNER);

/// What a confined thread got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Got {
    /// The version of Landlock.
    pub(super) abi: i32,
}

impl Got {
    /// How it is called when somebody asks.
    pub(super) fn means(&self) -> String {
        let gap = if self.abi < SCOPES_SIGNALS { ", no signals" } else { "" };
        format!("Landlock ABI {} + seccomp{gap}", self.abi)
    }
}

/// Makes this process one that can keep a command to the modes of its own files, where it has one thread and that needs to be.
/// True if it is none for other commands any more: those could become no other user.
pub(super) fn prepare(confinement: &Confinement) -> bool {
    match confinement {
        Confinement::Confined(bounds) if bounds.modes == ModeRights::OfGrants => {
            view::prepare().unwrap_or(false)
        }
        Confinement::Confined(_) | Confinement::FullPower | Confinement::Guarded(_) => false,
    }
}

/// Whether commands can be kept to the modes of their own files on this machine. It must have one thread.
pub(super) fn has_views(bounds: &Bounds, scratch: &Path) -> bool {
    let tried = || std::thread::scope(|scope| scope.spawn(|| view::enter(bounds, scratch)).join());
    view::prepare().is_ok() && tried().is_ok_and(|entered| entered.is_ok())
}

/// Whether commands can have a network of their own on this machine, where [`has_views`] has prepared this process.
pub(super) fn has_loopback() -> bool {
    std::thread::scope(|scope| scope.spawn(loopback::enter).join()).is_ok_and(|entered| entered.is_ok())
}

/// Binds this thread, and what it starts, to these bounds.
pub(super) fn confine(bounds: &Bounds, scratch: &Path, made: &PreparedEntries) -> std::io::Result<Got> {
    let modes = match bounds.modes {
        // Without a view it could set the modes of any file.
        ModeRights::OfGrants if view::enter(bounds, scratch).is_err() => ModeRights::Nothing,
        modes @ (ModeRights::Nothing | ModeRights::OfGrants | ModeRights::All) => modes,
    };
    let reach = network_of(bounds);
    drop_capabilities();
    let mut rules = ruleset(reach)?;
    rules = granted(rules, Path::new("/"), AccessFs::ReadDir.into())?;
    let reading = AccessFs::ReadFile | AccessFs::Execute;
    rules = reach::around(&bounds.hidden, rules, |rules, inode| allow(rules, inode, reading))?;
    for device in DEVICES {
        if Path::new(device).exists() {
            rules = granted(rules, Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
        }
    }
    rules = granted(rules, scratch, everything())?;
    for file in made.files() {
        rules = allow(rules, file, content())?;
    }
    for grant in &bounds.grants {
        rules = match grant {
            // It was made, and is known by its descriptor.
            Grant::New(_) | Grant::Offered(_) => rules,
            // It was made, and being there is all that it is for.
            Grant::NewFolder(_) | Grant::OwnFolder(_) | Grant::Symlink { .. } | Grant::HardLink { .. } => {
                rules
            }
            // It was set.
            Grant::Mode { .. } => rules,
            // The copy is in the private folder.
            Grant::Index(_) => rules,
            Grant::Content(path) => allow(rules, reach::real(Path::new(path))?, content())?,
            Grant::Below(path) => allow(rules, reach::real(Path::new(path))?, everything())?,
            Grant::Removals(path) => allow(rules, reach::real(Path::new(path))?, removing())?,
        };
    }
    let status = rules.restrict_self().map_err(std::io::Error::other)?;
    if !bounds.reads.is_empty() {
        read_only_below(&bounds.reads, scratch, made)?;
    }
    let LandlockStatus::Available { effective_abi, kernel_abi } = status.landlock else {
        return Err(std::io::Error::other("this kernel has no Landlock"));
    };
    let abi = kernel_abi.unwrap_or(effective_abi as i32);
    let allowed = syscalls::Allowed {
        network: reach != NetworkReach::Nothing,
        modes,
        signals: abi >= SCOPES_SIGNALS,
        believed: believed(bounds),
    };
    for program in syscalls::programs(allowed).map_err(std::io::Error::other)? {
        seccompiler::apply_filter(&program).map_err(std::io::Error::other)?;
    }
    Ok(Got { abi })
}

/// Takes from this thread, and from what it starts, the reading of everything but what lies below these places and what was
/// made for it.
fn read_only_below(places: &[String], scratch: &Path, made: &PreparedEntries) -> std::io::Result<()> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::ReadFile)
        .and_then(|rules| rules.create())
        .map_err(std::io::Error::other)?;
    let there = places.iter().map(Path::new).filter(|place| place.exists());
    for place in there.chain([scratch]).chain(DEVICES.iter().map(Path::new).filter(|device| device.exists()))
    {
        rules = granted(rules, place, AccessFs::ReadFile.into())?;
    }
    for file in made.files() {
        rules = allow(rules, file, AccessFs::ReadFile)?;
    }
    rules.restrict_self().map_err(std::io::Error::other)?;
    Ok(())
}

/// Takes from this thread, and from what it starts, the reading of these folders, and nothing else.
pub(super) fn guard(hidden: &[String]) -> std::io::Result<()> {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::ReadFile | AccessFs::Refer)
        .map_err(std::io::Error::other)?
        .create()
        .map_err(std::io::Error::other)?;
    let rules = granted(rules, Path::new("/"), AccessFs::Refer.into())?;
    let rules = granted(rules, Path::new("/dev"), AccessFs::ReadFile.into())?;
    let rules = reach::around(hidden, rules, |rules, inode| allow(rules, inode, AccessFs::ReadFile))?;
    rules.restrict_self().map_err(std::io::Error::other)?;
    Ok(())
}

/// What a command may reach by sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NetworkReach {
    /// Nothing, and it opens none.
    Nothing,
    /// What it starts itself, in a network of its own.
    Itself,
    /// Whatever answers, and nobody reaches it.
    Others,
}

/// What these bounds let a command reach. One whose changes are the box's own may be a test that serves and asks itself: it
/// gets a network where there is nobody else, if the system has one to give.
fn network_of(bounds: &Bounds) -> NetworkReach {
    match (bounds.network, bounds.modes) {
        (true, _) => NetworkReach::Others,
        (false, ModeRights::OfGrants) if loopback::enter().is_ok() => NetworkReach::Itself,
        (false, ModeRights::OfGrants | ModeRights::Nothing | ModeRights::All) => NetworkReach::Nothing,
    }
}

/// All that Landlock can deny is denied, as far as this kernel goes, and at least what [`NEEDED`] has.
fn ruleset(reach: NetworkReach) -> std::io::Result<RulesetCreated> {
    let net = match reach {
        NetworkReach::Nothing => Some(AccessNet::from_all(KNOWN)),
        NetworkReach::Itself => None,
        NetworkReach::Others => Some(AccessNet::BindTcp.into()),
    };
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))
        .and_then(|rules| {
            let rules =
                rules.set_compatibility(CompatLevel::BestEffort).handle_access(AccessFs::from_all(KNOWN))?;
            match net {
                Some(net) => rules.handle_access(net),
                None => Ok(rules),
            }
        })
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN))?.create())
        .map_err(std::io::Error::other)
}

/// What was made for the command that it will try to make itself.
fn believed(bounds: &Bounds) -> syscalls::Believed {
    let mut believed = syscalls::Believed::default();
    for grant in &bounds.grants {
        match grant {
            Grant::OwnFolder(_) => believed.folders = true,
            Grant::Symlink { .. } | Grant::HardLink { .. } => believed.links = true,
            Grant::Mode { .. } => believed.modes = true,
            Grant::New(_)
            | Grant::Offered(_)
            | Grant::NewFolder(_)
            | Grant::Index(_)
            | Grant::Content(_)
            | Grant::Below(_)
            | Grant::Removals(_) => {}
        }
    }
    believed
}

fn granted(
    rules: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> std::io::Result<RulesetCreated> {
    allow(rules, reach::opened(path)?, rights)
}

/// Grants rights to one inode and what is below it. Rights that a file cannot have are left out for files.
fn allow(
    rules: RulesetCreated,
    inode: impl AsFd,
    rights: impl Into<BitFlags<AccessFs>>,
) -> std::io::Result<RulesetCreated> {
    rules.add_rule(PathBeneath::new(inode, rights.into())).map_err(std::io::Error::other)
}

fn content() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate
}

/// Without making and moving anything: with those, what is removed could be replaced by what a command made elsewhere.
fn removing() -> BitFlags<AccessFs> {
    AccessFs::RemoveFile | AccessFs::RemoveDir
}

/// All but devices and sockets.
fn everything() -> BitFlags<AccessFs> {
    let making =
        AccessFs::MakeReg | AccessFs::MakeDir | AccessFs::MakeSym | AccessFs::MakeFifo | AccessFs::Refer;
    content() | removing() | making | AccessFs::Execute | AccessFs::ReadDir
}

/// Takes away what makes root more than an owner of files. Others have nothing to lose, and get nothing by running a
/// program, which `no_new_privs` sees to.
fn drop_capabilities() {
    for capability in CapabilitySet::all().difference(KEPT).iter() {
        // It fails for a user without capabilities, and for one that this kernel does not have.
        let _ = remove_capability_from_bounding_set(capability);
    }
}
