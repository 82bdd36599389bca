//! The vocabulary of schema.org: types with their parents, properties with what they take, enumerations.
//!
//! `data/vocabulary.tsv` is made by `tests/references/schema/vocabulary.py` (schema.org, CC BY-SA 3.0). It is read once
//! for a call: some three million units of fuel.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../data/vocabulary.tsv");
/// What the vocabulary was taken from.
pub(crate) const RELEASE: &str = "schema.org as of schema-dts 2.1.0";

/// A type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) parents: Vec<&'static str>,
    /// Its definition in one sentence, at most 160 characters; may be empty.
    pub(crate) words: &'static str,
    /// A data type: its values are literals.
    pub(crate) is_data: bool,
}

/// A property.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// The types that it is for; those below them have it too.
    pub(crate) domains: Vec<&'static str>,
    /// What it takes.
    pub(crate) ranges: Vec<&'static str>,
    /// Another one has taken its place.
    pub(crate) superseded: bool,
}

/// The vocabulary.
pub(crate) struct Vocabulary {
    kinds: BTreeMap<&'static str, Kind>,
    properties: BTreeMap<&'static str, Property>,
    members: BTreeMap<&'static str, Vec<&'static str>>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::read(TABLE));

/// The bundled vocabulary.
pub(crate) fn get() -> &'static Vocabulary {
    &VOCABULARY
}

impl Vocabulary {
    fn read(table: &'static str) -> Self {
        let mut all = Self { kinds: BTreeMap::new(), properties: BTreeMap::new(), members: BTreeMap::new() };
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let mut cell = || cells.next().unwrap_or_default();
            let (sort, name) = (cell(), cell());
            let words = |text: &'static str| text.split(' ').filter(|it| !it.is_empty()).collect();
            match sort {
                "D" => {
                    all.kinds.insert(name, Kind { parents: words(cell()), words: "", is_data: true });
                }
                "T" => {
                    all.kinds.insert(name, Kind { parents: words(cell()), words: cell(), is_data: false });
                }
                "E" => {
                    all.members.insert(name, words(cell()));
                }
                "P" => {
                    let property =
                        Property { domains: words(cell()), ranges: words(cell()), superseded: cell() == "old" };
                    all.properties.insert(name, property);
                }
                _ => {}
            }
        }
        all
    }

    /// The type of a name.
    pub(crate) fn kind(&self, name: &str) -> Option<(&'static str, &Kind)> {
        self.kinds.get_key_value(name).map(|(name, kind)| (*name, kind))
    }

    /// The property of a name; the endings `-input` and `-output` of actions belong to the property before them.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        let name = name.strip_suffix("-input").or_else(|| name.strip_suffix("-output")).unwrap_or(name);
        self.properties.get(name)
    }

    /// The members of an enumeration.
    pub(crate) fn members(&self, name: &str) -> &[&'static str] {
        self.members.get(name).map_or(&[], Vec::as_slice)
    }

    /// A type and those above it, the nearest first, each once.
    pub(crate) fn lineage(&self, name: &str) -> Vec<&'static str> {
        let mut all: Vec<&'static str> = self.kinds.get_key_value(name).map(|(name, _)| *name).into_iter().collect();
        let mut at = 0;
        while let Some(name) = all.get(at) {
            for parent in self.kinds.get(name).map_or(&[][..], |kind| &kind.parents) {
                if !all.contains(parent) {
                    all.push(parent);
                }
            }
            at += 1;
        }
        all
    }

    /// Whether a type is another or stands below it.
    pub(crate) fn is_a(&self, name: &str, other: &str) -> bool {
        name == other || self.lineage(name).contains(&other)
    }

    /// Whether a type has a property, itself or from above.
    pub(crate) fn has(&self, name: &str, property: &Property) -> bool {
        self.lineage(name).iter().any(|it| property.domains.contains(it))
    }

    /// The properties of a type, its own first, then those from above in the order of its lineage; without superseded.
    pub(crate) fn properties_of(&self, name: &str) -> Vec<(&'static str, &'static str, &Property)> {
        let mut all = Vec::new();
        for of in self.lineage(name) {
            let own = self.properties.iter().filter(|(_, it)| !it.superseded && it.domains.contains(&of));
            for (name, property) in own {
                if !all.iter().any(|(known, _, _)| known == name) {
                    all.push((*name, of, property));
                }
            }
        }
        all
    }

    /// The name of a type that is written nearly so, for a mistyped one.
    pub(crate) fn nearest(&self, name: &str) -> Option<&'static str> {
        let bare = name.to_ascii_lowercase();
        let distance = |it: &str| distance_between(&bare, &it.to_ascii_lowercase());
        let best = self.kinds.keys().map(|it| (distance(it), *it)).min()?;
        (best.0 <= 2).then_some(best.1)
    }
}

/// The distance of Levenshtein, cut off past 3.
fn distance_between(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 3 {
        return 4;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, one) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = at + 1;
        for (place, other) in b.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = (before + usize::from(one != *other)).min(above + 1).min(row[place] + 1);
            before = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    //! What the table says of types and properties that everybody knows.

    use super::get;

    #[test]
    fn the_table_has_the_whole_vocabulary() {
        let all = get();
        assert!(all.kinds.len() > 900 && all.properties.len() > 1_500 && all.members.len() > 75);
        for (name, kind) in &all.kinds {
            assert!(kind.parents.iter().all(|it| all.kinds.contains_key(it)), "{name}: {:?}", kind.parents);
            assert!(matches!(*name, "Thing" | "DataType") || !kind.parents.is_empty(), "{name} stands below nothing");
        }
        for (name, property) in &all.properties {
            assert!(!property.domains.is_empty() && !property.ranges.is_empty(), "{name}");
            let known = property.domains.iter().chain(&property.ranges).all(|it| all.kinds.contains_key(it));
            assert!(known, "{name}: {property:?}");
        }
    }

    #[test]
    fn a_type_has_what_those_above_it_have() {
        let all = get();
        assert!(
            all.is_a("Restaurant", "Place") && all.is_a("Restaurant", "Organization") && !all.is_a("Place", "Thing2")
        );
        assert!(all.has("NewsArticle", all.property("headline").unwrap()));
        assert!(!all.has("Person", all.property("price").unwrap()));
        assert!(all.members("ItemAvailability").contains(&"InStock"));
        assert_eq!(all.nearest("Artcle"), Some("Article"));
        assert_eq!(all.nearest("Zebrafish"), None);
    }
}
