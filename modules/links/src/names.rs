//! Kept here: what pages are called, as words that can be compared.

use kit::phrases::{Code, Rarity, Reader, own_titles};

use crate::node::{Name, Node};

/// The names of all pages of a graph.
pub(crate) struct Called {
    reader: Reader,
    /// How much each word tells.
    pub(crate) rarity: Rarity,
    /// By page: the words of its own part of the title.
    pub(crate) titles: Vec<Vec<Code>>,
    /// By page: the words of its first heading.
    pub(crate) headings: Vec<Vec<Code>>,
    /// By page: all of them.
    pub(crate) words: Vec<Vec<Code>>,
}

impl Called {
    /// Names in a language; pages that search engines may not show are not counted.
    pub(crate) fn of(nodes: &[Node], names: &[Name], language: &str) -> Self {
        let mut reader = Reader::new(language);
        let titles: Vec<&str> = names.iter().map(|name| name.title.as_str()).collect();
        let titles: Vec<Vec<Code>> = own_titles(&titles).into_iter().map(|title| reader.codes(title)).collect();
        let headings: Vec<Vec<Code>> = names.iter().map(|name| reader.codes(&name.h1)).collect();
        let words: Vec<Vec<Code>> = titles.iter().zip(&headings).map(|(a, b)| [a.as_slice(), b].concat()).collect();
        let mut rarity = Rarity::default();
        nodes.iter().zip(&words).filter(|(node, _)| node.is_sound()).for_each(|(_, words)| rarity.add(words));
        Self { reader, rarity, titles, headings, words }
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
