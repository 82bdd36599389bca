//! A login is given to the registry that it is for, from the environment or from Docker's file, and is never shown.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tests::registry::{Harm, LOGIN, Lock, READER, Registry};

use super::{author, said, said_with, server};

fn login((user, password): (&'static str, &'static str)) -> [(&'static str, &'static str); 2] {
    [("ESPALIER_REGISTRY_USER", user), ("ESPALIER_REGISTRY_PASSWORD", password)]
}

#[test]
fn a_locked_registry_is_opened_by_the_environment_or_by_dockers_file() {
    for lock in [Lock::Token, Lock::Basic] {
        let registry = Registry::start();
        registry.lock(lock);
        let (here, modules) = author();
        let to = format!("{}/seo/modules:7", registry.host());
        let anonymous = said(here.path(), &["publish", &modules, &to]).expect_err("locked");
        assert!(anonymous.contains("wants a login to write seo/modules"), "{anonymous}");
        assert!(anonymous.contains("ESPALIER_REGISTRY_USER") && anonymous.contains("docker login"), "{anonymous}");
        let wrong = said_with(here.path(), &["publish", &modules, &to], &login(("ada", "sesame"))).expect_err("wrong");
        assert!(wrong.contains("does not let this login write") && !wrong.contains("sesame"), "{wrong}");
        let reader = said_with(here.path(), &["publish", &modules, &to], &login(READER)).expect_err("a reader");
        assert!(reader.contains("does not let this login write") && !reader.contains(READER.1), "{reader}");
        assert_eq!(registry.uploads(), 0);
        let half = said_with(here.path(), &["publish", &modules, &to], &login(LOGIN)[..1]).expect_err("half");
        assert!(half.contains("ESPALIER_REGISTRY_PASSWORD is not; set both or none"), "{half}");

        let made = said_with(here.path(), &["publish", &modules, &to], &login(LOGIN)).expect("published");
        let pinned = made["reference"].as_str().expect("a reference");
        let (there, target) = server();
        let anonymous = said(there.path(), &["fetch", pinned, &target]).expect_err("locked");
        assert!(anonymous.contains("wants a login to read seo/modules"), "{anonymous}");
        let docker = there.path().join("docker");
        std::fs::create_dir(&docker).expect("a folder");
        let auth = STANDARD.encode(format!("{}:{}", READER.0, READER.1));
        let file = serde_json::json!({ "auths": { registry.host(): { "auth": auth } }, "credsStore": "" });
        std::fs::write(docker.join("config.json"), file.to_string()).expect("written");
        said(there.path(), &["fetch", pinned, &target]).expect("a reader may read");
    }
}

#[test]
fn a_store_elsewhere_is_followed_without_the_login_and_believed_by_digests_alone() {
    let (registry, store) = (Registry::start(), Registry::start());
    registry.lock(Lock::Token);
    let (here, modules) = author();
    let to = |registry: &Registry| format!("{}/seo/modules:7", registry.host());
    said(here.path(), &["publish", &modules, &to(&store)]).expect("published");
    let made = said_with(here.path(), &["publish", &modules, &to(&registry)], &login(LOGIN)).expect("published");
    let pinned = made["reference"].as_str().expect("a reference");
    registry.harm(Some(Harm::Elsewhere(format!("http://{}", store.host()))));
    let shown = store.shown();
    let (there, target) = server();
    said_with(there.path(), &["fetch", pinned, &target], &login(LOGIN)).expect("fetched");
    assert_eq!(store.shown(), shown, "the login went to the store");
    // A store that asks for a login has no say in where that goes.
    store.lock(Lock::Basic);
    let other = format!("{target}-2");
    let refused = said_with(there.path(), &["fetch", pinned, &other], &login(LOGIN)).expect_err("locked");
    assert!(refused.contains("does not let this login read"), "{refused}");
    assert_eq!(store.shown(), shown, "the login went to the store");
}

#[test]
fn a_login_is_not_given_to_an_office_in_the_clear() {
    let registry = Registry::start();
    registry.lock(Lock::Token);
    registry.harm(Some(Harm::Office("http://registry.example/token".to_owned())));
    let (here, modules) = author();
    let to = format!("{}/seo/modules:7", registry.host());
    let refused = said_with(here.path(), &["publish", &modules, &to], &login(LOGIN)).expect_err("in the clear");
    assert!(refused.contains("to registry.example over plain HTTP; it was not given"), "{refused}");
    let pinned = format!("{}/seo/modules@sha256:{}", registry.host(), "0".repeat(64));
    let (there, target) = server();
    let refused = said_with(there.path(), &["fetch", &pinned, &target], &login(LOGIN)).expect_err("in the clear");
    assert!(refused.contains("it was not given"), "{refused}");
    assert_eq!(registry.shown(), 0);
}
