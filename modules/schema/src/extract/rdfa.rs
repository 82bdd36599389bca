//! RDFa Lite 1.1 (W3C): `vocab`, `typeof`, `property`, `resource`, `prefix`, and `about` beside them.
//!
//! Subjects and values are found as RDFa Core 1.1, section 7.5, and HTML+RDFa 1.1, section 3.1, say; of untyped subjects
//! nothing is kept.

use std::collections::BTreeMap;
use std::rc::Rc;

use kit::dom::{Dom, NodeId};
use kit::url::Url;
use serde_json::{Map, Value};

use super::context::{bare, is_schema};
use super::microdata::resolved;
use super::{Extracted, Format, Item, MOST_DEPTH, MOST_ITEMS, add, set_types};

/// What an element hands to those inside it.
#[derive(Clone, Default)]
struct Scope {
    vocabulary: Option<Rc<str>>,
    prefixes: Rc<BTreeMap<String, String>>,
    subject: Option<usize>,
}

/// A node while it is read.
#[derive(Default)]
struct Subject {
    id: Option<String>,
    types: Vec<String>,
    line: u32,
    values: Vec<(String, Said)>,
    /// It is the value of a property.
    held: bool,
}

enum Said {
    Text(String),
    Node(usize),
}

/// Reads every typed node that is not the value of a property of another.
pub(super) fn read(dom: &Dom, base: &Url, out: &mut Extracted) {
    if !dom.descendants(0).any(|id| dom.attribute(id, "typeof").is_some()) {
        return;
    }
    let mut reader = Reader { dom, base, subjects: Vec::new(), named: BTreeMap::new() };
    let mut scopes: BTreeMap<NodeId, Scope> = BTreeMap::new();
    for id in dom.descendants(0) {
        if reader.subjects.len() > MOST_ITEMS {
            out.cut = true;
            break;
        }
        let outer = dom.parent(id).and_then(|it| scopes.get(&it)).cloned().unwrap_or_default();
        let inner = reader.element(id, &outer);
        scopes.insert(id, inner);
    }
    for (at, subject) in reader.subjects.iter().enumerate() {
        if !subject.held && !subject.types.is_empty() {
            let value = reader.tree(at, &mut Vec::new());
            out.items.push(Item { format: Format::Rdfa, line: subject.line, pointer: String::new(), value });
        }
    }
}

struct Reader<'a> {
    dom: &'a Dom,
    base: &'a Url,
    subjects: Vec<Subject>,
    named: BTreeMap<String, usize>,
}

impl Reader<'_> {
    fn element(&mut self, id: NodeId, outer: &Scope) -> Scope {
        let dom = self.dom;
        if dom.attributes(id).is_empty() {
            return outer.clone();
        }
        let mut scope = outer.clone();
        if let Some(vocabulary) = dom.attribute(id, "vocab").map(str::trim) {
            scope.vocabulary = (!vocabulary.is_empty()).then(|| vocabulary.into());
        }
        if let Some(prefixes) = dom.attribute(id, "prefix") {
            let mut all = (*scope.prefixes).clone();
            let mut words = prefixes.split_ascii_whitespace();
            while let (Some(prefix), Some(address)) = (words.next(), words.next()) {
                all.insert(prefix.trim_end_matches(':').to_ascii_lowercase(), address.to_owned());
            }
            scope.prefixes = Rc::new(all);
        }
        let types = terms(dom.attribute(id, "typeof").unwrap_or_default(), &scope);
        let is_typed = dom.attribute(id, "typeof").is_some();
        let about = dom.attribute(id, "about");
        let resource = ["resource", "href", "src"].iter().find_map(|name| dom.attribute(id, name));
        let properties = terms(dom.attribute(id, "property").unwrap_or_default(), &scope);
        let names_a_property = dom.attribute(id, "property").is_some();
        let subject = about.map_or(outer.subject, |about| Some(self.named(about, id)));
        let typed = is_typed.then(|| {
            let at = match about.or(resource) {
                Some(reference) => self.named(reference, id),
                None => self.fresh(id, None),
            };
            self.subjects[at].types.extend(types);
            at
        });
        if names_a_property {
            if let Some(subject) = subject {
                for name in properties {
                    let said = self.value(id, typed.filter(|_| about.is_none()), resource);
                    self.subjects[subject].values.push((name, said));
                }
            }
            if let Some(typed) = typed.filter(|_| about.is_none() && subject.is_some()) {
                self.subjects[typed].held = true;
            }
            scope.subject = typed.or(subject);
        } else {
            // Only `resource` and `about` move the subject without a type: a plain link or picture says nothing here.
            let moved = about.or_else(|| dom.attribute(id, "resource"));
            scope.subject = typed.or_else(|| moved.map(|it| self.named(it, id))).or(outer.subject);
        }
        scope
    }

    fn value(&self, id: NodeId, typed: Option<usize>, resource: Option<&str>) -> Said {
        let attribute = |name: &str| self.dom.attribute(id, name).map(str::to_owned);
        if let Some(at) = typed {
            return Said::Node(at);
        }
        let literal = attribute("content").or_else(|| attribute("datetime"));
        let literal = literal.or_else(|| attribute("value").filter(|_| matches!(self.dom.name(id), "data" | "meter")));
        Said::Text(match (literal, resource) {
            (Some(text), _) => text,
            (None, Some(reference)) => resolved(self.base, reference),
            (None, None) => self.dom.text(id),
        })
    }

    fn named(&mut self, reference: &str, at: NodeId) -> usize {
        let blank = reference.trim().trim_start_matches('[').starts_with("_:");
        let id = if blank { reference.trim().to_owned() } else { resolved(self.base, reference) };
        if let Some(known) = self.named.get(&id) {
            return *known;
        }
        let fresh = self.fresh(at, (!blank).then(|| id.clone()));
        self.named.insert(id, fresh);
        fresh
    }

    fn fresh(&mut self, at: NodeId, id: Option<String>) -> usize {
        self.subjects.push(Subject { id, line: self.dom.node(at).line, ..Subject::default() });
        self.subjects.len() - 1
    }

    /// A node with those that are values of its properties inside it; one that holds itself is named there.
    fn tree(&self, at: usize, around: &mut Vec<usize>) -> Map<String, Value> {
        let subject = &self.subjects[at];
        let mut node = Map::new();
        if let Some(id) = &subject.id {
            node.insert("@id".to_owned(), Value::from(id.as_str()));
        }
        if around.contains(&at) || around.len() >= MOST_DEPTH {
            return node;
        }
        if !subject.types.is_empty() {
            set_types(&mut node, subject.types.clone());
        }
        around.push(at);
        for (name, said) in &subject.values {
            let value = match said {
                Said::Text(text) => Value::from(text.as_str()),
                Said::Node(inner) => Value::Object(self.tree(*inner, around)),
            };
            add(&mut node, name, value);
        }
        around.pop();
        node
    }
}

/// Terms, compact addresses and addresses as names; what nothing gives a meaning is left out.
fn terms(text: &str, scope: &Scope) -> Vec<String> {
    let meaning = |word: &str| match word.split_once(':') {
        Some((_, rest)) if rest.starts_with("//") => Some(bare(word).to_owned()),
        Some((prefix, rest)) => {
            let prefix = prefix.to_ascii_lowercase();
            let declared = scope.prefixes.get(&prefix).map(|address| bare(&format!("{address}{rest}")).to_owned());
            declared.or_else(|| (prefix == "schema").then(|| rest.to_owned()))
        }
        None => scope
            .vocabulary
            .as_deref()
            .map(|vocabulary| if is_schema(vocabulary) { word.to_owned() } else { format!("{vocabulary}{word}") }),
    };
    text.split_ascii_whitespace().filter_map(meaning).collect()
}
