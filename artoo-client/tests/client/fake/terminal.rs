//! A terminal with a program in it.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// How the program asks where the cursor is, and the answer: at the left of the last line.
const ASKS_CURSOR: &[u8] = b"\x1b[6n";
const CURSOR: &[u8] = b"\x1b[24;1R";

pub(crate) struct TestTerminal {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    screen: String,
}

impl TestTerminal {
    /// Runs the command in a terminal of 80 columns and 24 lines.
    pub(crate) fn run(mut command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&master).expect("it is ours");
        unlockpt(&master).expect("it can be opened");
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("its size can be set");
        let name = ptsname(&master, Vec::new()).expect("it has a name");
        let open = || {
            let flags = OFlags::RDWR | OFlags::NOCTTY;
            File::from(rustix::fs::open(name.as_c_str(), flags, Mode::empty()).expect("it can be opened"))
        };
        let child = command
            .stdin(Stdio::from(open()))
            .stdout(Stdio::from(open()))
            .stderr(Stdio::from(open()))
            .spawn()
            .expect("the program runs");
        let keys = File::from(master);
        let mut reader = keys.try_clone().expect("it can be shared");
        let mut answers = keys.try_clone().expect("it can be shared");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Fails when the program has closed its end.
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                let part = &bytes[..length];
                if part.windows(ASKS_CURSOR.len()).any(|window| window == ASKS_CURSOR) {
                    answers.write_all(CURSOR).expect("the program reads");
                }
                if sender.send(part.to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, output, screen: String::new() }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program reads");
    }

    /// Reads on until the text was printed, and forgets everything up to it. Fails when the program ends before.
    pub(crate) fn wait_for(&mut self, text: &str) {
        loop {
            if let Some(at) = self.screen.find(text) {
                self.screen.drain(..at + text.len());
                return;
            }
            match self.output.recv_timeout(std::time::Duration::from_secs(30)) {
                Ok(part) => self.screen.push_str(&String::from_utf8_lossy(&part)),
                Err(error) => panic!("`{text}` was not printed ({error}); at the end:\n{}", self.screen),
            }
        }
    }

    /// The exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.child.wait().expect("the program can be waited for").code()
    }
}
