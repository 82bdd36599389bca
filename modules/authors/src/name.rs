//! Whether two spellings mean the same person.

/// At least this similar, over the whole name, is the same person spelled differently.
const SAME: f64 = 0.92;
/// Each word of the shorter name is at least this similar to one of the other: `Doe` is not `Roe`.
const SAME_WORD: f64 = 0.85;

/// Bylines that name nobody.
const GENERIC: &[&str] = &[
    "admin",
    "administrator",
    "administration",
    "anonymous",
    "author",
    "autor",
    "blog",
    "blogger",
    "content team",
    "contributor",
    "contributors",
    "copywriter",
    "default",
    "desk",
    "editor",
    "editorial",
    "editorial staff",
    "editorial team",
    "editors",
    "guest",
    "guest author",
    "guest post",
    "guest writer",
    "info",
    "marketing",
    "marketing team",
    "moderator",
    "news desk",
    "newsdesk",
    "newsroom",
    "office",
    "our team",
    "owner",
    "press",
    "press office",
    "redacción",
    "redaktion",
    "rédaction",
    "root",
    "site admin",
    "staff",
    "staff writer",
    "support",
    "team",
    "test",
    "the editors",
    "the team",
    "user",
    "webmaster",
    "website",
    "writer",
];

/// Titles that are no part of a name.
const TITLES: &[&str] =
    &["dr", "dipl", "drs", "ing", "jr", "mag", "md", "mr", "mrs", "ms", "msc", "phd", "prof", "sir", "sr"];

/// How two names agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Agreement {
    /// The same text, white space aside.
    Exact,
    /// The same person in another spelling or order, with the similarity from 0.92 to 1.
    Close(f64),
}

/// Compares two names: Jaro-Winkler over the words in either order (design of the catalog, 5.14).
pub(crate) fn agreement(one: &str, other: &str) -> Option<Agreement> {
    if kit::text::collapse(one) == kit::text::collapse(other) {
        return Some(Agreement::Exact);
    }
    let (one, other) = (words(one), words(other));
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let (fewer, more) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    let found = |word: &String| more.iter().any(|it| strsim::jaro_winkler(word, it) >= SAME_WORD);
    // One word alone, a first name, is nobody in particular.
    if (fewer.len() == 1 && more.len() > 1) || !fewer.iter().all(found) {
        return None;
    }
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words.join(" ")
    };
    let in_order = strsim::jaro_winkler(&one.join(" "), &other.join(" "));
    let in_any_order = strsim::jaro_winkler(&sorted(&one), &sorted(&other));
    let similarity = in_order.max(in_any_order);
    (similarity >= SAME).then_some(Agreement::Close(similarity))
}

/// Whether a byline names nobody in particular.
pub(crate) fn is_generic(byline: &str) -> bool {
    let lower = kit::text::collapse(&byline.to_lowercase());
    let bare = lower.trim_start_matches("the ").trim_end_matches(" team").trim_end_matches(" staff");
    GENERIC.contains(&lower.as_str()) || GENERIC.contains(&bare) || lower.contains('@')
}

/// Lower-case words without accents, punctuation and titles.
pub(crate) fn words(name: &str) -> Vec<String> {
    let plain: String = name.chars().flat_map(char::to_lowercase).flat_map(plain).collect();
    let words = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty() && !TITLES.contains(it));
    words.map(str::to_owned).collect()
}

/// A lower-case Latin letter without its accent; a combining accent is nothing; others as they are.
fn plain(letter: char) -> impl Iterator<Item = char> {
    let letters = match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ĝ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ľ' | 'ļ' | 'ĺ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ŕ' | 'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ț' | 'ţ' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ž' | 'ż' => "z",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        '\u{300}'..='\u{36f}' => "",
        other => return Some(other).into_iter().chain("".chars()),
    };
    None.into_iter().chain(letters.chars())
}

#[cfg(test)]
mod tests;
