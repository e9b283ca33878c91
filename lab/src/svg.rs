//! Figures of the page about the controller, as SVG: rectangles, lines and words, readable on light and dark.

use std::fmt::Write;

/// A drawing that grows; all lengths in pixels.
#[derive(Debug, Clone)]
pub struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

/// Where a word stands to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// It starts there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// Colours that differ for all eyes (Okabe and Ito).
pub const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];

impl Drawing {
    /// An empty sheet with a heading.
    pub fn new(width: f64, height: f64, heading: &str) -> Self {
        let mut drawing = Self { width, height, body: String::new() };
        drawing.word(12.0, 22.0, Align::Start, heading);
        drawing
    }

    /// A filled rectangle; `opacity` in [0, 1]. A negative height grows upwards.
    pub fn bar(&mut self, x: f64, y: f64, (width, height): (f64, f64), colour: &str, opacity: f64) {
        let (y, height) = if height < 0.0 { (y + height, -height) } else { (y, height) };
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{colour}" fill-opacity="{opacity:.2}"/>"#
        );
    }

    /// A line through these points.
    pub fn line(&mut self, points: &[(f64, f64)], colour: &str) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="1.5"/>"#,
            list.join(" ")
        );
    }

    /// A word.
    pub fn word(&mut self, x: f64, y: f64, anchor: Align, text: &str) {
        let anchor = match anchor {
            Align::Start => "start",
            Align::Middle => "middle",
            Align::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#);
    }

    /// Words with the colours that they stand for, from left to right.
    pub fn legend(&mut self, x: f64, y: f64, words: &[&str]) {
        for (i, (word, colour)) in words.iter().zip(COLOURS).enumerate() {
            let x = x + 120.0 * i as f64;
            self.bar(x, y - 10.0, (10.0, 10.0), colour, 1.0);
            self.word(x + 15.0, y, Align::Start, word);
        }
    }

    /// The whole file.
    pub fn finish(self) -> String {
        let Self { width, height, body } = self;
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="#222">
<rect width="{width}" height="{height}" fill="#fff"/>
{body}</svg>
"##
        )
    }
}
