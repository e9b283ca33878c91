//! `edit_file`: one exact replacement in an existing text file.

use std::io::Read as _;
use std::path::Path;

use artoo_types::redact::SecretKind;

use crate::arguments::EditArguments;
use crate::places::canonical;
use crate::receipt::Produced;
use crate::tool::Work;
use crate::tool::read_file::open;
use crate::tool::walk::plain;
use crate::tool::write_file::replace;

/// Bytes of a file that can be edited: it is held in memory twice.
const MAX_BYTES: u64 = 16 << 20;

/// Replaces `old` by `new` where `old` occurs exactly once.
pub(crate) fn run(arguments: &EditArguments, work: &Work) -> Produced {
    match edit(arguments, work) {
        Ok(text) => Produced::done(text),
        Err(message) => Produced::failed(message),
    }
}

fn edit(arguments: &EditArguments, work: &Work) -> Result<String, String> {
    let path = canonical(&work.places.path(&arguments.path));
    let mut text = String::new();
    let read = open(&path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|e| format!("{path} cannot be read as text: {}", plain(&e)))?;
    if read as u64 > MAX_BYTES {
        return Err(format!("{path} is larger than {MAX_BYTES} bytes, too large to edit"));
    }
    if arguments.old.is_empty() {
        return Err("`old` is empty; give the exact text to replace".to_owned());
    }
    match text.matches(&arguments.old).count() {
        1 => {}
        0 if SecretKind::stands_in(&arguments.old) => {
            return Err(format!(
                "`old` does not occur in {path}, which has a secret where `old` has a placeholder; choose a text without it"
            ));
        }
        0 => return Err(format!("`old` does not occur in {path}; read the file and copy the text exactly")),
        n => {
            return Err(format!(
                "`old` occurs {n} times in {path}; add surrounding lines so that it is unique"
            ));
        }
    }
    let edited = text.replacen(&arguments.old, &arguments.new, 1);
    replace(Path::new(&path), edited.as_bytes()).map_err(|e| format!("{path}: {}", plain(&e)))?;
    Ok(format!("replaced {} bytes by {} in {path}", arguments.old.len(), arguments.new.len()))
}
