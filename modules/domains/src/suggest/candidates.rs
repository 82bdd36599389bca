//! Names that are made of words: joined, with something before or after, blended, shortened, or ending in a suffix.

use std::collections::BTreeSet;

/// What often stands before a name.
const BEFORE: [&str; 12] = ["get", "try", "my", "the", "go", "use", "hey", "join", "meet", "we", "all", "pro"];
/// What often stands after it.
const AFTER: [&str; 12] =
    ["hq", "app", "hub", "lab", "labs", "shop", "store", "online", "now", "base", "works", "world"];

/// How a name was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Way {
    Word,
    Joined,
    Affix,
    Blend,
    Shortened,
    Hack,
}

impl Way {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Word => "the word itself",
            Self::Joined => "two of the words joined",
            Self::Affix => "a word with a usual ending or beginning",
            Self::Blend => "two words that share letters",
            Self::Shortened => "a word without its last vowel",
            Self::Hack => "the suffix ends the word",
        }
    }
}

/// A name with the words that it keeps whole.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) label: String,
    /// The suffix where the name is made for one alone.
    pub(super) tld: Option<String>,
    pub(super) way: Way,
    /// The share of its words that stand whole in it.
    pub(super) kept: f64,
}

/// All names that words come to, each label once, none longer than `longest`.
pub(super) fn of(words: &[String], tlds: &[String], longest: usize) -> Vec<Candidate> {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    let mut say = |label: String, tld: Option<&String>, way: Way, kept: f64| {
        let fits = (3..=longest).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-');
        if fits && seen.insert((label.clone(), tld.cloned())) {
            out.push(Candidate { label, tld: tld.cloned(), way, kept });
        }
    };
    for word in words {
        say(word.clone(), None, Way::Word, 1.0);
    }
    for a in words {
        for b in words.iter().filter(|b| *b != a) {
            say(format!("{a}{b}"), None, Way::Joined, 1.0);
        }
    }
    for word in words {
        for tld in tlds.iter().filter(|tld| !tld.contains('.')) {
            if let Some(rest) = word.strip_suffix(tld.as_str()) {
                say(rest.to_owned(), Some(tld), Way::Hack, 1.0);
            }
        }
        if let Some(short) = shortened(word) {
            say(short, None, Way::Shortened, 0.0);
        }
    }
    for a in words {
        for b in words.iter().filter(|b| *b != a) {
            if let Some(blend) = blend(a, b) {
                say(blend, None, Way::Blend, 1.0);
            }
        }
    }
    for word in words {
        for affix in BEFORE {
            say(format!("{affix}{word}"), None, Way::Affix, 1.0);
        }
        for affix in AFTER {
            say(format!("{word}{affix}"), None, Way::Affix, 1.0);
        }
    }
    out
}

/// Two words over the letters that end one and begin the other: at least two, and not all of either.
fn blend(a: &str, b: &str) -> Option<String> {
    let most = a.len().min(b.len()).checked_sub(1)?;
    let shared =
        (2..=most).rev().find(|run| a.is_char_boundary(a.len() - run) && b.starts_with(&a[a.len() - run..]))?;
    Some(format!("{a}{}", &b[shared..]))
}

/// A word without the vowel before its last consonant.
fn shortened(word: &str) -> Option<String> {
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let letters: Vec<char> = word.chars().collect();
    let [.., before, vowel, last] = letters.as_slice() else { return None };
    let fits = letters.len() >= 5 && !is_vowel(*last) && is_vowel(*vowel) && !is_vowel(*before);
    fits.then(|| letters[..letters.len() - 2].iter().chain([last]).collect())
}

#[cfg(test)]
mod tests {
    use super::{Way, blend, of, shortened};

    #[test]
    fn words_are_joined_blended_and_shortened() {
        assert_eq!(blend("lantern", "ernest").as_deref(), Some("lanternest"));
        assert_eq!(blend("lamp", "shop"), None);
        assert_eq!(shortened("flicker").as_deref(), Some("flickr"));
        assert_eq!(shortened("tumbler").as_deref(), Some("tumblr"));
        assert_eq!((shortened("shoe"), shortened("team"), shortened("bloom")), (None, None, None));
        let words = ["lamp", "studio"].map(str::to_owned);
        let all = of(&words, &["com".to_owned(), "io".to_owned()], 16);
        let has = |label: &str, way: Way| all.iter().any(|it| it.label == label && it.way == way);
        assert!(has("lampstudio", Way::Joined) && has("studiolamp", Way::Joined) && has("getlamp", Way::Affix));
        let hack = all.iter().find(|it| it.way == Way::Hack).expect("stud.io");
        assert_eq!((hack.label.as_str(), hack.tld.as_deref()), ("stud", Some("io")));
        assert!(all.iter().all(|it| it.label.len() <= 16));
    }
}
