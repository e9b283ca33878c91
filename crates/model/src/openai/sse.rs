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
mod tests {
    use super::{Event, EventCutter};

    /// The body gives these data, whole and in every cut into two pieces, and byte by byte.
    fn check(body: &str, expected: &[&str]) {
        let bytes = body.as_bytes();
        for cut in 0..=bytes.len() {
            let (first, second) = bytes.split_at(cut);
            assert_eq!(data(&[first, second]), expected, "cut at {cut} of {body:?}");
        }
        assert_eq!(data(&bytes.chunks(1).collect::<Vec<_>>()), expected, "{body:?} byte by byte");
    }

    fn data(pieces: &[&[u8]]) -> Vec<String> {
        let mut cutter = EventCutter::default();
        let mut events: Vec<Event> = pieces.iter().flat_map(|piece| cutter.feed(piece)).collect();
        events.extend(cutter.finish());
        events.into_iter().map(|event| event.data).collect()
    }

    #[test]
    fn events_end_at_blank_lines() {
        check("data: a\n\ndata: b\n\n", &["a", "b"]);
        check("\n\n\ndata: a\n\n\n\ndata: b\n\n", &["a", "b"]);
        check("data: a\ndata: b\n\n", &["a\nb"]);
    }

    #[test]
    fn line_ends_may_be_of_any_kind() {
        check("data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
        check("data: a\r\rdata: b\r\r", &["a", "b"]);
        check("data: a\r\n\ndata: b\n\r\n", &["a", "b"]);
    }

    #[test]
    fn comments_and_other_fields_make_no_event() {
        check(": keep-alive\n\n: OPENROUTER PROCESSING\n\ndata: a\n\n", &["a"]);
        check(":\nid: 7\nretry: 10\nx\ndata: a\n: in between\n\n", &["a"]);
        check("event: ping\n\ndata:\n\ndata: \n\n", &[]);
    }

    #[test]
    fn one_space_after_the_colon_is_no_data() {
        check("data:a\n\ndata: b\n\ndata:  c\n\n", &["a", "b", " c"]);
    }

    #[test]
    fn an_event_counts_without_the_blank_line_at_the_end() {
        check("data: a\n\ndata: b\n", &["a", "b"]);
        check("data: a\n\ndata: b", &["a", "b"]);
    }

    #[test]
    fn characters_may_be_cut_anywhere() {
        check("\u{feff}data: 找出“合同”🗂\n\n", &["找出“合同”🗂"]);
    }

    #[test]
    fn the_kind_of_an_event_is_told() {
        let mut cutter = EventCutter::default();
        let events = cutter.feed(b"event: error\ndata: {}\n\ndata: {}\n\n");
        let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(names, ["error", ""]);
    }
}
