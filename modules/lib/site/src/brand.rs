//! Which queries name the brand: exactly, or misspelled.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use crate::Site;

/// Letters of a term from which misspellings are looked for.
const MIN_LETTERS: usize = 5;
/// Letters from which two typing errors are accepted.
const TWO_ERRORS_FROM: usize = 8;

/// How a query names the brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// As one of its terms is written.
    Exact,
    /// With a typing error.
    Misspelled,
    /// Not at all.
    None,
}

/// The terms of a brand.
pub struct Brand {
    /// Folded, as words.
    terms: Vec<Vec<String>>,
    /// The terms that misspellings are compared with: without spaces, as letters.
    whole: Vec<Vec<char>>,
}

impl Brand {
    /// The terms of a website: its brand terms, else its name and the first label of its domain.
    #[must_use]
    pub fn of(site: &Site) -> Self {
        let given = site.brand_terms.iter().flatten().map(String::as_str);
        let mut terms: Vec<String> = given.map(str::to_owned).collect();
        if terms.is_empty() {
            let host = site.domain.trim_start_matches("www.");
            let registrable = kit::url::registrable_domain(host).unwrap_or(host);
            terms.extend(site.name.clone());
            terms.extend(registrable.split('.').next().map(str::to_owned));
        }
        Self::new(&terms)
    }

    /// These terms.
    #[must_use]
    pub fn new(terms: &[String]) -> Self {
        let terms: Vec<Vec<String>> = terms.iter().map(|term| words(term)).filter(|it| !it.is_empty()).collect();
        let whole: BTreeSet<String> = terms.iter().map(|words| words.concat()).collect();
        Self { terms, whole: whole.into_iter().map(|it| it.chars().collect()).collect() }
    }

    /// Whether a query names the brand in any way.
    #[must_use]
    pub fn has(&self, query: &str) -> bool {
        self.naming(query, &BTreeSet::new()) != Naming::None
    }

    /// How a query names the brand. A word of `common` is no misspelling.
    #[must_use]
    pub fn naming(&self, query: &str, common: &BTreeSet<&str>) -> Naming {
        let query = words(query);
        let parts: Vec<&str> = query.iter().map(String::as_str).collect();
        let spelled = |term: &Vec<String>| {
            let joined = term.concat();
            parts.windows(term.len()).any(|part| part == term.as_slice())
                // "lampshop" and "lamp shop" are one name.
                || parts.iter().any(|word| *word == joined)
                || (1..=3).any(|count| parts.windows(count).any(|part| part.concat() == joined))
        };
        if self.terms.iter().any(spelled) {
            return Naming::Exact;
        }
        let near = |candidate: &str| self.is_near(candidate) && !common.contains(candidate);
        let pairs = parts.windows(2).map(|pair| pair.concat());
        if parts.iter().any(|word| near(word)) || pairs.into_iter().any(|pair| near(&pair)) {
            return Naming::Misspelled;
        }
        Naming::None
    }

    /// Whether a word is at most one typing error from a term, or two from a long one. The first letter is right, or the
    /// first two are swapped. The distance is that of optimal string alignment, where a swap is one error.
    fn is_near(&self, candidate: &str) -> bool {
        let letters = candidate.chars().count();
        if letters + 2 < MIN_LETTERS {
            return false;
        }
        let mut first = candidate.chars();
        let (one, two) = (first.next(), first.next());
        self.whole.iter().any(|term| {
            let most = match term.len() {
                0..MIN_LETTERS => return false,
                MIN_LETTERS..TWO_ERRORS_FROM => 1,
                _ => 2,
            };
            let begins = term.first().copied() == one || (term.first().copied() == two && term.get(1).copied() == one);
            begins && term.len().abs_diff(letters) <= most && {
                let term: String = term.iter().collect();
                (1..=most).contains(&strsim::osa_distance(&term, candidate))
            }
        })
    }

    /// The words of queries that may be misspellings, which are to be looked up among common words.
    #[must_use]
    pub fn candidates<'q>(&self, queries: impl IntoIterator<Item = &'q str>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for query in queries {
            found.extend(words(query).into_iter().filter(|word| self.is_near(word)));
        }
        found
    }
}

/// The words of a text as names are compared: in lower case, in compatibility form, without accents.
fn words(text: &str) -> Vec<String> {
    let accent = |letter: &char| !('\u{300}'..='\u{36f}').contains(letter);
    let folded: String = text.nfkd().filter(accent).flat_map(char::to_lowercase).collect();
    // UAX 29 keeps `lamp-shop` and `at.de` together; a name is compared part by part.
    let parts = kit::text::words(&folded).flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Brand, Naming};

    fn brand(terms: &[&str]) -> Brand {
        Brand::new(&terms.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_brand_is_named_as_written_joined_and_with_accents_and_not_within_other_words() {
        let brand = brand(&["Lamp Shop", "lumière"]);
        for query in
            ["lamp shop", "best Lamp Shop london", "lampshop opening hours", "the lamp-shop", "lumiere", "LUMIÈRE lamp"]
        {
            assert_eq!(brand.naming(query, &BTreeSet::new()), Naming::Exact, "{query}");
        }
        for query in ["lamp", "shop lamp", "lamp shopping", "lumieres of paris lamp"] {
            assert_ne!(brand.naming(query, &BTreeSet::new()), Naming::Exact, "{query}");
        }
    }

    #[test]
    fn a_misspelling_is_near_begins_alike_and_is_no_common_word() {
        let brand = brand(&["espalier"]);
        for query in ["espaleir pruning", "espallier", "epsalier", "espa lier"] {
            assert_ne!(brand.naming(query, &BTreeSet::new()), Naming::None, "{query}");
        }
        for query in ["atelier", "esplanade", "tree", ""] {
            assert_eq!(brand.naming(query, &BTreeSet::new()), Naming::None, "{query}");
        }
        let short = super::Brand::new(&["oslo".to_owned()]);
        assert_eq!(short.naming("olso", &BTreeSet::new()), Naming::None, "short names have no misspellings");
        let lampe = super::Brand::new(&["lampe".to_owned()]);
        assert_eq!(lampe.naming("lamps", &BTreeSet::new()), Naming::Misspelled);
        assert_eq!(lampe.naming("lamps", &BTreeSet::from(["lamps"])), Naming::None);
        assert!(lampe.candidates(["lamps and oil"]).contains("lamps"));
    }
}
