//! Sub-questions by the type of a question, in English, German, French and Spanish.

use sdk::prelude::*;

/// The type of a question.
#[value]
pub(crate) enum Kind {
    /// Which of several.
    Best,
    /// One against another.
    Comparison,
    /// How something is done.
    How,
    /// What something costs.
    Cost,
    /// What something is.
    Definition,
    /// Where something is to be had.
    Local,
    /// What is wrong with it.
    Problem,
    /// Anything else.
    Other,
}

/// The type of a question by its words.
pub(super) fn kind(prompt: &str, _language: &str) -> Kind {
    let words = crate::prompt::key::words(prompt);
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    match () {
        () if has(&[
            "vs",
            "versus",
            "compare",
            "compared",
            "difference",
            "vergleich",
            "unterschied",
            "unterscheidet",
            "différence",
            "comparar",
            "diferencia",
        ]) =>
        {
            Kind::Comparison
        }
        () if has(&[
            "best",
            "top",
            "recommend",
            "recommended",
            "beste",
            "besten",
            "empfehlen",
            "empfiehlst",
            "meilleur",
            "meilleurs",
            "meilleure",
            "meilleures",
            "recommandes",
            "mejor",
            "mejores",
            "recomiendas",
        ]) =>
        {
            Kind::Best
        }
        () if has(&[
            "cost", "costs", "price", "prices", "kosten", "kostet", "preis", "prix", "coûte", "coûtent", "precio",
            "cuesta", "cuestan",
        ]) =>
        {
            Kind::Cost
        }
        () if has(&["where", "near", "nearby", "wo", "nähe", "où", "près", "dónde", "cerca"]) => Kind::Local,
        () if has(&[
            "problem",
            "problems",
            "broken",
            "fix",
            "error",
            "probleme",
            "kaputt",
            "fehler",
            "panne",
            "problème",
            "problemas",
            "averiado",
        ]) =>
        {
            Kind::Problem
        }
        () if has(&["how", "wie", "comment", "cómo"]) => Kind::How,
        () if has(&["what", "was", "definition", "qu", "qué", "meaning"]) => Kind::Definition,
        () => Kind::Other,
    }
}

/// Words that ask and are no topic.
const ASKING: &[&str] = &[
    "what",
    "which",
    "who",
    "where",
    "when",
    "why",
    "how",
    "is",
    "are",
    "the",
    "a",
    "an",
    "do",
    "does",
    "did",
    "can",
    "could",
    "should",
    "would",
    "i",
    "you",
    "we",
    "my",
    "me",
    "best",
    "top",
    "good",
    "to",
    "of",
    "for",
    "in",
    "on",
    "and",
    "or",
    "buy",
    "choose",
    "recommend",
    "much",
    "many",
    "it",
    "with",
    "near",
    "cost",
    "costs",
    "was",
    "welche",
    "welcher",
    "welches",
    "wer",
    "wo",
    "wann",
    "warum",
    "wie",
    "ist",
    "sind",
    "die",
    "der",
    "das",
    "ein",
    "eine",
    "einen",
    "ich",
    "du",
    "kann",
    "soll",
    "mein",
    "für",
    "am",
    "besten",
    "beste",
    "gut",
    "gute",
    "kaufen",
    "kosten",
    "viel",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "qui",
    "où",
    "quand",
    "pourquoi",
    "comment",
    "est",
    "sont",
    "les",
    "le",
    "la",
    "des",
    "un",
    "une",
    "pour",
    "meilleurs",
    "meilleur",
    "acheter",
    "qué",
    "cuál",
    "cuáles",
    "quién",
    "dónde",
    "cuándo",
    "cómo",
    "es",
    "son",
    "los",
    "las",
    "el",
    "unos",
    "para",
    "mejores",
    "mejor",
    "comprar",
];

/// What a prompt is about: its words without those that ask.
fn topic(prompt: &str) -> String {
    let plain = prompt.trim_end_matches(['?', '!', '.', ' ']).trim_start_matches(['¿', '¡']);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let asks = |it: &str| {
        let bare: String = it.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
        ASKING.contains(&bare.as_str())
    };
    let first = words.iter().position(|it| !asks(it)).unwrap_or(0);
    let last = words.iter().rposition(|it| !asks(it)).map_or(words.len(), |at| at + 1);
    words.get(first..last.max(first)).unwrap_or_default().join(" ").trim_matches([',', ';', ':']).to_lowercase()
}

/// Sub-questions of a prompt, those of its type first.
pub(super) fn expand(prompt: &str, kind: Kind, language: &str, year: i32) -> Vec<String> {
    let topic = topic(prompt);
    if topic.is_empty() {
        return Vec::new();
    }
    let language = if ["de", "fr", "es"].contains(&language) { language } else { "en" };
    let lines = include_str!("patterns.tsv").lines().filter_map(|line| {
        let mut parts = line.split('\t');
        let (of, kinds, text) = (parts.next()?, parts.next()?, parts.next()?);
        (of == language).then_some((kinds, text))
    });
    let name = sdk::serde_json::to_value(kind).ok();
    let name = name.as_ref().and_then(|it| it.as_str()).unwrap_or_default().to_owned();
    let (own, rest): (Vec<_>, Vec<_>) = lines.partition(|it| it.0.split(',').any(|it| it == name));
    own.into_iter().chain(rest).map(|it| it.1.replace("{t}", &topic).replace("{y}", &year.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_of_the_type_of_its_words_and_about_the_rest() {
        assert_eq!(kind("What are the best reading lamps?", "en"), Kind::Best);
        assert_eq!(kind("Was unterscheidet LED von Halogen?", "de"), Kind::Comparison);
        assert_eq!(kind("How do I clean brass?", "en"), Kind::How);
        assert_eq!(topic("What are the best reading lamps?"), "reading lamps");
        assert_eq!(topic("Welche Leselampen sind die besten für Kinder?"), "leselampen sind die besten für kinder");
        assert_eq!(topic("¿Cuáles son los mejores flexos?"), "flexos");
    }

    #[test]
    fn sentences_of_the_type_come_first_and_speak_of_the_topic() {
        let found = expand("What are the best reading lamps?", Kind::Best, "en", 2026);
        assert!(
            found.len() >= 11 && found.iter().all(|it| it.contains("reading lamps") && !it.contains('{')),
            "{found:?}"
        );
        assert!(found[0].contains("2026") || found[0].contains("criteria"), "{found:?}");
        assert!(expand("Wie reinige ich Messing?", Kind::How, "de", 2026).len() >= 11);
    }
}
