//! The tables of WAI-ARIA: roles, attributes, and the roles that elements may be given.
//!
//! Sources: WAI-ARIA 1.3, ARIA in HTML, Graphics-ARIA, DPUB-ARIA, as axe-core 4.13.0 reads them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A role.
#[derive(Debug, Default)]
pub(super) struct Role {
    pub(super) kind: &'static str,
    pub(super) required: Vec<&'static str>,
    pub(super) supported: Vec<&'static str>,
    pub(super) owned: Vec<&'static str>,
    pub(super) context: Vec<&'static str>,
    pub(super) named_by_content: bool,
    pub(super) unnamed: bool,
}

/// An attribute, by its name without `aria-`.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) kind: &'static str,
    pub(super) values: Vec<&'static str>,
    pub(super) global: bool,
    pub(super) may_be_empty: bool,
}

/// What an element may be.
#[derive(Debug)]
pub(super) struct Allowed {
    pub(super) variant: &'static str,
    /// `*` any, `-` none.
    pub(super) roles: &'static str,
    pub(super) unnamed: bool,
}

fn list(text: &'static str) -> Vec<&'static str> {
    text.split(',').filter(|it| !it.is_empty()).collect()
}

fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().filter(|it| !it.starts_with('#') && !it.is_empty()).map(|it| it.split('\t').collect())
}

/// A role of the tables.
pub(super) fn role(name: &str) -> Option<&'static Role> {
    static ALL: OnceLock<BTreeMap<&'static str, Role>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let read = |parts: Vec<&'static str>| {
            let part = |at: usize| parts.get(at).copied().unwrap_or_default();
            let flags = part(6);
            let role = Role {
                kind: part(1),
                required: list(part(2)),
                supported: list(part(3)),
                owned: list(part(4)),
                context: list(part(5)),
                named_by_content: flags.contains('c'),
                unnamed: flags.contains('n'),
            };
            (part(0), role)
        };
        lines(include_str!("roles.tsv")).map(read).collect()
    });
    all.get(name)
}

/// An attribute of the tables, by its name without `aria-`.
pub(super) fn attribute(name: &str) -> Option<&'static Attribute> {
    static ALL: OnceLock<BTreeMap<&'static str, Attribute>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let read = |parts: Vec<&'static str>| {
            let part = |at: usize| parts.get(at).copied().unwrap_or_default();
            let flags = part(3);
            let it = Attribute {
                kind: part(1),
                values: list(part(2)),
                global: flags.contains('g'),
                may_be_empty: flags.contains('e'),
            };
            (part(0), it)
        };
        lines(include_str!("attributes.tsv")).map(read).collect()
    });
    all.get(name)
}

/// What an element may be, variant by variant.
pub(super) fn element(name: &str) -> &'static [Allowed] {
    static ALL: OnceLock<BTreeMap<&'static str, Vec<Allowed>>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut out: BTreeMap<&'static str, Vec<Allowed>> = BTreeMap::new();
        for parts in lines(include_str!("elements.tsv")) {
            let part = |at: usize| parts.get(at).copied().unwrap_or_default();
            let it = Allowed { variant: part(1), roles: part(2), unnamed: part(3) == "n" };
            out.entry(part(0)).or_default().push(it);
        }
        out
    });
    all.get(name).map_or(&[], Vec::as_slice)
}
