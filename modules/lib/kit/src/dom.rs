//! A compact document tree, filled by html5ever's tree builder: nodes in one vector, linked by index.

mod bounds;
mod build;

pub use html5ever::Attribute;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, QualName};

use build::Sink;

/// The parser is fed this many bytes at a time, so that a hostile document is noticed before it grows.
const CHUNK: usize = 4 * 1024;
/// The same below this many levels, where one tag can open as many elements again.
const DEEP_CHUNK: usize = 256;
const DEEP: u32 = 128;

/// The index of a node; 0 is the document.
pub type NodeId = u32;
const NONE: NodeId = u32::MAX;

/// What a node is.
#[derive(Debug)]
pub enum Data {
    /// The root.
    Document,
    /// An element.
    Element {
        /// Its name.
        name: QualName,
        /// Its attributes.
        attrs: Vec<Attribute>,
    },
    /// A run of text.
    Text(StrTendril),
    /// A comment or a processing instruction.
    Other,
}

/// One node.
#[derive(Debug)]
pub struct Node {
    /// What it is.
    pub data: Data,
    /// The line of the source where it was made, from 1.
    pub line: u32,
    parent: NodeId,
    first: NodeId,
    last: NodeId,
    before: NodeId,
    after: NodeId,
    depth: u32,
}

/// A parsed document.
#[derive(Debug)]
pub struct Dom {
    nodes: Vec<Node>,
    /// Whether a doctype for HTML was seen.
    pub doctype: bool,
    /// Whether reading was ended by a limit.
    pub cut: bool,
    /// What the tree builder had to repair: line and what, in order; at most 200.
    pub faults: Vec<(u32, String)>,
    /// How deep nodes are nested at most.
    pub deepest: u32,
}

impl Dom {
    /// Parses a document. Never fails: every text is a document to the HTML standard.
    #[must_use]
    pub fn parse(html: &str) -> Self {
        let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let mut parser = html5ever::parse_document(Sink::new(), ParseOpts { tree_builder, ..ParseOpts::default() });
        let mut rest = bounds::within(html);
        let mut cut = rest.len() < html.len();
        while !rest.is_empty() {
            let size = if parser.tokenizer.sink.sink.depth() > DEEP { DEEP_CHUNK } else { CHUNK };
            let (chunk, more) = rest.split_at(rest.floor_char_boundary(size));
            parser.process(StrTendril::from_slice(chunk));
            rest = more;
            if parser.tokenizer.sink.sink.is_too_big() {
                cut = true;
                break;
            }
        }
        let mut dom = parser.finish();
        dom.cut = cut;
        dom
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The node of this index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The first child.
    #[must_use]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        present(self.node(id).first)
    }

    /// The sibling after this node.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        present(self.node(id).after)
    }

    /// The sibling before this node.
    #[must_use]
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        present(self.node(id).before)
    }

    /// The node that holds this one.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        present(self.node(id).parent)
    }

    /// The nodes around this one, the nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// The children in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |id| self.next_sibling(*id))
    }

    /// Everything below a node in document order, without the node itself.
    pub fn descendants(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(root), move |id| self.after(*id, root, true))
    }

    /// What follows in document order below `root`; children of `id` first when `inside`.
    #[must_use]
    pub fn after(&self, id: NodeId, root: NodeId, inside: bool) -> Option<NodeId> {
        if inside && let Some(child) = self.first_child(id) {
            return Some(child);
        }
        let mut at = id;
        while at != root {
            if let Some(next) = self.next_sibling(at) {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// The name of an element in lower case; empty for other nodes.
    #[must_use]
    pub fn name(&self, id: NodeId) -> &str {
        match &self.node(id).data {
            Data::Element { name, .. } => &name.local,
            _ => "",
        }
    }

    /// The attributes of an element.
    #[must_use]
    pub fn attributes(&self, id: NodeId) -> &[Attribute] {
        match &self.node(id).data {
            Data::Element { attrs, .. } => attrs,
            _ => &[],
        }
    }

    /// The value of an attribute; `name` in lower case.
    #[must_use]
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        attribute(self.attributes(id), name)
    }

    /// The elements of a name in document order.
    pub fn elements<'a>(&'a self, name: &'a str) -> impl Iterator<Item = NodeId> + 'a {
        self.descendants(0).filter(move |id| self.name(*id) == name)
    }

    /// The text of an element's own text children, as of `<script>` or `<title>`.
    #[must_use]
    pub fn own_text(&self, id: NodeId) -> String {
        let mut text = String::new();
        for child in self.children(id) {
            if let Data::Text(part) = &self.node(child).data {
                text.push_str(part);
            }
        }
        text
    }

    /// All text below a node that readers see, white space collapsed.
    #[must_use]
    pub fn text(&self, root: NodeId) -> String {
        let mut text = String::new();
        let mut next = self.first_child(root);
        while let Some(id) = next {
            let mut inside = true;
            match &self.node(id).data {
                Data::Text(part) => text.push_str(part),
                Data::Element { name, .. } => match &*name.local {
                    "script" | "style" | "noscript" | "template" | "head" => inside = false,
                    "br" | "p" | "div" | "li" | "td" | "th" | "tr" | "dt" | "dd" | "h1" | "h2" | "h3" | "h4" | "h5"
                    | "h6" => text.push(' '),
                    _ => {}
                },
                _ => {}
            }
            next = self.after(id, root, inside);
        }
        crate::text::collapse(&text)
    }
}

/// The value of an attribute; `name` in lower case.
#[must_use]
pub fn attribute<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a str> {
    attrs.iter().find(|attr| &*attr.name.local == name).map(|attr| &*attr.value)
}

/// Whether an element of this name does not break a line of text; what is no element does not either.
#[must_use]
pub fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "" | "a"
            | "abbr"
            | "acronym"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "img"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "meter"
            | "output"
            | "q"
            | "ruby"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
            | "button"
            | "picture"
            | "source"
            | "svg"
    )
}

fn present(id: NodeId) -> Option<NodeId> {
    (id != NONE).then_some(id)
}

#[cfg(test)]
mod tests;
