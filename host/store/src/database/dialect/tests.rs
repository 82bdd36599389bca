//! Tests of `dialect`.

use super::*;

#[test]
fn an_sqlite_with_the_wal_reset_bug_is_refused() {
    assert!(refuse_old_sqlite("3.51.2").is_err());
    assert!(refuse_old_sqlite("3.46.1").is_err());
    assert!(refuse_old_sqlite("3.51.3").is_ok());
    assert!(refuse_old_sqlite("3.52.0").is_ok());
}

#[test]
fn text_compares_by_bytes_on_postgres_and_comments_stay() {
    let text = Dialect::Postgres.translate("  name TEXT NOT NULL, -- a TEXT\n  body BLOB\n");
    assert_eq!(text, "  name TEXT COLLATE \"C\" NOT NULL, -- a TEXT\n  body BYTEA\n");
}

#[test]
fn a_clustered_table_is_one_tree_on_sqlite() {
    assert_eq!(
        Dialect::Sqlite.translate("  PRIMARY KEY (a)\n); -- clustered\n"),
        "  PRIMARY KEY (a)\n) WITHOUT ROWID;\n"
    );
    assert_eq!(Dialect::Postgres.translate("); -- clustered\n"), "); -- clustered\n");
}

#[test]
fn what_is_for_sqlite_alone_is_nothing_on_postgres() {
    let text = "-- SQLite alone.\nDROP TABLE a;\n";
    assert_eq!((Dialect::Sqlite.translate(text).as_str(), Dialect::Postgres.translate(text).as_str()), (text, ""));
}

#[test]
fn an_address_of_another_database_is_refused() {
    assert!(Address::read("mysql://localhost", Durability::Full).is_err());
}
