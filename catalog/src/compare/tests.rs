//! Tests of `compare`.

use model::contract::Kind;
use model::scope::Scope;

use super::{Digest, differences};
use crate::lock::Lock;
use crate::revision::Revision;
use crate::sample::{built, contract};

/// The differences of a changed build from the sample's lock, as text.
fn said(change: impl FnOnce(&mut crate::built::Built), digest: Digest) -> Vec<String> {
    let lock = Lock::parse("authors.toml", &Lock::of(&built(), None, |_| true).text()).expect("it can be read");
    let mut changed = built();
    change(&mut changed);
    differences(&changed, &lock, digest).iter().map(ToString::to_string).collect()
}

#[test]
fn what_was_locked_has_no_difference() {
    assert_eq!(said(|_| {}, Digest::Strict), Vec::<String>::new());
}

#[test]
fn a_lock_of_a_revision_is_named_with_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut revision = Revision::draft("2026-09-28");
    revision.locks.insert("authors".to_owned(), Lock::of(&built(), None, |_| true));
    revision.write(folder.path()).expect("written");
    let read = Revision::read(folder.path(), "2026-09-28").expect("it can be read");
    let mut other = built();
    other.component = "sha256:ffff".to_owned();
    let said = differences(&other, &read.locks["authors"], Digest::Strict)[0].to_string();
    assert!(said.starts_with("2026-09-28/authors.toml:4: component"), "{said}");
}

#[test]
fn other_bytes_are_a_difference_only_where_digests_are_strict() {
    let change = |built: &mut crate::built::Built| built.component = "sha256:ffff".to_owned();
    assert_eq!(said(change, Digest::Strict), ["authors.toml:4: component: locked sha256:0123, built sha256:ffff"]);
    assert!(said(change, Digest::Free).is_empty());
}

#[test]
fn a_changed_contract_names_every_line_that_changed() {
    let said = said(
        |built| {
            built.manifest.operations[0].scopes = [Scope::AssetsRead, Scope::SeoAnalyze].into_iter().collect();
            built.manifest.operations[0].arguments["properties"]["limit"]["maximum"] = 1_000.into();
        },
        Digest::Strict,
    );
    let starts = [
        "operations.\"authors.list\".scopes: locked assets:read, built assets:read seo:analyze",
        "operations.\"authors.list\".arguments: locked limit?: int[1..100] = 25, built limit?: int[1..1000] = 25",
        "operations.\"authors.list\".contract: locked sha256:",
    ];
    assert_eq!(said.len(), starts.len(), "{said:?}");
    for (said, start) in said.iter().zip(starts) {
        assert!(said.contains(start), "{said} does not say {start}");
    }
}

#[test]
fn grants_are_exactly_the_imports() {
    let more = said(|built| _ = built.imports.insert("web".to_owned()), Digest::Strict);
    assert_eq!(more, ["authors.toml:6: grants: the component imports web, which is not granted"]);
    let fewer = said(|built| _ = built.imports.remove("log"), Digest::Strict);
    assert_eq!(fewer, ["authors.toml:6: grants: log is granted and not imported; take it out"]);
}

#[test]
fn an_export_in_a_foreign_interface_is_refused() {
    let said = said(|built| _ = built.exports.others.insert("espalier:other/operations#x".to_owned()), Digest::Strict);
    assert_eq!(
        said,
        ["authors.toml:3: module: the component exports espalier:other/operations#x, which no module may"]
    );
}

#[test]
fn a_contract_of_another_module_or_given_twice_is_refused() {
    let said = said(
        |built| {
            let mut stranger = contract("list", Kind::Read, Scope::AssetsRead);
            stranger.id = "billing.list".to_owned();
            built.manifest.operations.push(stranger);
            built.manifest.operations.push(contract("list", Kind::Read, Scope::AssetsRead));
        },
        Digest::Strict,
    );
    let whole = said.join("\n");
    assert!(whole.contains("the contract billing.list belongs to another module"), "{whole}");
    assert!(whole.contains("the contracts name authors.list twice"), "{whole}");
}

#[test]
fn a_changed_index_is_a_difference() {
    let said = said(|built| built.manifest.collections[0].indexes.clear(), Digest::Strict);
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("collections.authors"), "{said:?}");
}

#[test]
fn may_remove_names_collections_that_exist() {
    let mut lock = Lock::of(&built(), None, |_| true);
    lock.may_remove.insert("ghosts".to_owned(), "none".to_owned());
    let said = differences(&built(), &lock, Digest::Strict);
    assert_eq!(said[0].to_string(), "authors.toml:1: may_remove.ghosts: the module has no collection ghosts");
}

/// The differences of a lock with these lines in an operation of this kind, as text.
fn outside(kind: Kind, lines: &[&str], change: impl FnOnce(&mut Lock)) -> Vec<String> {
    let mut built = built();
    built.manifest.operations[1].kind = kind;
    built.manifest.operations[1].needs = vec!["connection:wordpress?".to_owned()];
    built.manifest.operations[1].outside = lines.iter().map(|line| line.parse().expect("a line")).collect();
    let mut lock = Lock::of(&built, None, |_| true);
    change(&mut lock);
    let lock = Lock::parse("authors.toml", &lock.text()).expect("it can be read");
    differences(&built, &lock, Digest::Strict).iter().map(ToString::to_string).collect()
}

const ASKS: &str = "wordpress GET /wp-json/wp/v2/posts";
const CHANGES: &str = "wordpress POST /wp-json/wp/v2/posts change";
const REMOVES: &str = "wordpress DELETE /wp-json/wp/v2/posts/* remove";

#[test]
fn lines_to_the_outside_are_exactly_the_locked_ones() {
    assert_eq!(outside(Kind::Write, &[ASKS, CHANGES], |_| {}), Vec::<String>::new());
    let entry = |lock: &mut Lock, lines: &[&str]| {
        let entry = lock.operations.get_mut("authors.create").expect("it is there");
        entry.outside = lines.iter().map(|line| line.parse().expect("a line")).collect();
    };
    let more = outside(Kind::Write, &[ASKS, CHANGES], |lock| entry(lock, &[ASKS]));
    assert_eq!(more.len(), 1, "{more:?}");
    assert!(
        more[0].starts_with("authors.toml:") && more[0].ends_with(&format!("`{CHANGES}` was built and is not locked"))
    );
    let fewer = outside(Kind::Write, &[ASKS], |lock| entry(lock, &[ASKS, CHANGES]));
    assert_eq!(fewer.len(), 1, "{fewer:?}");
    assert!(fewer[0].ends_with(&format!("outside: `{CHANGES}` is locked and was not built")), "{fewer:?}");
}

#[test]
fn a_read_may_not_change_anything_outside_and_a_write_removes_only_with_a_reason() {
    let said = outside(Kind::Read, &[ASKS, CHANGES], |_| {});
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with(&format!("a read may not send `{CHANGES}`")), "{said:?}");
    let said = outside(Kind::Write, &[REMOVES], |_| {});
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with(&format!("a write sends `{REMOVES}` only if may_remove gives it a reason")), "{said:?}");
    let reason = |lock: &mut Lock, line: &str| {
        let entry = lock.operations.get_mut("authors.create").expect("it is there");
        entry.may_remove.insert(line.parse().expect("a line"), "a draft is nobody's work".to_owned());
    };
    assert!(outside(Kind::Write, &[REMOVES], |lock| reason(lock, REMOVES)).is_empty());
    assert!(outside(Kind::Destructive, &[REMOVES], |_| {}).is_empty());
    let said = outside(Kind::Write, &[CHANGES], |lock| reason(lock, REMOVES));
    assert!(said[0].ends_with(&format!("may_remove: `{REMOVES}` is no line of it that needs a reason")), "{said:?}");
}

#[test]
fn pages_are_narrowed_only_where_the_web_is_needed() {
    let said = outside(Kind::Read, &[], |lock| {
        lock.operations.get_mut("authors.create").expect("it is there").web = Some(crate::reach::Reach::default());
    });
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].ends_with("web: it does not need web; take it out"), "{said:?}");
}

#[test]
fn a_line_is_about_a_kind_that_exists_and_that_the_operation_needs() {
    let said = outside(Kind::Write, &["drupal GET /jsonapi"], |_| {});
    assert!(said[0].ends_with("`drupal GET /jsonapi`: there is no such kind in catalog/connections.toml"), "{said:?}");
    let said = outside(Kind::Write, &["llm POST /chat/completions query"], |_| {});
    assert!(said[0].ends_with("it does not need connection:llm"), "{said:?}");
}
