//! Server-sent events, cut from the bytes of a response body (WHATWG HTML, section 9.2.6), a little more tolerant than
//! the standard: an event at the end of the body counts without the blank line that should close it.

/// One event that carries data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Event {
    /// Its `event:` field; empty for the usual kind.
    pub(super) name: String,
    /// Its `data:` lines, joined by line breaks.
    pub(super) data: String,
}

/// Cuts a body into events. What it buffers is bounded by the body, and that by whoever feeds it.
#[derive(Debug, Default)]
pub(super) struct EventCutter {
    line: Vec<u8>,
    after_return: bool,
    name: String,
    data: Vec<String>,
    any_line: bool,
}

impl EventCutter {
    /// The events that `bytes` complete. Comments, blank lines and fields other than `event` and `data` make none.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            let follows_return = std::mem::take(&mut self.after_return);
            match byte {
                // CR, LF and CRLF all end a line, and the two of CRLF may come in different pieces.
                b'\n' if follows_return => {}
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The last event, when the body ended without the blank line after it.
    pub(super) fn finish(mut self) -> Option<Event> {
        let last = if self.line.is_empty() { None } else { self.end_line() };
        last.or_else(|| self.dispatch())
    }

    fn end_line(&mut self) -> Option<Event> {
        let bytes = std::mem::take(&mut self.line);
        let mut line = String::from_utf8_lossy(&bytes).into_owned();
        if !std::mem::replace(&mut self.any_line, true) && line.starts_with('\u{feff}') {
            line.remove(0);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.data.push(value.to_owned()),
            "event" => value.clone_into(&mut self.name),
            // A comment (no field name), `id`, `retry`, or a field that the standard ignores.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data).join("\n");
        (!data.trim().is_empty()).then_some(Event { name, data })
    }
}

#[cfg(test)]
mod tests;
