//! A text as the lint reads it: lower case, plain letters, and no tricks of spelling.

/// Folds a text: marks off Latin letters, digits and signs that stand for letters, invisible characters away, spelled-out
/// words together, and everything between words one space.
pub(super) fn fold(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{300}'..='\u{36f}' | '\'' | '’' => {}
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            // Full-width letters are the plain ones.
            '\u{ff41}'..='\u{ff5a}' => plain.extend(char::from_u32(letter as u32 - 0xfee0)),
            _ => match letters(letter) {
                Some(base) => plain.push(base),
                None if letter.is_alphanumeric() || "@$!|".contains(letter) => plain.push(letter),
                None => plain.push(' '),
            },
        }
    }
    join(plain.split_whitespace().map(spelled))
}

/// Digits and signs within a word of Latin letters are the letters they look like.
fn spelled(word: &str) -> String {
    if !word.chars().any(|letter| letter.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    let like = |letter| match letter {
        '0' => 'o',
        '1' | '|' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    };
    // A mark at the end of a word is a mark.
    word.trim_end_matches('!').chars().map(like).collect()
}

/// `g o o g l e` is one word.
fn join(words: impl Iterator<Item = String>) -> String {
    let (mut text, mut single) = (String::new(), false);
    for word in words {
        let alone = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        if !(text.is_empty() || single && alone) {
            text.push(' ');
        }
        text.push_str(&word);
        single = alone;
    }
    text
}

fn letters(letter: char) -> Option<char> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ť' | 'ț' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        _ => return None,
    })
}
