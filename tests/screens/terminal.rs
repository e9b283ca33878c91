//! A terminal with a program in it, and what a person sees there.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use artoo_testing::PATIENCE;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Enough for whatever is shown, so that nothing scrolls away.
const ROWS: u16 = 60;
/// How a program asks where the cursor is.
const ASKS_CURSOR: &[u8] = b"\x1b[6n";
/// How a conversation asks for a line.
const PROMPT: &str = "›";

/// A program in a terminal. Dropping it kills the program.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    parser: Arc<Mutex<vt100::Parser>>,
    /// Something came; it hangs up when the program has closed its end.
    changed: Receiver<()>,
}

impl Terminal {
    /// Runs a program in a terminal of so many columns.
    pub(crate) fn run(mut command: Command, columns: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&master).expect("it is ours");
        unlockpt(&master).expect("it can be opened");
        let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("its size can be set");
        let name = ptsname(&master, Vec::new()).expect("it has a name");
        let open = || {
            let flags = OFlags::RDWR | OFlags::NOCTTY;
            Stdio::from(File::from(
                rustix::fs::open(name.as_c_str(), flags, Mode::empty()).expect("it opens"),
            ))
        };
        command.env("TERM", "xterm-256color").stdin(open()).stdout(open()).stderr(open());
        let child = command.spawn().expect("the program runs");
        // The command holds ends of the terminal.
        drop(command);
        let keys = File::from(master);
        let size = |number| NonZeroU16::new(number).expect("not 0");
        let parser = Arc::new(Mutex::new(vt100::Parser::new(size(ROWS), size(columns), 0)));
        let (sender, changed) = channel();
        let (mut reader, mut answers) =
            (keys.try_clone().expect("shared"), keys.try_clone().expect("shared"));
        let screen = Arc::clone(&parser);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The question may come in two pieces: the end of what came before stays.
            let mut unread = Vec::new();
            // Fails when the program has closed its end.
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                let mut screen = screen.lock().expect("nobody fails with it");
                screen.process(&bytes[..length]);
                unread.extend_from_slice(&bytes[..length]);
                let asked = unread.windows(ASKS_CURSOR.len()).rposition(|window| window == ASKS_CURSOR);
                let kept = unread.len().saturating_sub(ASKS_CURSOR.len() - 1);
                unread.drain(..asked.map_or(kept, |at| at + ASKS_CURSOR.len()));
                if asked.is_some() {
                    let (row, column) = screen.screen().cursor_position();
                    let answer = format!("\x1b[{};{}R", row + 1, column + 1);
                    answers.write_all(answer.as_bytes()).expect("the program reads");
                }
                drop(screen);
                if sender.send(()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, parser, changed }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program reads");
    }

    /// Waits until the screen shows this text. Panics with what it shows when the program ends before, or in time.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |shown| shown.contains(text))
    }

    /// Waits until a conversation takes the next line. What is pressed before is shown twice: by the terminal itself,
    /// which nobody has made silent yet, and by the line's editor.
    pub(crate) fn wait_for_prompt(&self) {
        self.wait_until("an empty prompt", |shown| shown.lines().last() == Some(PROMPT));
    }

    fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let since = Instant::now();
        loop {
            let shown = self.shown();
            if holds(&shown) {
                return shown;
            }
            if self.changed.recv_timeout(PATIENCE.saturating_sub(since.elapsed())).is_err() {
                let shown = self.shown();
                assert!(holds(&shown), "`{what}` is not on the screen:\n{shown}");
                return shown;
            }
        }
    }

    /// Waits for the end of the program: its exit code, and the screen that it leaves.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let since = Instant::now();
        loop {
            match self.changed.recv_timeout(PATIENCE.saturating_sub(since.elapsed())) {
                Ok(()) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it still runs:\n{}", self.shown()),
            }
        }
        let code = self.child.wait().expect("the program can be waited for").code();
        (code, self.shown())
    }

    /// What stands on the screen. No row may run over its end: the terminal would break words.
    pub(crate) fn shown(&self) -> String {
        let parser = self.parser.lock().expect("nobody fails with it");
        let screen = parser.screen();
        let (_, columns) = screen.size();
        let rows: Vec<String> = screen.rows(0, columns.get()).map(|row| row.trim_end().to_owned()).collect();
        for (index, row) in rows.iter().enumerate() {
            let index = u16::try_from(index).expect("a few rows");
            assert!(!screen.row_wrapped(index), "this row runs over its end: {row}\n{}", rows.join("\n"));
        }
        rows.join("\n").trim_end().to_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It fails only when the program is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
