//! How much text each element holds, and how much of it is links, found in one pass.

use crate::dom::{Data, Dom, NodeId};

/// Text by node. Lengths are of visible characters without white space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measures {
    text: Vec<u32>,
    linked: Vec<u32>,
    words: Vec<u32>,
    links: Vec<u32>,
}

impl Measures {
    /// Of a whole document.
    #[must_use]
    pub fn of(dom: &Dom) -> Self {
        let count = dom.len();
        let mut all =
            Self { text: vec![0; count], linked: vec![0; count], words: vec![0; count], links: vec![0; count] };
        let mut order = Vec::with_capacity(count);
        let mut next = dom.first_child(0);
        while let Some(id) = next {
            let skip = matches!(dom.name(id), "script" | "style" | "noscript" | "template" | "head");
            if let Data::Text(text) = &dom.node(id).data {
                let signs = text.chars().filter(|c| !c.is_whitespace()).count();
                all.text[id as usize] = u32::try_from(signs).unwrap_or(u32::MAX);
                all.words[id as usize] = crate::text::about_words(text);
            }
            order.push(id);
            next = dom.after(id, 0, !skip);
        }
        for id in order.into_iter().rev() {
            let at = id as usize;
            if dom.name(id) == "a" {
                all.linked[at] = all.text[at];
                all.links[at] += 1;
            }
            if let Some(parent) = dom.parent(id) {
                let parent = parent as usize;
                for list in [&mut all.text, &mut all.linked, &mut all.words, &mut all.links] {
                    list[parent] = list[parent].saturating_add(list[at]);
                }
            }
        }
        all
    }

    /// Visible characters below a node, white space aside.
    #[must_use]
    pub fn length(&self, id: NodeId) -> u32 {
        self.text.get(id as usize).copied().unwrap_or_default()
    }

    /// Of these, characters of link text.
    #[must_use]
    pub fn linked(&self, id: NodeId) -> u32 {
        self.linked.get(id as usize).copied().unwrap_or_default()
    }

    /// Words below a node, about: see [`crate::text::about_words`].
    #[must_use]
    pub fn words(&self, id: NodeId) -> u32 {
        self.words.get(id as usize).copied().unwrap_or_default()
    }

    /// Links below a node.
    #[must_use]
    pub fn links(&self, id: NodeId) -> u32 {
        self.links.get(id as usize).copied().unwrap_or_default()
    }

    /// The share of the text below a node that is link text, from 0 to 1.
    #[must_use]
    pub fn link_density(&self, id: NodeId) -> f64 {
        let (all, linked) = (self.length(id), self.linked(id));
        if all == 0 { 0.0 } else { f64::from(linked) / f64::from(all) }
    }
}
