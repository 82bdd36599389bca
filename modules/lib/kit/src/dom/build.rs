//! How html5ever's tree builder fills the tree.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, local_name, ns};

use super::{Data, Dom, NONE, Node, NodeId};

/// Deeper nesting than this ends the reading (browsers stop at 512).
const MOST_DEPTH: u32 = 2_000;
/// More nodes than this end the reading.
const MOST_NODES: usize = 250_000;
/// The most faults that are kept.
const MOST_FAULTS: usize = 200;

/// What html5ever builds into.
pub(super) struct Sink {
    nodes: RefCell<Vec<Node>>,
    doctype: Cell<bool>,
    deepest: Cell<u32>,
    line: Cell<u32>,
    faults: RefCell<Vec<(u32, String)>>,
}

impl Sink {
    pub(super) fn new() -> Self {
        let mut nodes = Vec::with_capacity(1_024);
        nodes.push(blank(Data::Document, 1));
        Self {
            nodes: RefCell::new(nodes),
            doctype: Cell::new(false),
            deepest: Cell::new(0),
            line: Cell::new(1),
            faults: RefCell::new(Vec::new()),
        }
    }

    pub(super) fn is_too_big(&self) -> bool {
        self.deepest.get() > MOST_DEPTH || self.nodes.borrow().len() > MOST_NODES
    }

    /// How deep nodes are nested so far.
    pub(super) fn depth(&self) -> u32 {
        self.deepest.get()
    }

    fn add(&self, data: Data) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        let id = NodeId::try_from(nodes.len()).unwrap_or(NONE - 1);
        nodes.push(blank(data, self.line.get()));
        id
    }

    /// Puts `child` under `parent`, before `sibling` or at the end.
    fn put(&self, parent: NodeId, sibling: NodeId, child: NodeOrText<NodeId>) {
        let neighbour = {
            let nodes = self.nodes.borrow();
            if sibling == NONE { nodes[parent as usize].last } else { nodes[sibling as usize].before }
        };
        let child = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                if neighbour != NONE
                    && let Data::Text(existing) = &mut self.nodes.borrow_mut()[neighbour as usize].data
                {
                    existing.push_tendril(&text);
                    return;
                }
                self.add(Data::Text(text))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let before = if sibling == NONE { nodes[parent as usize].last } else { nodes[sibling as usize].before };
        let depth = nodes[parent as usize].depth + 1;
        let node = &mut nodes[child as usize];
        (node.parent, node.before, node.after, node.depth) = (parent, before, sibling, depth);
        if before == NONE {
            nodes[parent as usize].first = child;
        } else {
            nodes[before as usize].after = child;
        }
        if sibling == NONE {
            nodes[parent as usize].last = child;
        } else {
            nodes[sibling as usize].before = child;
        }
        self.deepest.set(self.deepest.get().max(depth));
    }

    fn detach(&self, id: NodeId) {
        let mut nodes = self.nodes.borrow_mut();
        let Node { parent, before, after, .. } = nodes[id as usize];
        if parent == NONE {
            return;
        }
        if before == NONE {
            nodes[parent as usize].first = after;
        } else {
            nodes[before as usize].after = after;
        }
        if after == NONE {
            nodes[parent as usize].last = before;
        } else {
            nodes[after as usize].before = before;
        }
        let node = &mut nodes[id as usize];
        (node.parent, node.before, node.after) = (NONE, NONE, NONE);
    }
}

fn blank(data: Data, line: u32) -> Node {
    Node { data, line, parent: NONE, first: NONE, last: NONE, before: NONE, after: NONE, depth: 0 }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Dom;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Dom {
        Dom {
            nodes: self.nodes.into_inner(),
            doctype: self.doctype.get(),
            cut: false,
            faults: self.faults.into_inner(),
            deepest: self.deepest.get(),
        }
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() < MOST_FAULTS {
            faults.push((self.line.get(), message.into_owned()));
        }
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(u32::try_from(line).unwrap_or(u32::MAX));
    }

    fn get_document(&self) -> NodeId {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target as usize].data {
            Data::Element { name, .. } => name,
            _ => unreachable!("the tree builder asks for the names of elements only"),
        })
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> NodeId {
        let template = name.ns == ns!(html) && name.local == local_name!("template");
        let id = self.add(Data::Element { name, attrs });
        if template {
            // The contents stand next to the template, out of the tree: they are not part of the page.
            self.add(Data::Other);
        }
        id
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.add(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.add(Data::Other)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.put(*parent, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &NodeId, previous: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.nodes.borrow()[*element as usize].parent;
        if parent == NONE { self.put(*previous, NONE, child) } else { self.put(parent, *element, child) }
    }

    fn append_doctype_to_document(&self, name: StrTendril, _: StrTendril, _: StrTendril) {
        self.doctype.set(name.eq_ignore_ascii_case("html"));
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        target + 1
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        if parent != NONE {
            self.put(parent, *sibling, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, more: Vec<Attribute>) {
        if let Data::Element { attrs, .. } = &mut self.nodes.borrow_mut()[*target as usize].data {
            for attr in more {
                if !attrs.iter().any(|present| present.name == attr.name) {
                    attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        loop {
            let first = self.nodes.borrow()[*node as usize].first;
            if first == NONE {
                return;
            }
            self.put(*new_parent, NONE, NodeOrText::AppendNode(first));
        }
    }
}
