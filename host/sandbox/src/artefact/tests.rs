//! Tests of `artefact`.

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::config::Artefacts;

const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

fn component(engine: &Engine, artefacts: Option<&Artefacts>, bytes: &[u8]) -> wasmtime::Result<Component> {
    super::component(engine, artefacts, bytes, "sha256:of these bytes")
}

fn artefacts(folder: &std::path::Path, key: u8) -> Artefacts {
    Artefacts { folder: folder.join("compiled"), key: [key; 32] }
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder.join("compiled"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

#[test]
fn the_second_start_takes_the_artefact_of_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::default();
    component(&engine, Some(&artefacts(folder.path(), 1)), COMPONENT).expect("compiles");
    let [file] = &files(folder.path())[..] else { panic!("one file") };
    let written = file.metadata().expect("it is there").modified().expect("it has a time");
    component(&engine, Some(&artefacts(folder.path(), 1)), COMPONENT).expect("is read");
    assert_eq!(file.metadata().expect("it is there").modified().expect("it has a time"), written);
}

#[test]
fn an_artefact_that_was_touched_or_sealed_with_another_key_is_never_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::default();
    component(&engine, Some(&artefacts(folder.path(), 1)), COMPONENT).expect("compiles");
    let file = files(folder.path()).remove(0);
    let honest = std::fs::read(&file).expect("it is there");
    let mut touched = honest.clone();
    *touched.last_mut().expect("it has bytes") ^= 1;
    for forged in [touched, b"short".to_vec(), Vec::new()] {
        std::fs::write(&file, &forged).expect("it can be written");
        component(&engine, Some(&artefacts(folder.path(), 1)), COMPONENT).expect("compiles again");
        let replaced = std::fs::read(&file).expect("it is there");
        assert!(replaced != forged && replaced.len() == honest.len(), "the forgery was replaced");
        component(&engine, Some(&artefacts(folder.path(), 1)), COMPONENT).expect("is read");
        assert_eq!(std::fs::read(&file).expect("it is there"), replaced, "what replaced it is taken");
    }
    let before = std::fs::read(&file).expect("it is there");
    component(&engine, Some(&artefacts(folder.path(), 2)), COMPONENT).expect("compiles again");
    assert_ne!(std::fs::read(&file).expect("it is there"), before, "another key writes another code");
}

#[test]
fn an_artefact_that_others_may_change_is_never_mapped() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = tempfile::tempdir().expect("a folder");
    let (engine, kept) = (Engine::default(), artefacts(folder.path(), 1));
    component(&engine, Some(&kept), COMPONENT).expect("compiles");
    let file = files(folder.path()).remove(0);
    // Compare inodes, not times: two writes can have the same time, but a file created while the other exists has
    // another inode.
    let written = || file.metadata().expect("it is there").ino();
    for (open, mode, closed) in [(&file, 0o620, 0o600), (&kept.folder, 0o702, 0o700)] {
        let before = written();
        std::fs::set_permissions(open, std::fs::Permissions::from_mode(mode)).expect("it is ours");
        component(&engine, Some(&kept), COMPONENT).expect("compiles again");
        assert_ne!(written(), before, "{mode:o}: it was written anew");
        assert_eq!(open.metadata().expect("it is there").permissions().mode() & 0o777, closed);
    }
}

#[cfg(unix)]
#[test]
fn the_folder_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    component(&Engine::default(), Some(&artefacts(folder.path(), 1)), COMPONENT).expect("compiles");
    let mode = folder.path().join("compiled").metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}
