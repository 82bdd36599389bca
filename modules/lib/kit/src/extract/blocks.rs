//! Content as a row of blocks: headings, paragraphs, items, tables, code.

use super::{Content, Measures, cues};
use crate::dom::{Data, Dom, NodeId};
use crate::text::collapse;

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A heading of this level.
    Heading(u8),
    /// A paragraph, or loose text.
    Paragraph,
    /// An item of a list or a definition.
    Item,
    /// A cell of a table.
    Cell,
    /// Preformatted text; its white space is kept.
    Code,
    /// A quotation.
    Quote,
    /// The caption of a figure or a table.
    Caption,
}

/// One block of content.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// The element it stands in.
    pub node: NodeId,
}

/// Lists whose text is links for more than this share are menus.
const MENU: f64 = 0.66;

/// The blocks of the content in document order.
#[must_use]
pub fn blocks(dom: &Dom, content: &Content) -> Vec<Block> {
    let mut walk =
        Walk { dom, measures: &content.measures, out: Vec::new(), open: String::new(), kind: Kind::Paragraph, node: 0 };
    for &root in &content.roots {
        walk.below(root);
        walk.close();
    }
    walk.out
}

/// The content as plain text, a line for each block.
#[must_use]
pub fn plain(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&block.text);
    }
    out
}

/// Whether a walk over content passes over an element: it is no content, or a short list of links.
pub(crate) fn is_passed_over(dom: &Dom, measures: &Measures, id: NodeId) -> bool {
    let short = || (1..60).contains(&measures.words(id)) && measures.links(id) > 2;
    cues::is_left_out(dom, id)
        || cues::is_unlikely(dom, id)
        || (matches!(dom.name(id), "ul" | "ol" | "dl" | "div") && short() && measures.link_density(id) > MENU)
}

struct Walk<'a> {
    dom: &'a Dom,
    measures: &'a Measures,
    out: Vec<Block>,
    open: String,
    kind: Kind,
    node: NodeId,
}

impl Walk<'_> {
    fn below(&mut self, root: NodeId) {
        let mut ends: Vec<(NodeId, Kind, NodeId)> = Vec::new();
        let mut next = Some(root);
        (self.kind, self.node) = (Kind::Paragraph, root);
        while let Some(id) = next {
            let mut inside = true;
            match &self.dom.node(id).data {
                Data::Text(text) => self.open.push_str(text),
                Data::Element { name, .. } => {
                    if id != root && is_passed_over(self.dom, self.measures, id) {
                        inside = false;
                    } else if &*name.local == "br" {
                        self.open.push('\n');
                    } else if cues::is_block(&name.local) {
                        self.close();
                        if self.dom.first_child(id).is_some() {
                            ends.push((id, self.kind, self.node));
                            (self.kind, self.node) = (self.kind_of(&name.local), id);
                        }
                    }
                }
                _ => {}
            }
            next = match self.dom.first_child(id).filter(|_| inside) {
                Some(child) => Some(child),
                None => self.up(id, root, &mut ends),
            };
        }
    }

    /// Leaves `id` and everything that ends with it; gives what comes next below `root`.
    fn up(&mut self, id: NodeId, root: NodeId, ends: &mut Vec<(NodeId, Kind, NodeId)>) -> Option<NodeId> {
        let mut at = id;
        loop {
            if let Some((_, kind, node)) = ends.pop_if(|(owner, ..)| *owner == at) {
                self.close();
                (self.kind, self.node) = (kind, node);
            }
            if at == root {
                return None;
            }
            if let Some(next) = self.dom.next_sibling(at) {
                return Some(next);
            }
            at = self.dom.parent(at)?;
        }
    }

    fn kind_of(&self, name: &str) -> Kind {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Kind::Heading(name.as_bytes()[1] - b'0'),
            "li" | "dt" | "dd" => Kind::Item,
            "td" | "th" => Kind::Cell,
            "pre" => Kind::Code,
            "blockquote" => Kind::Quote,
            "figcaption" => Kind::Caption,
            // What stands inside an item or a quotation stays one.
            _ if matches!(self.kind, Kind::Item | Kind::Quote | Kind::Cell) => self.kind,
            _ => Kind::Paragraph,
        }
    }

    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        let text = if self.kind == Kind::Code { open.trim_matches('\n').to_owned() } else { collapse(&open) };
        if !text.trim().is_empty() {
            self.out.push(Block { kind: self.kind, text, node: self.node });
        }
    }
}
