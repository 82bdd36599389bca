//! How wide a text is on a results page, by the advances and kerning of Liberation Sans, whose metrics are Arial's.

/// Advances by code point and kerning of pairs, in 2,048ths of the font size; written by `tests/references/kit/glyphs.py`.
const TABLE: &[u8] = include_bytes!("glyphs/liberation.txt");
const UNITS: f64 = 2_048.0;

/// Made while this is compiled: a guest lives for one call, and would read the table for each.
static FONT: Font = Font::read();

struct Font {
    /// Sorted by code point; 0 where the font has no letter.
    advances: [(u32, i32); count(b' ') - PAIRS],
    /// Sorted by both code points.
    kerning: [((u32, u32), i32); PAIRS],
}

/// Each pair has two commas, and each pair and each advance one space before it.
const PAIRS: usize = count(b',') / 2;

const fn count(byte: u8) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < TABLE.len() {
        if TABLE[at] == byte {
            count += 1;
        }
        at += 1;
    }
    count
}

impl Font {
    const fn read() -> Self {
        let mut font = Self { advances: [(0, 0); count(b' ') - PAIRS], kerning: [((0, 0), 0); PAIRS] };
        let (mut at, mut advances, mut pairs) = (0, 0, 0);
        while at < TABLE.len() {
            let kerns = TABLE[at] == b'k';
            let mut code = 0;
            if kerns {
                at += 4;
            } else {
                (code, at) = number(at, 16);
            }
            while at < TABLE.len() && TABLE[at] == b' ' {
                if kerns {
                    let (left, right, by);
                    (left, at) = number(at + 1, 16);
                    (right, at) = number(at + 1, 16);
                    (by, at) = number(at + 1, 10);
                    font.kerning[pairs] = ((left.cast_unsigned(), right.cast_unsigned()), by);
                    pairs += 1;
                } else {
                    let advance;
                    (advance, at) = number(at + 1, 10);
                    font.advances[advances] = (code.cast_unsigned(), advance);
                    (advances, code) = (advances + 1, code + 1);
                }
            }
            at += 1;
        }
        font
    }

    fn advance(&self, letter: char) -> Option<i32> {
        let found = self.advances.binary_search_by_key(&u32::from(letter), |known| known.0).ok()?;
        Some(self.advances[found].1).filter(|advance| *advance > 0)
    }

    fn kerning(&self, left: char, right: char) -> i32 {
        let pair = (u32::from(left), u32::from(right));
        self.kerning.binary_search_by_key(&pair, |known| known.0).map_or(0, |found| self.kerning[found].1)
    }
}

/// The number that stands at a place, and where it ends.
const fn number(mut at: usize, base: u32) -> (i32, usize) {
    let negative = TABLE[at] == b'-';
    if negative {
        at += 1;
    }
    let mut value = 0;
    while at < TABLE.len() {
        let Some(digit) = (TABLE[at] as char).to_digit(base) else { break };
        value = value * base.cast_signed() + digit.cast_signed();
        at += 1;
    }
    (if negative { -value } else { value }, at)
}

/// Where each letter of a text ends, and how wide the text is up to there, in the font's own units.
fn ends(text: &str) -> impl Iterator<Item = (usize, i32)> {
    let (mut before, mut units) = (None, 0);
    text.char_indices().map(move |(at, letter)| {
        units += advance(letter) + before.map_or(0, |before| FONT.kerning(before, letter));
        before = Some(letter);
        (at + letter.len_utf8(), units)
    })
}

fn pixels_of(units: i32, size: f64) -> f64 {
    f64::from(units) * size / UNITS
}

/// The width of a text in pixels at a font size in pixels.
#[must_use]
pub fn width(text: &str, size: f64) -> f64 {
    pixels_of(ends(text).last().map_or(0, |(_, units)| units), size)
}

/// The longest beginning of a text that is at most `pixels` wide with an ellipsis, cut between words where one ends in time;
/// the text itself when it fits.
#[must_use]
pub fn truncate(text: &str, size: f64, pixels: f64) -> (String, bool) {
    if width(text, size) <= pixels {
        return (text.to_owned(), false);
    }
    let room = pixels - width(" ...", size);
    let end = ends(text).take_while(|(_, units)| pixels_of(*units, size) <= room).last().map_or(0, |(end, _)| end);
    let inside_word = text[end..].starts_with(|c: char| !c.is_whitespace());
    let cut = &text[..end];
    let cut = if inside_word { cut.rfind(char::is_whitespace).map_or(cut, |space| &cut[..space]) } else { cut };
    (
        format!(
            "{} ...",
            cut.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–'))
        ),
        true,
    )
}

fn advance(letter: char) -> i32 {
    if let Some(known) = FONT.advance(letter) {
        return known;
    }
    match letter {
        // Combining marks stand above the letter before them.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        // East Asian and full-width signs, and pictures, fill a square.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}' => 2_048,
        // As wide as a digit.
        _ => 1_139,
    }
}

#[cfg(test)]
mod tests {
    use super::{truncate, width};

    #[test]
    fn widths_are_those_of_the_font_itself() {
        let measured: Vec<(String, f64)> = serde_json::from_str(include_str!("../fixtures/widths.json")).unwrap();
        assert_eq!(measured.len(), 500);
        for (text, ems) in measured {
            let off = (width(&text, 20.0) - ems * 20.0).abs();
            assert!(off <= 1.0, "{text}: {off}");
        }
    }

    #[test]
    fn a_text_that_is_too_wide_ends_between_words() {
        let long = "Desk lamps of brass and steel, made to last for a hundred years and more";
        let (cut, was) = truncate(long, 20.0, 300.0);
        assert!(was && cut.ends_with(" ...") && width(&cut, 20.0) <= 300.0, "{cut}");
        assert!(long.starts_with(cut.trim_end_matches(" ...")));
        assert_eq!(truncate("Short", 20.0, 300.0), ("Short".to_owned(), false));
        assert!(truncate(&"x".repeat(200), 20.0, 100.0).0.len() > 4);
    }
}
