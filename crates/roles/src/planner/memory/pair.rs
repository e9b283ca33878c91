//! The tool class and the input that a tag stands for.

use artoo_types::memory::MemoryEntry;
use artoo_types::plan::BlockedTarget;

/// The class and the target of a tag of a tool; an empty target where it stands for every one.
pub(super) fn pair(entry: &MemoryEntry) -> Option<BlockedTarget> {
    let class = entry.tag.space.strip_prefix("tool:")?;
    let target = entry.tag.entity.strip_prefix("path:")?;
    let target = if target == "*" { String::new() } else { decoded(target) };
    Some(BlockedTarget { class: decoded(class), target })
}

/// The raw form of a part of a tag, which is percent-encoded.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        match rest.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[at + 3..];
            }
            None => {
                bytes.push(b'%');
                rest = &rest[at + 1..];
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
