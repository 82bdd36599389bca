//! Where sentences end: by UAX 29, not after an abbreviation.

use unicode_segmentation::UnicodeSegmentation;

/// Abbreviations that a sentence goes on after, in lower case without their last full stop.
const ABBREVIATIONS: &[&str] = &[
    // English.
    "mr", "mrs", "ms", "dr", "prof", "sr", "jr", "st", "vs", "etc", "e.g", "i.e", "cf", "al", "fig", "figs", "no",
    "vol", "pp", "ed", "eds", "approx", "dept", "inc", "ltd", "co", "corp", "u.s", "u.k", "a.m", "p.m", "jan", "feb",
    "aug", "sept", "oct", "nov", "dec", "rev", "gen", "sen", "rep", "capt", "sgt", "ave", "blvd", "rd",
    // German.
    "bzw", "ca", "d.h", "z.b", "u.a", "usw", "vgl", "nr", "str", "abs", "art", "ggf", "evtl", "inkl", "zzgl", "hr",
    "fr", "o.g", "s.o", "s.u", "mio", "mrd", "dipl", "ing", // French, Spanish, Italian, Dutch.
    "mme", "mlle", "p.ex", "env", "sra", "srta", "ud", "uds", "pág", "núm", "p.ej", "sig", "dott", "ecc", "bijv",
    "o.a", "d.w.z", "dhr", "mevr", "blz",
];

/// The sentences of a text, without the white space around them. A line break ends a sentence.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut start = 0;
        let mut end = 0;
        for piece in line.split_sentence_bounds() {
            end += piece.len();
            if ends_open(&line[start..end]) && end < line.len() {
                continue;
            }
            push(&mut out, &line[start..end]);
            start = end;
        }
        push(&mut out, &line[start..end]);
    }
    out
}

fn push<'a>(out: &mut Vec<&'a str>, sentence: &'a str) {
    let sentence = sentence.trim();
    if sentence.chars().any(char::is_alphanumeric) {
        out.push(sentence);
    }
}

/// Whether the sentence goes on: what stands before the full stop is an abbreviation, an initial or an ordinal.
fn ends_open(piece: &str) -> bool {
    let Some(before) = piece.trim_end().strip_suffix('.') else { return false };
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“')).next().unwrap_or_default();
    let lower = word.to_lowercase();
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none() && word != "I";
    initial || ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn a_sentence_goes_on_after_an_abbreviation_and_an_initial() {
        let text = "Dr. Jane P. Doe, e.g. at home, wrote it. It was good! Was it? Yes.";
        assert_eq!(sentences(text), ["Dr. Jane P. Doe, e.g. at home, wrote it.", "It was good!", "Was it?", "Yes."]);
    }

    #[test]
    fn numbers_and_dotted_names_do_not_end_a_sentence() {
        assert_eq!(sentences("Version 3.11 of os.path is out. Use it.").len(), 2);
        assert_eq!(
            sentences("Das kostet ca. 5 Euro bzw. 6 Dollar. Gut."),
            ["Das kostet ca. 5 Euro bzw. 6 Dollar.", "Gut."]
        );
    }

    #[test]
    fn a_line_break_ends_a_sentence_and_punctuation_alone_is_none() {
        assert_eq!(sentences("A heading\nSome text here.\n\n***\n"), ["A heading", "Some text here."]);
        assert!(sentences("").is_empty());
    }
}
