//! What people say who want an operation, beside the phrasings of its contract: a table over the whole catalog.

use std::collections::HashMap;
use std::sync::LazyLock;

static TABLE: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let rows = include_str!("phrasings.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.filter_map(|row| row.split_once('\t')).map(|(id, said)| (id, said.split(" | ").collect())).collect()
});

/// What people say who want this operation; nothing for one that the table does not have.
pub(super) fn of(id: &str) -> &'static [&'static str] {
    TABLE.get(id).map_or(&[], Vec::as_slice)
}
