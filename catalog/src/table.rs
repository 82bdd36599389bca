//! The table of record: which operations the product has, and in which revision each appeared.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The first revision, with 504 operations.
pub const FIRST: &str = "2026-08-15";
/// The second revision, with 513 operations.
pub const SECOND: &str = "2026-09-28";

/// One row of `catalog/operations.tsv`, as far as the host compares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `module.noun.verb`.
    pub id: &'static str,
    /// The first segment.
    pub module: &'static str,
    /// `read`, `write`, `job`, `destructive`.
    pub kind: &'static str,
    /// `immediate`, `queued`.
    pub mode: &'static str,
    /// Space-separated.
    pub scopes: &'static str,
    /// `5/url`, or empty.
    pub native_price: &'static str,
    /// `list`, `live` and their kin.
    pub cost_class: &'static str,
    /// Whether the first revision has it already.
    pub in_first: bool,
}

/// Every operation of the product by its id.
pub fn operations() -> &'static BTreeMap<&'static str, Row> {
    static ROWS: LazyLock<BTreeMap<&'static str, Row>> = LazyLock::new(|| {
        let lines = include_str!("../operations.tsv").lines().skip(1);
        lines.filter_map(row).map(|row| (row.id, row)).collect()
    });
    &ROWS
}

fn row(line: &'static str) -> Option<Row> {
    let mut cells = line.split('\t');
    let mut next = || cells.next();
    Some(Row {
        id: next()?,
        module: next()?,
        kind: next()?,
        mode: next()?,
        scopes: next()?,
        native_price: next()?,
        cost_class: next()?,
        in_first: next()? == "1",
    })
}

/// Whether the revision of this date offers the operation. An id outside the table (a module of somebody's own)
/// is offered by every revision that locks it.
pub fn offers(date: &str, id: &str) -> bool {
    date != FIRST || operations().get(id).is_none_or(|row| row.in_first)
}

#[cfg(test)]
mod tests;
