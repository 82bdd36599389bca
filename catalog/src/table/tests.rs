//! Tests of `table`.

use super::{FIRST, SECOND, offers, operations};

#[test]
fn the_first_revision_has_504_operations_and_the_second_513() {
    let offered = |date: &str| operations().keys().filter(|id| offers(date, id)).count();
    assert_eq!((offered(FIRST), offered(SECOND)), (504, 513));
}

#[test]
fn the_table_has_25_modules() {
    let modules: std::collections::BTreeSet<_> = operations().values().map(|row| row.module).collect();
    assert_eq!(modules.len(), 25);
}
