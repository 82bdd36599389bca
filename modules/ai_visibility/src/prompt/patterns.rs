//! Sentences that people put to assistants, by language and stage.

use crate::stored::Stage;

/// A sentence with places for the topic, the brand, a rival and the year.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern {
    pub(crate) stage: Stage,
    text: &'static str,
}

/// What stands in the places of a pattern.
pub(crate) struct Filling<'a> {
    pub(crate) topic: &'a str,
    pub(crate) brand: &'a str,
    pub(crate) rival: Option<&'a str>,
    pub(crate) year: i32,
}

impl Pattern {
    /// The sentence; none where it speaks of a rival and none is known.
    pub(crate) fn fill(self, with: &Filling<'_>) -> Option<String> {
        let text = self.text.replace("{topic}", with.topic).replace("{brand}", with.brand);
        let text = text.replace("{year}", &with.year.to_string());
        if !text.contains("{rival}") {
            return Some(text);
        }
        with.rival.map(|rival| text.replace("{rival}", rival))
    }
}

/// Those of a language; English ones for a language without.
pub(crate) fn of(language: &str) -> (&'static str, Vec<Pattern>) {
    let own = read(language);
    if own.is_empty() { ("en", read("en")) } else { (languages().find(|it| *it == language).unwrap_or("en"), own) }
}

/// The languages that have patterns.
pub(crate) fn languages() -> impl Iterator<Item = &'static str> {
    ["en", "de", "fr", "es"].into_iter()
}

fn read(language: &str) -> Vec<Pattern> {
    let line = |line: &'static str| {
        let mut parts = line.split('\t');
        let (of, stage, text) = (parts.next()?, parts.next()?, parts.next()?);
        let stage = match stage {
            "learn" => Stage::Learn,
            "compare" => Stage::Compare,
            "choose" => Stage::Choose,
            _ => Stage::Use,
        };
        (of == language).then_some(Pattern { stage, text })
    };
    include_str!("patterns.tsv").lines().filter_map(line).collect()
}

/// The stage that a question is of, by its words; `learn` where nothing else is said.
pub(crate) fn stage_of(text: &str) -> Stage {
    const COMPARE: &[&str] = &[
        "best",
        "vs",
        "versus",
        "better",
        "compare",
        "comparison",
        "alternative",
        "alternatives",
        "review",
        "reviews",
        "top",
        "beste",
        "besten",
        "vergleich",
        "besser",
        "alternativen",
        "test",
        "meilleur",
        "meilleurs",
        "meilleure",
        "comparatif",
        "avis",
        "mejor",
        "mejores",
        "comparativa",
        "opiniones",
    ];
    const CHOOSE: &[&str] = &[
        "buy",
        "price",
        "cost",
        "cheap",
        "near",
        "shop",
        "where",
        "order",
        "delivery",
        "kaufen",
        "preis",
        "günstig",
        "wo",
        "bestellen",
        "laden",
        "acheter",
        "prix",
        "où",
        "magasin",
        "comprar",
        "precio",
        "dónde",
        "tienda",
    ];
    const USE: &[&str] = &[
        "clean",
        "repair",
        "fix",
        "install",
        "replace",
        "change",
        "maintain",
        "broken",
        "return",
        "reinigen",
        "reparieren",
        "wechseln",
        "anschließen",
        "nettoyer",
        "réparer",
        "installer",
        "changer",
        "limpiar",
        "reparar",
        "instalar",
        "cambiar",
    ];
    let words = super::key::words(text);
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    match () {
        () if has(USE) => Stage::Use,
        () if has(COMPARE) => Stage::Compare,
        () if has(CHOOSE) => Stage::Choose,
        () => Stage::Learn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_ten_sentences_for_each_stage() {
        for language in languages() {
            let (of_language, all) = of(language);
            assert_eq!((of_language, all.len()), (language, 40));
            for stage in [Stage::Learn, Stage::Compare, Stage::Choose, Stage::Use] {
                assert_eq!(all.iter().filter(|it| it.stage == stage).count(), 10, "{language} {stage:?}");
            }
        }
        assert_eq!(of("fi").0, "en");
    }

    #[test]
    fn a_sentence_about_a_rival_needs_one() {
        let of = |rival: Option<&str>| {
            let with = Filling { topic: "lamps", brand: "Lamp Shop", rival, year: 2026 };
            of("en").1.into_iter().filter_map(|it| it.fill(&with)).collect::<Vec<_>>()
        };
        assert!(of(None).iter().all(|it| !it.contains('{')) && of(None).len() < 40);
        assert_eq!(of(Some("Bright")).len(), 40);
        assert!(of(Some("Bright")).contains(&"How does Lamp Shop compare with Bright?".to_owned()));
    }

    #[test]
    fn a_question_has_the_stage_of_its_words() {
        assert_eq!(stage_of("how to clean a brass lamp"), Stage::Use);
        assert_eq!(stage_of("beste Leselampe"), Stage::Compare);
        assert_eq!(stage_of("where to order reading lamps"), Stage::Choose);
        assert_eq!(stage_of("what is colour temperature"), Stage::Learn);
    }
}
