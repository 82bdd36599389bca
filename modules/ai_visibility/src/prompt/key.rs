//! When two prompts are the same question.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

/// The share of words that two prompts have in common from which they are the same question.
const SAME: f64 = 0.9;

/// The words of a prompt: compatibility forms, small letters, no punctuation; stop words stay.
pub(crate) fn words(text: &str) -> Vec<String> {
    let plain: String =
        text.nfkc().flat_map(char::to_lowercase).map(|it| if it.is_alphanumeric() { it } else { ' ' }).collect();
    plain.split_whitespace().map(str::to_owned).collect()
}

/// What identifies a prompt: its words, the country, the language and the persona.
pub(crate) fn hash(text: &str, country: Option<&str>, language: Option<&str>, persona: Option<&str>) -> String {
    let parts =
        [words(text).join(" "), country.unwrap_or_default().to_owned(), language.unwrap_or_default().to_owned()];
    let persona = persona.map(|it| words(it).join(" ")).unwrap_or_default();
    kit::text::hex(&kit::text::sha256(format!("{}\n{persona}", parts.join("\n")).as_bytes())[..12])
}

/// How alike two prompts are by their words (Jaccard), and whether that is the same question.
pub(crate) fn likeness(one: &BTreeSet<String>, two: &BTreeSet<String>) -> Option<f64> {
    let (few, many) = (one.len().min(two.len()), one.len().max(two.len()));
    #[expect(clippy::cast_precision_loss, reason = "words of a prompt")]
    let (few_words, many_words) = (few as f64, many as f64);
    if few == 0 || few_words / many_words < SAME {
        return None;
    }
    let shared = one.intersection(two).count();
    #[expect(clippy::cast_precision_loss, reason = "words of a prompt")]
    let share = shared as f64 / (one.len() + two.len() - shared) as f64;
    (share >= SAME).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_punctuation_do_not_make_another_prompt_and_words_do() {
        let of = |text: &str| hash(text, Some("DE"), None, None);
        assert_eq!(of("Which lamp is best?"), of("which LAMP, is best"));
        assert_ne!(of("Which lamp is best?"), of("Which lamp is the best?"));
        assert_ne!(of("Which lamp is best?"), hash("Which lamp is best?", Some("AT"), None, None));
        assert_ne!(of("Which lamp is best?"), hash("Which lamp is best?", Some("DE"), None, Some("I am a student.")));
    }

    #[test]
    fn nearly_the_same_words_are_the_same_question() {
        let set = |text: &str| words(text).into_iter().collect::<BTreeSet<_>>();
        let long = set("which of the many brass reading lamps that shops sell in town is best for my desk today");
        let near = set("which of the many brass reading lamps that shops sell in town is best for my desk now today");
        assert!(likeness(&long, &near).is_some_and(|it| it > 0.9));
        assert_eq!(likeness(&set("best lamp"), &set("best lamps")), None);
    }
}
