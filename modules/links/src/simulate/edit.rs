//! Edits of a graph that is not stored.

use kit::page::Placement;
use kit::url::{normalize, path_and_query};
use sdk::json;
use sdk::prelude::*;

use super::{Edit, Op};
use crate::node::{Node, PLACEMENTS, Raw, State, Where};

/// A graph that may be changed.
pub(super) struct Edited {
    pub(super) nodes: Vec<Node>,
    pub(super) links: Vec<Raw>,
}

impl Edited {
    /// Makes all edits in their order; how many links or pages each changed.
    ///
    /// # Errors
    /// 422 for an edit that names no page of the crawl, or has too much or too little.
    pub(super) fn apply(&mut self, edits: &[Edit]) -> Result<Vec<u32>> {
        edits.iter().enumerate().map(|(at, edit)| self.edit(at, edit)).collect()
    }

    fn edit(&mut self, at: usize, edit: &Edit) -> Result<u32> {
        let from = edit.from.as_str();
        let to = edit.to.as_ref().map(|it| it.as_str());
        let count = |changed: usize| u32::try_from(changed).unwrap_or(u32::MAX);
        let both = |it: &Self| Ok::<_, Fault>((it.page(at, "from", Some(from))?, it.page(at, "to", to)?));
        match edit.op {
            Op::Add => {
                let (from, to) = both(self)?;
                let mut place = Where::default();
                place.add(Placement::Main, true);
                self.links.push((from, to, place));
                Ok(1)
            }
            Op::Remove => {
                let (from, to) = both(self)?;
                let own = self.nodes[to as usize].alias.unwrap_or(to);
                let before = self.links.len();
                let nodes = &self.nodes;
                self.links.retain(|link| link.0 != from || nodes[link.1 as usize].alias.unwrap_or(link.1) != own);
                Ok(count(before - self.links.len()))
            }
            Op::RemoveBlock => {
                let place = PLACEMENTS.into_iter().find(|place| place.word() == from).ok_or_else(|| {
                    let known: Vec<&str> = PLACEMENTS.iter().map(|place| place.word()).collect();
                    let message = format!("{from} is no part of pages; `parts` names those that are");
                    Fault::invalid(format!("/edits/{at}/from"), "unknown_part", message)
                        .detail(json!({ "parts": known }))
                })?;
                let mut changed = 0;
                for (_, target, links) in &mut self.links {
                    if to.is_none_or(|to| fits(to, &self.nodes[*target as usize].url)) && links.without(place) != *links
                    {
                        *links = links.without(place);
                        changed += 1;
                    }
                }
                Ok(changed)
            }
            Op::Noindex => {
                let pages = self.fitting(at, from)?;
                for page in &pages {
                    self.nodes[*page].state = State::Noindex;
                }
                Ok(count(pages.len()))
            }
            Op::Redirect => {
                let to = self.page(at, "to", to)?;
                let end = self.nodes[to as usize].alias.unwrap_or(to);
                let pages = self.fitting(at, from)?;
                for page in pages.iter().filter(|page| **page != end as usize) {
                    self.nodes[*page].state = State::Moved;
                    self.nodes[*page].alias = Some(end);
                }
                // What stood for one of them stands for the new page.
                for at in 0..self.nodes.len() {
                    if let Some(alias) = self.nodes[at].alias
                        && let Some(further) = self.nodes[alias as usize].alias
                    {
                        self.nodes[at].alias = Some(further).filter(|further| *further as usize != at);
                    }
                }
                Ok(count(pages.len()))
            }
        }
    }

    /// The page of the crawl that an address names.
    fn page(&self, at: usize, member: &str, address: Option<&str>) -> Result<u32> {
        let pointer = format!("/edits/{at}/{member}");
        let address = address
            .ok_or_else(|| Fault::invalid(pointer.as_str(), "edit_incomplete", "this edit needs `from` and `to`"))?;
        let wanted = normalize(address).unwrap_or_else(|| address.to_owned());
        let found = self.nodes.iter().position(|node| node.url == wanted || node.url == address);
        let missing = || Fault::invalid(pointer.as_str(), "page_not_in_graph", "the crawl has no page of this address");
        found.and_then(|it| u32::try_from(it).ok()).ok_or_else(missing)
    }

    /// The pages that a pattern or an address fits.
    fn fitting(&self, at: usize, pattern: &str) -> Result<Vec<usize>> {
        let pages: Vec<usize> = (0..self.nodes.len())
            .filter(|page| self.nodes[*page].is_own() && fits(pattern, &self.nodes[*page].url))
            .collect();
        if pages.is_empty() {
            let message = "the crawl has no page that this fits; `*` is any run of characters of a path";
            return Err(Fault::invalid(format!("/edits/{at}/from"), "page_not_in_graph", message));
        }
        Ok(pages)
    }
}

/// Whether an address is this one, or has a path that this pattern fits.
fn fits(pattern: &str, url: &str) -> bool {
    if pattern == url {
        return true;
    }
    let (pattern, path) = if pattern.starts_with("http") { (pattern, url) } else { (pattern, path_and_query(url)) };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    for (at, piece) in pieces.iter().enumerate() {
        if at + 1 == pieces.len() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(found) => rest = &rest[found + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_fits_paths_and_an_address_itself() {
        let url = "https://shop.example/tags/red?x=1";
        for pattern in [url, "/tags/*", "/*red*", "*", "/tags/red?x=1", "https://shop.example/tags/*"] {
            assert!(fits(pattern, url), "{pattern}");
        }
        for pattern in ["/tags", "/tags/", "/tag/*", "*red", "https://mall.example/*", ""] {
            assert!(!fits(pattern, url), "{pattern}");
        }
    }
}
