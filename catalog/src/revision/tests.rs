//! Tests of `revision`.

use super::Revision;
use crate::error::CatalogError;
use crate::lock::Lock;
use crate::sample::built;

fn draft() -> Revision {
    let mut revision = Revision::draft("2026-09-28");
    revision.locks.insert("authors".to_owned(), Lock::of(&built(), None, |_| true));
    revision
}

#[test]
fn a_written_revision_reads_as_what_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    draft().write(folder.path()).expect("it can be written");
    let read = Revision::read(folder.path(), "2026-09-28").expect("it can be read");
    assert_eq!((read.operations(), read.routes(), read.hash()), (2, 0, draft().hash()));
    assert_eq!(Revision::dates(folder.path()).expect("the folder"), ["2026-09-28"]);
}

#[test]
fn a_lock_that_was_changed_after_locking_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    draft().write(folder.path()).expect("it can be written");
    let path = folder.path().join("2026-09-28/authors.toml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.replace("assets:write", "assets:read")).expect("it can be written");
    let error = Revision::read(folder.path(), "2026-09-28").expect_err("refused");
    assert!(matches!(error, CatalogError::Changed { .. }), "{error}");
    assert!(error.to_string().contains("by `espalier catalog lock 2026-09-28`"), "{error}");
    let standing = Revision::standing(folder.path(), "2026-09-28").expect("what stands can be locked again");
    standing.write(folder.path()).expect("it can be written");
    Revision::read(folder.path(), "2026-09-28").expect("locked again");
}

#[test]
fn a_lock_that_vanished_or_stands_under_another_name_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    draft().write(folder.path()).expect("it can be written");
    let path = folder.path().join("2026-09-28/authors.toml");
    std::fs::rename(&path, path.with_file_name("writers.toml")).expect("it can be renamed");
    assert!(matches!(Revision::read(folder.path(), "2026-09-28"), Err(CatalogError::Malformed { .. })));
    std::fs::remove_file(path.with_file_name("writers.toml")).expect("it can be removed");
    assert!(matches!(Revision::read(folder.path(), "2026-09-28"), Err(CatalogError::Changed { .. })));
}

#[test]
fn reads_of_other_modules_are_found_with_their_indexes() {
    let revision = draft();
    let mut reader = Lock::of(&built(), None, |_| true);
    reader.reads.insert("authors.authors".to_owned());
    let foreign = revision.foreign(&reader).expect("it is there");
    assert_eq!(foreign["authors.authors"].indexes[0].fields, ["status", "lastname"]);
    reader.reads = ["authors.text/".to_owned()].into();
    assert!(
        revision.foreign(&reader).expect("blobs by the beginning of their keys")["authors.text/"].indexes.is_empty()
    );
    for missing in ["authors.ghosts", "nobody.authors", "authors", "nobody.text/", "authors./"] {
        reader.reads = [missing.to_owned()].into();
        assert!(matches!(revision.foreign(&reader), Err(CatalogError::Dangling { .. })), "{missing}");
    }
}
