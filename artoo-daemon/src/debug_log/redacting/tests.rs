use std::sync::{Arc, Mutex};

use artoo_redact::{KnownSecret, Redactor, Secret, SecretKind};
use tracing_subscriber::prelude::*;

use super::RedactingWriter;

#[test]
fn a_line_of_the_log_tells_no_secret() {
    let known = KnownSecret { secret: Secret::new("canary-0042 \"value\""), kind: SecretKind::Password };
    let written = Arc::new(Mutex::new(Vec::new()));
    let inner = {
        let written = Arc::clone(&written);
        move || Kept(Arc::clone(&written))
    };
    let layer = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(RedactingWriter { inner, redactor: Redactor::new(&[known]) });
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        let said = "canary-0042 \"value\"";
        // As text, in its escaped form, and as part of a larger value.
        tracing::info!(text = said, debug = ?said, whole = ?vec![said], "{said} ghp_abcdefghijklmnopqrstuvwxyz0123456789");
    });
    let line = String::from_utf8(written.lock().unwrap().clone()).unwrap();
    assert_eq!(line.matches("[redacted: password]").count(), 4, "{line}");
    assert!(line.contains("[redacted: token]") && !line.contains("canary") && line.ends_with('\n'), "{line}");
}

/// A writer into memory.
struct Kept(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
