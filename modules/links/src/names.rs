//! What pages are called, as words that can be compared.

use kit::phrases::{Code, Phrases, Rarity, Reader, own_parts};

use crate::node::{Name, Node};

/// The names of all pages of a graph.
pub(crate) struct Called {
    reader: Reader,
    /// How much each word tells.
    pub(crate) rarity: Rarity,
    /// By page: the words of its own part of the title.
    pub(crate) titles: Vec<Vec<Code>>,
    /// By page: all of them.
    pub(crate) words: Vec<Vec<Code>>,
    /// By page: each of its names; a title may hold several.
    names: Vec<Vec<Vec<Code>>>,
}

impl Called {
    /// Names in a language; pages that search engines may not show are not counted.
    pub(crate) fn of(nodes: &[Node], names: &[Name], language: &str) -> Self {
        let mut reader = Reader::new(language);
        let titles: Vec<&str> = names.iter().map(|name| name.title.as_str()).collect();
        let headings: Vec<&str> = names.iter().map(|name| name.h1.as_str()).collect();
        let (parts, inner) = (own_parts(&titles), own_parts(&headings));
        let called = parts.iter().zip(&inner).map(|(a, b)| a.iter().chain(b).map(|name| reader.codes(name)).collect());
        let called: Vec<Vec<Vec<Code>>> = called.collect();
        let titles = parts.into_iter().map(|parts| parts.first().map_or_else(Vec::new, |title| reader.codes(title)));
        let titles: Vec<Vec<Code>> = titles.collect();
        let headings: Vec<Vec<Code>> = headings.into_iter().map(|heading| reader.codes(heading)).collect();
        let words: Vec<Vec<Code>> = titles.iter().zip(&headings).map(|(a, b)| [a.as_slice(), b].concat()).collect();
        let mut rarity = Rarity::default();
        nodes.iter().zip(&words).filter(|(node, _)| node.is_sound()).for_each(|(_, words)| rarity.add(words));
        Self { reader, rarity, titles, words, names: called }
    }

    /// The phrases that name those of the wanted pages that search engines may show. The home page is linked everywhere.
    pub(crate) fn phrases(&self, nodes: &[Node], wanted: impl Fn(u32) -> bool) -> Phrases {
        let mut phrases = Phrases::default();
        for ((at, node), names) in (0_u32..).zip(nodes).zip(&self.names) {
            if node.is_sound() && node.depth != Some(0) && wanted(at) {
                names.iter().for_each(|name| phrases.add(at, name, &self.rarity));
            }
        }
        phrases
    }

    /// Whether this language has words that mean nothing alone.
    pub(crate) fn has_stops(&self) -> bool {
        self.reader.has_stops()
    }

    /// The words of a text.
    pub(crate) fn codes(&mut self, text: &str) -> Vec<Code> {
        self.reader.codes(text)
    }

    /// The words of a text, with where they stand.
    pub(crate) fn places(&mut self, text: &str) -> Vec<(Code, std::ops::Range<usize>)> {
        self.reader.places(text)
    }
}
