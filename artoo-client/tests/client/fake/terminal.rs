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

    /// Gives the terminal so many columns, and tells the program, as a window does.
    pub(crate) fn resize(&mut self, columns: u16) {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.keys, size).expect("its size can be set");
        // The terminal is not the one that controls the program, so the system does not tell it.
        let id = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let id = id.expect("a process has an id");
        rustix::process::kill_process(id, rustix::process::Signal::WINCH).expect("it can be signalled");
    }

    /// The lines that are printed until the text is, without what moves the cursor or gives them colours.
    pub(crate) fn lines_until(&mut self, text: &str) -> Vec<String> {
        let before = loop {
            if let Some(at) = self.screen.find(text) {
                break self.screen.drain(..at).collect::<String>();
            }
            self.read_on(text);
        };
        let mut plain = String::new();
        let mut rest = before.chars();
        while let Some(c) = rest.next() {
            if c != '\u{1b}' {
                plain.push(c);
                continue;
            }
            // A control sequence ends with a letter (ECMA-48, 5.4).
            if rest.next() == Some('[') {
                let _ = rest.by_ref().find(|c| c.is_ascii_alphabetic());
            }
        }
        plain.split(['\r', '\n']).map(str::to_owned).collect()
    }

    /// Reads on until the text was printed, and forgets everything up to it. Fails when the program ends before.
    pub(crate) fn wait_for(&mut self, text: &str) {
        loop {
            if let Some(at) = self.screen.find(text) {
                self.screen.drain(..at + text.len());
                return;
            }
            self.read_on(text);
        }
    }

    fn read_on(&mut self, text: &str) {
        match self.output.recv_timeout(std::time::Duration::from_secs(30)) {
            Ok(part) => self.screen.push_str(&String::from_utf8_lossy(&part)),
            Err(error) => panic!("`{text}` was not printed ({error}); at the end:\n{}", self.screen),
        }
    }

    /// The exit code. A key that came while the program drew its prompt anew may be lost, so Ctrl+D is pressed again.
    pub(crate) fn end(mut self) -> Option<i32> {
        for turn in 0..300 {
            if let Some(status) = self.child.try_wait().expect("the program can be waited for") {
                return status.code();
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
            if turn % 50 == 49 {
                // It may have ended meanwhile.
                let _ = self.keys.write_all(b"\x04");
            }
        }
        let _ = self.child.kill();
        panic!("the program did not end; at the end:\n{}", self.screen)
    }
}
