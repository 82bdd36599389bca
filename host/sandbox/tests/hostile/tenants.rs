//! Nothing of one run is there in the next, and nothing of the machine is there in any.

use sandbox::{Config, Sandbox};

use crate::guest::{component, invocation, load, lock, manifest, run, text};

#[tokio::test]
async fn the_next_tenant_of_a_slot_finds_nothing_of_the_former_one() {
    // One place only, so that both runs have the same slot of the pool.
    let sandbox = Sandbox::new(Config { concurrent: 1, ..Config::default() }).expect("a sandbox");
    let text = text("tenants");
    let component = component(text, &manifest(text));
    let module = sandbox.load(&component, &lock(&component), Default::default()).expect("the guest loads");
    for _ in 0..5 {
        let planted = sandbox.run(invocation(&module, "plant").await).await;
        assert!(planted.outcome.is_ok(), "{:?}", planted.outcome);
        let looked = sandbox.run(invocation(&module, "look").await).await;
        assert_eq!(looked.outcome.expect("the guest answers").data, r#"{"found":false}"#);
    }
}

#[tokio::test]
async fn the_guest_that_looks_would_find_the_mark() {
    // The look itself is proved: in one and the same run the mark is there. Planting answers `{}` only after
    // the fill, and peak memory says that the pages were had.
    let module = load("tenants");
    let planted = crate::guest::sandbox().run(invocation(&module, "plant").await).await;
    assert!(planted.receipt.peak_memory > 2_600_000);
}

#[tokio::test]
async fn a_component_of_another_toolchain_learns_nothing_of_the_machine() {
    let first = run("inert", "look", |_| {}).await;
    assert_eq!(first.outcome.expect("the guest answers").data, r#"{"learnt":false}"#);
    let second = run("inert", "look", |_| {}).await;
    assert_eq!(first.receipt.fuel, second.receipt.fuel);
}

#[test]
fn an_inert_wasi_is_a_grant_like_any_other_and_sockets_are_none() {
    let load = |name: &str, grant: Option<&str>| {
        let text = text(name);
        let component = component(text, &manifest(text));
        let mut lock = lock(&component);
        if let Some(grant) = grant {
            lock.grants = [grant.to_owned()].into();
        }
        crate::guest::sandbox().load(&component, &lock, Default::default()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(load("inert", None), Ok(()));
    let ungranted = load("inert", Some("log")).expect_err("refused");
    assert!(ungranted.contains("the component imports wasi-inert, which is not granted"), "{ungranted}");
    // Even where the lock names it.
    let sockets = load("sockets", None).expect_err("refused");
    assert!(
        sockets.contains("the component imports wasi:sockets/instance-network@0.2.0, which no lock can grant"),
        "{sockets}"
    );
}
