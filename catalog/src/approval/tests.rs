//! Tests of `approval`.

use super::Approval;
use crate::lock::Lock;
use crate::revision::Revision;
use crate::sample::built;
use crate::trust::{Power, Signer, SigningKey, Trust};

fn revision(date: &str, component: &str) -> Revision {
    let mut revision = Revision::draft(date);
    let mut lock = Lock::of(&built(), None, |_| true);
    lock.component = component.to_owned();
    revision.locks.insert("authors".to_owned(), lock);
    revision
}

fn reviewer() -> (SigningKey, Trust) {
    let (secret, key) = SigningKey::make(None).expect("a key");
    let signs = vec![Power::Approvals, Power::Revisions];
    let trust = Trust::new(vec![Signer { name: "ada".to_owned(), key, signs, modules: Vec::new() }]);
    (SigningKey::read(&secret, None).expect("the same key"), trust.expect("a signer"))
}

#[test]
fn an_approval_is_of_one_step_and_of_exactly_these_locks() {
    let folder = tempfile::tempdir().expect("a folder");
    let (key, trust) = reviewer();
    let (old, new) = (revision("2026-08-15", "sha256:01"), revision("2026-09-28", "sha256:02"));
    for revision in [&old, &new] {
        revision.write(folder.path()).expect("written");
    }
    let refused = super::of_step(folder.path(), Some(&old), &new, &trust).expect_err("nobody has").to_string();
    assert!(refused.contains("nobody has approved revision 2026-09-28"), "{refused}");
    Approval::of(None, &new).expect("compared").write(folder.path(), &key).expect("written");
    let refused = super::of_step(folder.path(), Some(&old), &new, &trust).expect_err("another step").to_string();
    let digest = Approval::of(Some(&old), &new).expect("compared").report;
    assert!(
        refused.contains(&format!("`espalier catalog approve 2026-08-15 2026-09-28 --report {digest}")),
        "{refused}"
    );
    Approval::of(Some(&old), &new).expect("compared").write(folder.path(), &key).expect("written");
    let signed = super::of_step(folder.path(), Some(&old), &new, &trust).expect("approved");
    assert_eq!(signed.signer, "ada");
    // One byte of one component later it is another revision of the same date.
    let other = revision("2026-09-28", "sha256:03");
    let refused = super::of(folder.path(), &other, &trust).expect_err("other locks").to_string();
    assert!(refused.contains("it is of other locks"), "{refused}");
    assert!(refused.contains("approve OLD 2026-09-28 --report DIGEST --key KEY"), "{refused}");
    assert!(refused.contains("\n2026-09-28/approvals/"), "an approval is named with its revision: {refused}");
}

#[test]
fn an_approval_that_was_edited_or_comes_from_nobody_does_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let (key, trust) = reviewer();
    let (stranger, _) = reviewer();
    let new = revision("2026-09-28", "sha256:02");
    new.write(folder.path()).expect("written");
    let file = Approval::of(None, &new).expect("compared").write(folder.path(), &stranger).expect("written");
    let refused = super::of(folder.path(), &new, &trust).expect_err("nobody knows who").to_string();
    assert!(refused.contains("which no [[signer]]"), "{refused}");
    key.sign_file(&file).expect("signed");
    assert_eq!(super::of(folder.path(), &new, &trust).expect("approved").len(), 1);
    let text = std::fs::read_to_string(&file).expect("there").replace("module_added", "words_changed");
    std::fs::write(&file, text).expect("written");
    let refused = super::of(folder.path(), &new, &trust).expect_err("edited").to_string();
    assert!(refused.contains("it was changed after ada signed it"), "{refused}");
}

#[test]
fn a_revision_counts_only_as_it_was_signed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (key, trust) = reviewer();
    let new = revision("2026-09-28", "sha256:02");
    new.write(folder.path()).expect("written");
    assert!(new.signed(folder.path(), &trust).is_err());
    key.sign_file(&new.file(folder.path())).expect("signed");
    assert_eq!(new.signed(folder.path(), &trust).expect("signed"), "ada");
    let other = revision("2026-09-28", "sha256:03");
    assert!(other.signed(folder.path(), &trust).is_err(), "the file is as it was; what was read is not");
}
