//! Authors need neither Rust nor our SDK: a module in JavaScript is built by its own toolchain, sealed, locked with the
//! grant `wasi-inert`, and served like any other. `tests/tongues` has it.

use std::path::Path;
use std::time::Duration;

use catalog::lock::Lock;
use model::clock::{Clock as _, SystemClock};
use sandbox::{Config, Sandbox};
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::customer::fresh_key;
use tests::host::{Host, operate};
use tests::tongue;

const DAY: Duration = Duration::from_secs(86_400);

/// A host that serves one of these modules, and the folder it is shipped in.
async fn serving(name: &'static str, built: &'static Path) -> (Host, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_path_buf();
    let component = built.join(format!("{name}.wasm"));
    let sources = tokio::task::spawn_blocking(move || tongue::ship(name, &component, &path, |_| ()));
    let sources = sources.await.expect("shipped");
    (Host::start_with(|options| options.serve(sources)).await, folder)
}

async fn built() -> Option<&'static Path> {
    tokio::task::spawn_blocking(tongue::built).await.expect("built or missing")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_in_javascript_answers_at_both_doors_and_what_it_writes_is_kept_once() {
    let Some(built) = built().await else { return };
    let (host, _folder) = serving("slugs", built).await;
    let ada = host.customer("assets:read assets:write").await;
    let (title, url) = ("Crème brûlée: 7 Größen für Łódź!", "https://shop.example/recipes/17");
    let asked = ada.read("slugs.analyze", json!({ "title": title })).await;
    assert_eq!(asked.data(), json!({ "slug": "creme-brulee-7-grossen-fur-lodz", "taken": false }));
    assert_eq!(asked.json()["meta"]["usage"]["points"], 1, "{}", asked.json());
    let german = ada.read("slugs.analyze", json!({ "title": title, "language": "de" })).await.data();
    assert_eq!(german["slug"], "creme-brulee-7-groessen-fuer-lodz");

    let (key, page) = (fresh_key(), json!({ "title": title, "url": url }));
    let kept = ada.run_as("slugs.create", page.clone(), &key).await;
    assert_eq!((&kept.data()["slug"], &kept.data()["url"]), (&json!("creme-brulee-7-grossen-fur-lodz"), &json!(url)));
    let again = ada.run_as("slugs.create", page.clone(), &key).await;
    assert_eq!((again.bytes, &again.headers["idempotent-replayed"]), (kept.bytes, &"true".parse().expect("a value")));
    let other = json!({ "title": "Another", "url": url });
    assert_eq!(ada.run_as("slugs.create", other, &key).await.refusal(), (409, "idempotency_key_conflict".to_owned()));

    let call = json!({ "operation_id": "slugs.analyze", "arguments": { "title": title } });
    let taken = ada.tool("service_action_execute", call).await.data();
    assert_eq!((&taken["taken"], &taken["taken_by"]), (&json!(true), &json!(url)), "{taken}");
    let free = taken["free"].as_str().expect("another slug");
    assert!(free.starts_with("creme-brulee-7-grossen-fur-lodz-") && free.len() == 36, "{free}");

    let bob = host.customer("assets:read").await;
    assert_eq!(bob.read("slugs.analyze", json!({ "title": title })).await.data()["taken"], false);
    assert_eq!(bob.run("slugs.create", page).await.refusal(), (403, "insufficient_scope".to_owned()));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_module_in_javascript_refuses_names_the_argument_and_leaves_nothing() {
    let Some(built) = built().await else { return };
    let (host, _folder) = serving("slugs", built).await;
    let ada = host.customer("assets:read assets:write").await;
    let url = "https://shop.example/1";
    // By the contract, before the guest runs.
    let missing = ada.run("slugs.create", json!({ "url": url })).await;
    assert_eq!((missing.refusal(), missing.pointer()), ((422, "invalid_arguments".to_owned()), "/title".to_owned()));
    let unknown = ada.read("slugs.analyze", json!({ "titel": "A" })).await;
    assert_eq!(unknown.refusal(), (422, "invalid_arguments".to_owned()));
    // By the guest itself.
    let greek = ada.run("slugs.create", json!({ "title": "Ελλάδα", "url": url })).await;
    assert_eq!((greek.refusal(), greek.pointer()), ((422, "no_slug".to_owned()), "/title".to_owned()));
    ada.run("slugs.create", json!({ "title": "A shop", "url": url })).await.data();
    let second = json!({ "title": "A  Shop!", "url": "https://shop.example/2" });
    let taken = ada.run("slugs.create", second).await;
    assert_eq!((taken.refusal(), taken.pointer()), ((409, "slug_taken".to_owned()), "/title".to_owned()));
    let kept = ada.read("slugs.analyze", json!({ "title": "a shop" })).await.data();
    assert_eq!(kept["taken_by"], url, "the first page has it still: {kept}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_toolchains_own_system_interface_knows_the_hosts_moment_and_nothing_of_the_machine() {
    let Some(built) = built().await else { return };
    let (host, _folder) = serving("look", built).await;
    host.clock.advance(DAY);
    let ada = host.customer("assets:read").await;
    let seen = ada.read("look.get", json!({})).await.data();
    let nothing = json!({ "variables": 0, "parameters": 0, "folders": 0, "globals": [], "waited": 0 });
    for (name, expected) in nothing.as_object().expect("an object") {
        assert_eq!(&seen[name], expected, "{name}: {seen}");
    }
    // The moment is the host's, a day ahead of the machine's.
    let ahead = seen["now"].as_i64().expect("milliseconds") - SystemClock.now().0;
    assert!(ahead.abs_diff(86_400_000) < 60_000, "{seen}");
    let other = ada.read("look.get", json!({})).await.data();
    assert_ne!(seen["chance"], other["chance"], "each call has chance of its own");
}

#[test]
fn without_the_grant_in_its_lock_it_does_not_load() {
    let Some(built) = tongue::built() else { return };
    let sandbox = Sandbox::new(Config { concurrent: 1, ..Config::default() }).expect("a sandbox");
    let load = |decide: fn(&mut Lock)| {
        let folder = tempfile::tempdir().expect("a folder");
        let sources = tongue::ship("slugs", &built.join("slugs.wasm"), folder.path(), decide);
        let revision = sources.revision(None).expect("a revision");
        sources.load(&sandbox, &revision).map(drop).map_err(|error| format!("{error:#}"))
    };
    assert_eq!(load(|_| ()), Ok(()));
    let ungranted = load(|lock| lock.grants.retain(|grant| grant != "wasi-inert")).expect_err("refused");
    assert!(ungranted.contains("the component imports wasi-inert, which is not granted"), "{ungranted}");
}

#[test]
fn a_component_of_another_toolchain_is_sealed_checked_and_tried_as_its_readme_says() {
    let Some(built) = tongue::built() else { return };
    let (raw, contracts) = (built.join("slugs.raw.wasm"), tongue::sources("slugs").join("contracts.json"));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("slugs.wasm");
    let to = ["--out", out.to_str().expect("UTF-8")];
    // What the toolchain left behind would be a function without a contract.
    let left = tongue::seal(&raw, &contracts, &to).expect_err("refused");
    assert!(left.contains("the component exports #init") && left.contains("`--without FUNCTION`"), "{left}");
    // Contracts that are not those of the component's functions.
    let mut fewer: Value = serde_json::from_slice(&std::fs::read(&contracts).expect("there")).expect("JSON");
    fewer["operations"].as_array_mut().expect("a list").pop();
    let short = folder.path().join("fewer.json");
    std::fs::write(&short, fewer.to_string()).expect("written");
    let bare = tongue::seal(&raw, &short, &[&["--without", "init"], &to[..]].concat()).expect_err("refused");
    assert!(bare.contains("the component exports create without a contract"), "{bare}");
    assert!(!out.exists(), "what no host loads is not written");

    tongue::seal(&raw, &contracts, &[&["--without", "init"], &to[..]].concat()).expect("sealed");
    let module = |arguments: &[&str]| {
        let output = operate(folder.path(), &[&["module"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), serde_json::from_slice::<Value>(&output.stdout).unwrap_or_default(), said)
    };
    let (held, shown, said) = module(&["check", to[1]]);
    assert!(held && shown[0]["module"] == "slugs" && shown[0]["to_mend"] == json!([]), "{said} {shown}");
    let (held, shown, said) = module(&["test", to[1]]);
    let rows = shown.as_array().expect("rows");
    assert!(held && rows.len() == 3 && rows.iter().all(|row| row["ok"] == true), "{said} {shown}");
    let args = r#"{ "title": "Hello", "url": "https://shop.example/1" }"#;
    let (ran, shown, said) = module(&["run", "slugs.create", to[1], "--args", args]);
    assert!(ran && shown["effects"] == json!({ "written slugs.slugs": 1 }), "{said} {shown}");
    // An engine with a collector of its own is as repeatable as anything else here.
    let spent = || {
        let (_, shown, said) = module(&["run", "slugs.analyze", to[1], "--args", r#"{ "title": "Hello" }"#]);
        assert!(shown["fuel"].as_u64() > Some(10_000), "{said}");
        (shown["fuel"].clone(), shown["peak_memory"].clone())
    };
    assert_eq!(spent(), spent());
}
