//! Tests of `kept`.

use std::fs;

use catalog::revision::Revision;

use super::*;

const DATE: &str = "2026-09-28";

/// A folder as it is shipped, whose one component is these bytes.
fn shipped(folder: &Path, bytes: &str) -> (Sources, Revision) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("notes.wasm"), bytes).unwrap();
    fs::write(folder.join("notes.wasm.minisig"), "signed").unwrap();
    let mut lock = catalog::lock::Lock::parse("notes.toml", LOCK).unwrap();
    lock.component = digest(bytes.as_bytes());
    let mut revision = Revision::draft(DATE);
    revision.locks.insert("notes".to_owned(), lock);
    revision.write(&folder.join("catalog")).unwrap();
    let sources = Sources::shipped(folder, Arc::new(Trust::default())).unwrap();
    let revision = sources.revision(Some(DATE)).unwrap();
    (sources, revision)
}

const LOCK: &str = "module = \"notes\"\ncomponent = \"\"\nwit = \"espalier:module@1.0.0\"\ngrants = []\n";

fn served(revision: &Revision) -> Served {
    Served { date: DATE.to_owned(), digest: Some(revision.hash()) }
}

fn bytes(sources: &Sources) -> Vec<u8> {
    fs::read(&sources.built[0].path).unwrap()
}

#[test]
fn what_is_in_force_is_found_whatever_the_folder_has_meanwhile() {
    let data = tempfile::tempdir().unwrap();
    let (folder, kept) = (data.path().join("modules"), Kept::of(data.path()));
    let (sources, first) = shipped(&folder, "first");
    kept.keep(&sources, &first).unwrap();
    let (newer, second) = shipped(&folder, "second");
    let (found, revision) = in_force(&newer, &kept, &served(&first)).unwrap();
    assert_eq!((bytes(&found), revision.hash()), (b"first".to_vec(), first.hash()));
    assert!(found.built[0].path.with_extension("wasm.minisig").is_file(), "its signature is checked as ever");
    let (found, _) = in_force(&newer, &kept, &served(&second)).unwrap();
    assert_eq!(found.catalog, newer.catalog, "the folder has it");
    fs::remove_dir_all(folder.join("catalog")).unwrap();
    assert!(in_force(&newer, &kept, &served(&first)).is_ok(), "the folder has nothing of that date");
    assert!(in_force(&newer, &kept, &served(&second)).is_err());
}

#[test]
fn a_few_revisions_are_kept_and_their_components_once() {
    let data = tempfile::tempdir().unwrap();
    let (folder, kept) = (data.path().join("modules"), Kept::of(data.path()));
    let mut all = Vec::new();
    for bytes in ["a", "b", "c", "d", "e", "f"] {
        let (sources, revision) = shipped(&folder, bytes);
        kept.keep(&sources, &revision).unwrap();
        kept.keep(&sources, &revision).unwrap();
        all.push((sources, revision));
    }
    let of = |at: usize| kept.sources(&all[at].1.hash(), Arc::new(Trust::default())).unwrap().map(|it| bytes(&it));
    assert_eq!((of(1), of(2), of(5)), (None, Some(b"c".to_vec()), Some(b"f".to_vec())));
    let components = fs::read_dir(data.path().join("kept/components")).unwrap().count();
    assert_eq!(components, MOST, "a component that no kept revision has is forgotten");
}
