//! Kept here: how wide a text is on a results page, by the advances and kerning of Liberation Sans, whose metrics are Arial's.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Advances by code point and kerning of pairs, in 2,048ths of the font size; written by `tests/references/kit/glyphs.py`.
const TABLE: &str = include_str!("glyphs/liberation.txt");
const UNITS: f64 = 2_048.0;

struct Font {
    advances: HashMap<u32, i32>,
    kerning: HashMap<(u32, u32), i32>,
}

fn font() -> &'static Font {
    static FONT: OnceLock<Font> = OnceLock::new();
    FONT.get_or_init(|| {
        let (mut advances, mut kerning) = (HashMap::new(), HashMap::new());
        for line in TABLE.lines() {
            let mut words = line.split(' ');
            let head = words.next().unwrap_or_default();
            if head == "kern" {
                kerning.extend(words.filter_map(pair));
            } else if let Ok(first) = u32::from_str_radix(head, 16) {
                let known = (first..).zip(words.filter_map(|it| it.parse().ok()));
                advances.extend(known.filter(|(_, advance)| *advance > 0));
            }
        }
        Font { advances, kerning }
    })
}

fn pair(text: &str) -> Option<((u32, u32), i32)> {
    let mut parts = text.split(',');
    let code = |part: Option<&str>| u32::from_str_radix(part?, 16).ok();
    let (left, right) = (code(parts.next())?, code(parts.next())?);
    Some(((left, right), parts.next()?.parse().ok()?))
}

/// The width of a text in pixels at a font size in pixels.
#[must_use]
pub fn width(text: &str, size: f64) -> f64 {
    let font = font();
    let mut before = None;
    let mut units = 0;
    for letter in text.chars() {
        units += advance(font, letter);
        if let Some(before) = before {
            units += font.kerning.get(&(before, u32::from(letter))).copied().unwrap_or_default();
        }
        before = Some(u32::from(letter));
    }
    f64::from(units) * size / UNITS
}

/// The longest beginning of a text that is at most `pixels` wide with an ellipsis, cut between words where one ends in time;
/// the text itself when it fits.
#[must_use]
pub fn truncate(text: &str, size: f64, pixels: f64) -> (String, bool) {
    if width(text, size) <= pixels {
        return (text.to_owned(), false);
    }
    let room = pixels - width(" ...", size);
    let mut end = 0;
    for (at, letter) in text.char_indices() {
        let next = at + letter.len_utf8();
        if width(&text[..next], size) > room {
            break;
        }
        end = next;
    }
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

fn advance(font: &Font, letter: char) -> i32 {
    if let Some(known) = font.advances.get(&u32::from(letter)) {
        return *known;
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
