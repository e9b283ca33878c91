//! Foreign text made fit to be shown to a person who has to decide on it.

/// The text with every character that a terminal would act on, or that cannot be seen, written as `\u{..}`. Line breaks
/// stay, because a command may have several lines.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !(c.is_control() || is_invisible(c)) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

/// Characters that are not seen, or that change how others are seen: zero width, bidirectional, fillers, tags, variation
/// selectors and spaces other than the plain one. Source: Unicode 16, general categories Cf and Zs and
/// Default_Ignorable_Code_Point.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00A0
            | 0x00AD
            | 0x034F
            | 0x061C
            | 0x115F..=0x1160
            | 0x1680
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x2000..=0x200F
            | 0x2028..=0x202F
            | 0x205F..=0x206F
            | 0x3000
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFA0
            | 0xFFF0..=0xFFFB
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0000..=0xE0FFF
    )
}
