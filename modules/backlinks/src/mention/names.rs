//! Whether a text names the brand: by its aliases between the borders of words, and in the right context.

use std::collections::BTreeSet;

use kit::sentence::sentences;

/// An alias.
struct Alias {
    written: String,
    /// In lower case.
    folded: String,
    /// Whether it is a word of everyday language, which names the brand only beside something else that does.
    is_common: bool,
}

/// The names of a brand.
pub(crate) struct Names {
    /// The longest first.
    aliases: Vec<Alias>,
    cues: Vec<String>,
    excluded: Vec<String>,
}

/// A place that names the brand.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) alias: String,
    pub(crate) sentence: String,
}

/// Characters of a sentence that is told.
const LONGEST: usize = 400;

fn folded(text: &str) -> String {
    kit::text::collapse(&text.to_lowercase())
}

impl Names {
    /// The aliases; what beside a common word shows that the brand is meant; phrases that mean something else.
    pub(crate) fn new(aliases: &[String], cues: &[String], excluded: &[String]) -> Self {
        let mut all: Vec<Alias> = aliases
            .iter()
            .map(|it| Alias { written: it.clone(), folded: folded(it), is_common: false })
            .filter(|it| !it.folded.is_empty())
            .collect();
        let single: BTreeSet<&str> = all.iter().map(|it| it.folded.as_str()).filter(|it| !it.contains(' ')).collect();
        let common: BTreeSet<String> = kit::word_frequencies::common(&single).into_iter().map(str::to_owned).collect();
        all.iter_mut().for_each(|it| it.is_common = common.contains(&it.folded));
        all.sort_by(|a, b| b.folded.len().cmp(&a.folded.len()).then_with(|| a.folded.cmp(&b.folded)));
        let sure = all.iter().filter(|it| !it.is_common).map(|it| it.folded.clone());
        let cues = cues.iter().map(|it| folded(it)).chain(sure).filter(|it| it.chars().count() > 2).collect();
        Self {
            aliases: all,
            cues,
            excluded: excluded.iter().map(|it| folded(it)).filter(|it| !it.is_empty()).collect(),
        }
    }

    /// Whether any alias stands in a text, whatever is beside it: for choosing what is read first.
    pub(crate) fn may_stand_in(&self, text: &str) -> bool {
        let text = folded(text);
        self.aliases.iter().any(|it| occurrences(&text, &it.folded).next().is_some())
    }

    /// The first sentence that names the brand.
    pub(crate) fn find(&self, text: &str) -> Option<Named> {
        sentences(text).into_iter().find_map(|sentence| {
            let low = folded(sentence);
            let excluded: Vec<(usize, usize)> = self
                .excluded
                .iter()
                .flat_map(|it| occurrences(&low, it).map(|at| (at, at + it.len())).collect::<Vec<_>>())
                .collect();
            let is_meant = |alias: &&Alias| {
                let free = occurrences(&low, &alias.folded)
                    .any(|at| !excluded.iter().any(|(from, to)| *from <= at && at + alias.folded.len() <= *to));
                free && (!alias.is_common
                    || self.cues.iter().any(|cue| *cue != alias.folded && occurrences(&low, cue).next().is_some()))
            };
            let alias = self.aliases.iter().find(is_meant)?;
            let sentence = kit::text::collapse_to(sentence, LONGEST);
            Some(Named { alias: alias.written.clone(), sentence })
        })
    }
}

/// Where a phrase stands in a text between the borders of words; both in lower case.
fn occurrences<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(phrase).map(|it| it.0).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let after = text[*at + phrase.len()..].chars().next();
        // In scripts without spaces every place is a border.
        let joins = |edge: Option<char>, letter: Option<char>| {
            edge.is_some_and(char::is_alphanumeric)
                && letter.is_some_and(char::is_alphanumeric)
                && !edge.is_some_and(kit::text::is_spaceless)
                && !letter.is_some_and(kit::text::is_spaceless)
        };
        !joins(before, phrase.chars().next()) && !joins(after, phrase.chars().next_back())
    })
}
