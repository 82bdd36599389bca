//! A new revision of the catalog: it begins as the newest one stands, is locked alone, and serves under its own date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use catalog::revision::{Revision, Status};
use espalier::catalogs::Sources;
use espalier::catalogs::drafts::{Which, cut, lock};
use espalier::modules::Profile;
use model::token::hex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tests::host::{Host, modules, operate, operate_as, shipped};

const DATE: &str = "2027-01-15";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// What this workspace builds, with a copy of its catalog.
fn sources(catalog: &Path) -> Sources {
    let mut sources = Sources::workspace(&workspace(), Profile::Test).expect("the modules build");
    for date in Revision::dates(&sources.catalog).expect("revisions") {
        Revision::read(&sources.catalog, &date).expect("a revision").write(catalog).expect("a copy");
    }
    sources.catalog = catalog.to_path_buf();
    sources
}

/// The hash over all locks of each revision, by date.
fn standing(catalog: &Path) -> BTreeMap<String, String> {
    let dates = Revision::dates(catalog).expect("revisions");
    let hash = |date: &String| Revision::read(catalog, date).expect("whole").hash();
    dates.iter().map(|date| (date.clone(), hash(date))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_that_was_cut_is_locked_alone_and_serves_under_its_own_date() {
    let folder = tempfile::tempdir().expect("a folder");
    let catalog = folder.path().to_path_buf();
    let made = tokio::task::spawn_blocking(move || {
        let sources = sources(&catalog);
        let before = standing(&catalog);
        let begun = cut(&catalog, DATE).expect("it begins");
        assert_eq!((Some(&begun.hash()), begun.status), (before.values().last(), Status::Draft));
        let locked = lock(&sources, Which::Newest).expect("it is locked");
        assert_eq!(locked.iter().map(|it| it.date.as_str()).collect::<Vec<_>>(), [DATE]);
        for built in &sources.built {
            let bytes = std::fs::read(&built.path).expect("a component");
            assert_eq!(locked[0].locks[&built.name].component, format!("sha256:{}", hex(&Sha256::digest(bytes))));
        }
        let mut after = standing(&catalog);
        assert_eq!(after.remove(DATE), Some(locked[0].hash()));
        assert_eq!(after, before, "the older ones stay as they were");
        sources
    });
    let sources = made.await.expect("locked");
    let host = Host::start_with(|options| options.serve(sources)).await;
    let ada = host.customer("account:read").await;
    let answer = ada.read("account.setup.get", json!({})).await;
    assert_eq!(answer.json()["meta"]["api_version"], DATE, "{}", answer.json());
}

#[test]
fn a_revision_is_cut_after_the_newest_by_a_day_and_a_final_one_is_never_locked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = sources(folder.path());
    let mut first = cut(folder.path(), DATE).expect("it begins");
    for (date, why) in [
        (DATE, "is not later than 2027-01-15"),
        ("2026-09-28", "is not later than"),
        ("2027-13-01", "is no date"),
        ("2027-1-15", "is no date"),
        ("../../etc0", "is no date"),
        ("2027-02-1ä", "is no date"),
    ] {
        let said = cut(folder.path(), date).expect_err(date).to_string();
        assert!(said.contains(why), "{date}: {said}");
    }
    let said = lock(&sources, Which::Of("2027-02-01")).expect_err("unknown").to_string();
    assert!(said.contains("`espalier catalog cut 2027-02-01` begins it"), "{said}");
    first.status = Status::Final;
    first.write(folder.path()).expect("written");
    for which in [Which::Of(DATE), Which::Newest] {
        let said = lock(&sources, which).expect_err("final").to_string();
        assert!(said.contains("2027-01-15 is final, left as it is; `espalier catalog cut DATE`"), "{said}");
    }
    let all = lock(&sources, Which::All).expect("the drafts are locked");
    assert_eq!(all.iter().filter(|it| it.status == Status::Draft).count(), 2);
    assert_eq!(standing(folder.path()).get(DATE), Some(&first.hash()));
}

#[test]
fn what_a_revision_has_is_listed_from_the_components_that_are_there_and_a_wrong_date_is_told_first() {
    let (data, elsewhere) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    modules();
    let unknown = operate(data.path(), &["catalog", "list", "--revision", "2020-02-02"]);
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(!unknown.status.success() && said.contains("there is no revision 2020-02-02; there are"), "{said}");
    let shipped = shipped(elsewhere.path());
    let list = ["catalog", "list", "--revision", "2026-09-28"];
    let rows = |output: &Output| -> Vec<Value> { serde_json::from_slice(&output.stdout).expect("rows") };
    let here = operate(data.path(), &list);
    let said = String::from_utf8_lossy(&here.stderr).into_owned();
    assert!(!said.contains("building"), "they are built: {said}");
    let there = operate_as(data.path(), &list, &[("ESPALIER_MODULES", shipped.to_str().expect("UTF-8"))]);
    assert!(there.status.success(), "{}", String::from_utf8_lossy(&there.stderr));
    assert_eq!(rows(&here), rows(&there));
    assert!(rows(&here).iter().any(|row| row["id"] == "authors.list" && row["summary"].is_string()));
    std::fs::remove_file(shipped.join("authors.wasm")).expect("removed");
    let broken = operate_as(data.path(), &list, &[("ESPALIER_MODULES", shipped.to_str().expect("UTF-8"))]);
    let said = String::from_utf8_lossy(&broken.stderr).into_owned();
    assert!(!broken.status.success() && said.contains("revision 2026-09-28 is not whole in"), "{said}");
}
