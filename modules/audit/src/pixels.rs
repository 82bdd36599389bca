//! How wide a text is in a search result, by the advance widths of Arial.
//!
//! The widths are those of Helvetica (Adobe Core 14 AFM), with which Arial and Liberation Sans are metric-compatible.

/// The font size of a result's title on a desktop, in pixels.
pub const TITLE: u32 = 20;
/// The font size of a result's description on a desktop, in pixels.
pub const DESCRIPTION: u32 = 14;

/// Advance widths of the characters from space to tilde, in thousandths of the font size.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// The width of a text in whole pixels, rounded up, at `size` pixels of font size.
#[must_use]
pub fn width(text: &str, size: u32) -> u32 {
    let thousandths: u64 = text.chars().map(|letter| u64::from(advance(letter))).sum();
    u32::try_from((thousandths * u64::from(size)).div_ceil(1000)).unwrap_or(u32::MAX)
}

fn advance(letter: char) -> u16 {
    match letter {
        ' '..='~' => ASCII[letter as usize - ' ' as usize],
        '\u{a0}' => 278,
        '–' | '€' => 556,
        '—' | '…' | '™' => 1000,
        '‘' | '’' | '‚' => 222,
        '“' | '”' | '„' => 333,
        '•' => 350,
        // Combining marks stand above the letter before them.
        '\u{300}'..='\u{36f}' => 0,
        'À'..='Ö' | 'Ø'..='Þ' | 'Ā'..='ſ' if letter.is_uppercase() => 667,
        // East Asian and full-width signs, and pictures, fill a square.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}' => 1000,
        _ => 556,
    }
}
