//! Which sentences are in the passive voice: a form of the auxiliary, then a participle nearby.

/// How a language makes its passive.
struct Rule {
    language: &'static str,
    auxiliaries: &'static [&'static str],
    /// Whether a word in lower case is a participle.
    participle: fn(&str) -> bool,
    /// Words between the two at most.
    apart: usize,
}

/// English participles that do not end in -ed.
const IRREGULAR: &[&str] = &[
    "beaten",
    "become",
    "begun",
    "bitten",
    "blown",
    "bought",
    "bound",
    "broken",
    "brought",
    "built",
    "caught",
    "chosen",
    "cut",
    "dealt",
    "done",
    "drawn",
    "driven",
    "eaten",
    "fallen",
    "fed",
    "felt",
    "forgotten",
    "fought",
    "found",
    "frozen",
    "given",
    "grown",
    "heard",
    "held",
    "hidden",
    "hit",
    "hurt",
    "kept",
    "known",
    "laid",
    "led",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "put",
    "read",
    "ridden",
    "run",
    "said",
    "seen",
    "sent",
    "set",
    "shot",
    "shown",
    "shut",
    "sold",
    "spent",
    "split",
    "spoken",
    "spread",
    "stolen",
    "struck",
    "sworn",
    "taken",
    "taught",
    "thought",
    "thrown",
    "told",
    "torn",
    "understood",
    "won",
    "worn",
    "written",
];

const RULES: &[Rule] = &[
    Rule {
        language: "en",
        auxiliaries: &[
            "am", "is", "are", "was", "were", "be", "been", "being", "isn't", "aren't", "wasn't", "weren't", "gets",
            "got",
        ],
        participle: |word| {
            (word.ends_with("ed") && word.len() > 4 && !matches!(word, "need" | "indeed" | "hundred"))
                || IRREGULAR.contains(&word)
        },
        apart: 2,
    },
    Rule {
        language: "de",
        auxiliaries: &["werde", "wirst", "wird", "werden", "werdet", "wurde", "wurden", "wurdest", "wurdet", "worden"],
        participle: |word| {
            let stem = |word: &str| word.len() > 4 && (word.ends_with('t') || word.ends_with("en"));
            (word.starts_with("ge")
                || ["abge", "ange", "aufge", "ausge", "einge", "vorge", "zuge"].iter().any(|it| word.starts_with(it)))
                && stem(word)
                || (["be", "ver", "er", "ent", "zer"].iter().any(|it| word.starts_with(it))
                    && word.len() > 5
                    && word.ends_with('t'))
        },
        apart: 12,
    },
    Rule {
        language: "nl",
        auxiliaries: &["word", "wordt", "worden", "werd", "werden"],
        participle: |word| {
            word.starts_with("ge")
                && word.len() > 4
                && (word.ends_with('t') || word.ends_with('d') || word.ends_with("en"))
        },
        apart: 10,
    },
    Rule {
        language: "fr",
        auxiliaries: &["est", "sont", "était", "étaient", "été", "fut", "furent", "sera", "seront", "être"],
        participle: |word| {
            ["é", "ée", "és", "ées"].iter().any(|it| word.ends_with(it)) && word.chars().count() > 3 && word != "été"
        },
        apart: 2,
    },
    Rule {
        language: "es",
        auxiliaries: &["es", "son", "era", "eran", "fue", "fueron", "ser", "sido", "será", "serán"],
        participle: |word| {
            ["ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"].iter().any(|it| word.ends_with(it))
                && word.len() > 4
                && word != "sido"
        },
        apart: 2,
    },
    Rule {
        language: "it",
        auxiliaries: &[
            "è", "sono", "era", "erano", "fu", "furono", "viene", "vengono", "essere", "stato", "stata", "stati",
            "state", "sarà",
        ],
        participle: |word| {
            ["ato", "ata", "ati", "ate", "uto", "uta", "uti", "ute", "ito", "ita", "iti", "ite"]
                .iter()
                .any(|it| word.ends_with(it))
                && word.len() > 5
        },
        apart: 2,
    },
];

/// The share of sentences in the passive voice; none for a language without a rule.
pub(super) fn share(sentences: &[&str], language: &str) -> Option<f64> {
    let rule = RULES.iter().find(|it| it.language == language)?;
    let passive = sentences.iter().filter(|it| is_passive(it, rule)).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
    let share = passive as f64 / sentences.len().max(1) as f64;
    Some(share)
}

fn is_passive(sentence: &str, rule: &Rule) -> bool {
    let words: Vec<String> = kit::text::words(sentence).map(str::to_lowercase).collect();
    let near = |at: usize| {
        let after = words[at + 1..].iter().take(rule.apart + 1);
        // German and Dutch may put the auxiliary last.
        let before = words[..at].iter().rev().take(if rule.apart > 2 { 1 } else { 0 });
        after.chain(before).any(|word| (rule.participle)(word))
    };
    (0..words.len()).any(|at| rule.auxiliaries.contains(&words[at].as_str()) && near(at))
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn passive_sentences_are_told_from_active_ones() {
        let of = |text: &str, language: &str| share(&[text], language).unwrap();
        for (text, language) in [
            ("The lamp was quickly repaired by Ada.", "en"),
            ("The book is written in German.", "en"),
            ("Die Lampe wurde gestern von Ada repariert und geliefert.", "de"),
            ("La lampe est réparée.", "fr"),
            ("La lámpara fue reparada.", "es"),
            ("La lampada viene riparata.", "it"),
            ("De lamp werd gisteren gemaakt.", "nl"),
        ] {
            assert!(of(text, language) > 0.99, "{text}");
        }
        for (text, language) in [("Ada repaired the lamp and is happy.", "en"), ("Ada repariert die Lampe.", "de")] {
            assert!(of(text, language) < 0.01, "{text}");
        }
        assert_eq!(share(&["x"], "pl"), None);
    }
}
