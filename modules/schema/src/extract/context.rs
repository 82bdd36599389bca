//! What names mean: schema.org's address and its usual prefixes are taken off, other terms are looked up.
//!
//! Of JSON-LD contexts (JSON-LD 1.1, section 9.15) those that lead to schema.org are understood: its address, `@vocab`,
//! prefixes and terms that a page maps to it. Contexts are never fetched.

use std::collections::BTreeMap;

use serde_json::Value;

/// The prefix that pages use for schema.org without declaring it (RDFa 1.1 initial context).
const USUAL: &str = "schema:";

/// What the names of a block mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Context {
    /// Whether bare names are schema.org's.
    pub(crate) schema: bool,
    /// Whether a context was named that is another's.
    pub(crate) foreign: bool,
    terms: BTreeMap<String, String>,
}

/// Whether an address is schema.org's own, or its context document.
pub(crate) fn is_schema(address: &str) -> bool {
    let rest = address.trim().strip_prefix("https://").or_else(|| address.trim().strip_prefix("http://"));
    let rest = rest.map(|it| it.strip_prefix("www.").unwrap_or(it)).unwrap_or_default();
    matches!(
        rest.trim_end_matches(['/', '#']),
        "schema.org" | "schema.org/docs/jsonldcontext.json" | "schema.org/docs/jsonldcontext.jsonld"
    )
}

/// A name without schema.org's address or prefix; others stay as they are.
pub(crate) fn bare(name: &str) -> &str {
    let name = name.trim();
    ["https://schema.org/", "http://schema.org/", "https://www.schema.org/", "http://www.schema.org/", USUAL]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
}

impl Context {
    /// This context with another within it.
    pub(crate) fn with(&self, value: &Value) -> Self {
        let mut all = self.clone();
        all.add(value);
        all
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Null => *self = Self::default(),
            Value::String(address) if is_schema(address) => self.schema = true,
            Value::String(_) => self.foreign = true,
            Value::Array(all) => all.iter().for_each(|one| self.add(one)),
            Value::Object(members) => {
                for (term, meaning) in members {
                    let meaning = meaning.as_str().or_else(|| meaning.get("@id")?.as_str());
                    match (term.as_str(), meaning) {
                        ("@vocab", Some(address)) => {
                            self.schema = is_schema(address);
                            self.foreign |= !self.schema;
                        }
                        (term, Some(address)) if !term.starts_with('@') => {
                            self.terms.insert(term.to_owned(), address.to_owned());
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// What a name or a type means: a keyword, a name of schema.org, or an address.
    pub(crate) fn meaning(&self, name: &str) -> String {
        if name.starts_with('@') {
            return name.to_owned();
        }
        if let Some(meaning) = self.terms.get(name) {
            return if meaning.starts_with('@') { meaning.clone() } else { self.expanded(meaning) };
        }
        self.expanded(name)
    }

    fn expanded(&self, name: &str) -> String {
        if let Some((prefix, rest)) = name.split_once(':')
            && !rest.starts_with("//")
            && let Some(address) = self.terms.get(prefix)
        {
            return bare(&format!("{address}{rest}")).to_owned();
        }
        bare(name).to_owned()
    }
}
