//! What was signed and approved goes by an OCI registry to a server, which puts it in place when it can believe it.

mod logins;
mod real;
mod refusals;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use tests::host::{Process, operate_as, shipped};
use tests::registry::Registry;
use tests::signed;

/// What a command prints, or what it says when it fails, with these in its environment and no login but those.
fn said_with(data: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Result<Value, String> {
    let docker = data.join("docker");
    let mut all = vec![("DOCKER_CONFIG", text(&docker))];
    all.extend(environment.iter().map(|(name, value)| (*name, (*value).to_owned())));
    let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let output = operate_as(data, arguments, &all);
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout).expect("JSON"));
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn said(data: &Path, arguments: &[&str]) -> Result<Value, String> {
    said_with(data, arguments, &[])
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

/// A data folder of somebody who ships, and what is shipped.
fn author() -> (TempDir, String) {
    let data = tempfile::tempdir().expect("a folder");
    let modules = text(&shipped(data.path()));
    (data, modules)
}

/// A data folder of a server that believes the tests' signer, and where the modules are to be.
fn server() -> (TempDir, String) {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("espalier.toml"), signed::signer()).expect("written");
    let modules = text(&data.path().join("modules"));
    (data, modules)
}

/// Publishes under this tag, and gives the reference to fetch.
fn published(data: &Path, what: &str, registry: &Registry, tag: &str) -> String {
    let reference = format!("{}/seo/modules:{tag}", registry.host());
    let made = said(data, &["publish", what, &reference]).expect("published");
    made["reference"].as_str().expect("a reference").to_owned()
}

/// Every file below a folder, by its path there.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let within = text(path.strip_prefix(folder).expect("within"));
                files.insert(within, std::fs::read(&path).expect("read"));
            }
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shipped_folder_is_the_same_bytes_when_it_is_fetched_and_a_host_serves_it() {
    let registry = Registry::start();
    let (here, modules) = author();
    std::fs::write(Path::new(&modules).join("builder.key"), "secret").expect("written");
    let reference = format!("{}/seo/modules:7", registry.host());
    let made = said(here.path(), &["publish", &modules, &reference]).expect("published");
    let digest = made["digest"].as_str().expect("a digest");
    let pinned = format!("{}/seo/modules@{digest}", registry.host());
    assert_eq!((&made["reference"], &made["left_out"]), (&pinned.as_str().into(), &serde_json::json!(["builder.key"])));
    std::fs::remove_file(Path::new(&modules).join("builder.key")).expect("removed");

    let sent = registry.uploads();
    assert_eq!(published(here.path(), &modules, &registry, "8"), pinned, "the same files have the same digest");
    assert_eq!(registry.uploads(), sent, "what is there is not sent again");

    // Compiled components of other tests are there, so that the host below starts at once.
    let (there, target) = author();
    std::fs::remove_dir_all(&target).expect("removed");
    let fetched = said(there.path(), &["fetch", &pinned, &target]).expect("fetched");
    assert_eq!(fetched["revisions"][1]["signed_by"], "tests");
    assert_eq!(fetched["revisions"][1]["approved_by"], serde_json::json!(["tests"]));
    assert_eq!(tree(Path::new(&target)), tree(Path::new(&modules)));
    let process = Process::start(there.path(), &[]).await;
    let customer = process.customer("ada@example.com", 500, "account:read").await;
    assert_eq!(customer.get("/account").await.status, 200);
}

#[test]
fn a_tag_alone_is_refused_with_the_digest_that_it_has_just_now() {
    let registry = Registry::start();
    let (here, modules) = author();
    let pinned = published(here.path(), &modules, &registry, "7");
    let (there, target) = server();
    let tagged = format!("{}/seo/modules:7", registry.host());
    let refused = said(there.path(), &["fetch", &tagged, &target]).expect_err("a tag");
    assert!(refused.contains("only a digest is fetched"), "{refused}");
    assert!(refused.contains(&format!("run `espalier fetch {pinned} {target}`")), "{refused}");
    let unknown = said(there.path(), &["fetch", &format!("{tagged}0"), &target]).expect_err("no such tag");
    assert!(unknown.contains("has no seo/modules:70"), "{unknown}");
    assert!(!Path::new(&target).exists());
    // A tag beside the digest is a note for people.
    let digest = pinned.split('@').next_back().expect("a digest");
    said(there.path(), &["fetch", &format!("{tagged}0@{digest}"), &target]).expect("by its digest");
}

#[test]
fn a_folder_that_is_there_is_put_aside_only_by_a_clear_word_and_only_for_what_is_believed() {
    let registry = Registry::start();
    let (here, modules) = author();
    let pinned = published(here.path(), &modules, &registry, "7");
    let (there, target) = server();
    std::fs::create_dir(&target).expect("a folder");
    let note = Path::new(&target).join("note");
    std::fs::write(&note, "mine").expect("written");
    let refused = said(there.path(), &["fetch", &pinned, &target]).expect_err("it is there");
    assert!(refused.contains("is there already; --replace puts it aside"), "{refused}");
    registry.harm(Some(tests::registry::Harm::OtherBytes));
    said(there.path(), &["fetch", "--replace", &pinned, &target]).expect_err("other bytes");
    assert_eq!(std::fs::read_to_string(&note).expect("there"), "mine");
    registry.harm(None);
    let fetched = said(there.path(), &["fetch", "--replace", &pinned, &target]).expect("put aside");
    let former = Path::new(fetched["before"].as_str().expect("a folder"));
    assert_eq!(std::fs::read_to_string(former.join("note")).expect("there"), "mine");
    assert!(!note.exists() && Path::new(&target).join("authors.wasm").is_file());
}

#[test]
fn one_component_is_an_artifact_that_other_tools_know_and_comes_back_with_its_signature() {
    let registry = Registry::start();
    let (here, modules) = author();
    let component = Path::new(&modules).join("authors.wasm");
    let pinned = published(here.path(), &text(&component), &registry, "authors-1");
    let manifest = registry.manifest(pinned.split('@').next_back().expect("a digest"));
    assert_eq!(manifest["config"]["mediaType"], "application/vnd.wasm.config.v0+json");
    assert_eq!(manifest["layers"].as_array().map(Vec::len), Some(1));
    assert_eq!(manifest["layers"][0]["mediaType"], "application/wasm");
    let config = registry.blob(manifest["config"]["digest"].as_str().expect("a digest"));
    let config: Value = serde_json::from_slice(&config).expect("JSON");
    assert_eq!(config["layerDigests"][0], manifest["layers"][0]["digest"]);
    assert_eq!((&config["architecture"], &config["os"]), (&"wasm".into(), &"wasip2".into()));
    assert!(config["component"]["exports"].as_array().is_some_and(|it| !it.is_empty()), "{config}");

    let (there, _) = server();
    let target = text(&there.path().join("authors"));
    said(there.path(), &["fetch", &pinned, &target]).expect("fetched");
    let (got, all) = (tree(Path::new(&target)), tree(Path::new(&modules)));
    assert_eq!(got.keys().collect::<Vec<_>>(), ["authors.wasm", "authors.wasm.minisig"]);
    assert!(got.iter().all(|(name, bytes)| all[name] == *bytes));

    let mut unsigned = manifest.clone();
    unsigned.as_object_mut().expect("an object").remove("annotations");
    let digest = registry.put_manifest(&unsigned);
    let other = text(&there.path().join("other"));
    let reference = format!("{}/seo/modules@{digest}", registry.host());
    let refused = said(there.path(), &["fetch", &reference, &other]).expect_err("unsigned");
    assert!(refused.contains("authors.wasm: there is no signature") && !Path::new(&other).exists(), "{refused}");
}
