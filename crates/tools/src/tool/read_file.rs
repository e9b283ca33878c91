//! `read_file`: lines of a text file.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;

use rustix::fs::OFlags;

use crate::arguments::ReadArguments;
use crate::receipt::Produced;
use crate::tool::Work;
use crate::tool::walk::plain;

/// Lines unless the call says otherwise.
const DEFAULT_LINES: u64 = 2_000;
/// Bytes that one call returns. The text is held a few times while it becomes a receipt.
const MAX_OUTPUT_BYTES: usize = 8 << 20;
/// Bytes that one call reads on its way to `offset` and to the end of its lines.
const MAX_READ_BYTES: u64 = 64 << 20;
/// Bytes at the start in which a zero byte means that the file is not text.
const SNIFFED_BYTES: usize = 8 << 10;

/// Reads lines `offset..offset + limit`.
pub(crate) fn run(arguments: &ReadArguments, work: &Work) -> Produced {
    let path = work.places.path(&arguments.path);
    match open(&path) {
        Ok(reader) => lines(reader, &path, arguments, work),
        Err(message) => Produced::failed(message),
    }
}

/// Opens a regular file without waiting: a named pipe without a writer would wait for ever.
pub(crate) fn open(path: &str) -> Result<BufReader<std::fs::File>, String> {
    let say = |error: std::io::Error| format!("{path}: {}", plain(&error));
    let flags = i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(say)?;
    let meta = file.metadata().map_err(say)?;
    if meta.is_dir() {
        return Err(format!("{path} is a folder; list it with glob"));
    }
    if !meta.is_file() {
        return Err(format!("{path} is not a regular file"));
    }
    Ok(BufReader::new(file))
}

fn lines(
    mut reader: BufReader<std::fs::File>,
    path: &str,
    arguments: &ReadArguments,
    work: &Work,
) -> Produced {
    match reader.fill_buf() {
        Ok(start) if start.iter().take(SNIFFED_BYTES).any(|b| *b == 0) => {
            return Produced::failed(format!(
                "{path} is a binary file; read_file reads text. Ask shell with file, stat or sha256sum about it"
            ));
        }
        Ok(_) => {}
        Err(error) => return Produced::failed(format!("{path}: {}", plain(&error))),
    }
    let offset = arguments.offset.unwrap_or(0);
    let end = offset.saturating_add(arguments.limit.unwrap_or(DEFAULT_LINES).max(1));
    let mut reader = reader.take(MAX_READ_BYTES);
    let mut bytes = Vec::new();
    let (mut line, mut number) = (Vec::new(), 0);
    let mut note = None;
    let cut = loop {
        if let Some(ended) = work.ended() {
            return ended;
        }
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) if reader.limit() == 0 => break Some(format!("[stopped after {MAX_READ_BYTES} bytes]")),
            Ok(0) => break None,
            Ok(_) if number >= end => {
                let more = format!("more lines follow; continue with offset {end}");
                // Who asked for so many lines wants those, and the remark beside them; else it is part of what is seen.
                if arguments.limit.is_some() {
                    note = Some(more);
                    break None;
                }
                break Some(format!("[{more}]"));
            }
            Ok(_) if number < offset => {}
            Ok(_) if bytes.len() + line.len() > MAX_OUTPUT_BYTES => {
                break Some(format!("[stopped at {MAX_OUTPUT_BYTES} bytes; continue with offset {number}]"));
            }
            Ok(_) => bytes.extend_from_slice(&line),
            Err(error) => return Produced::failed(format!("{path}: {}", plain(&error))),
        }
        number += 1;
    };
    if bytes.is_empty() && cut.is_none() && offset > 0 {
        return Produced::failed(format!("{path} has {number} lines; offset {offset} is past its end"));
    }
    let lossy = std::str::from_utf8(&bytes).is_err();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if let Some(remark) = &cut {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(remark);
    }
    let lossy = lossy.then(|| "bytes that are not UTF-8 were replaced".to_owned());
    let notes: Vec<String> = note.into_iter().chain(lossy).collect();
    Produced::done(text).noted((!notes.is_empty()).then(|| notes.join("; ")))
}
