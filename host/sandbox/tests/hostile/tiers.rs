//! A module that was never compiled here: it answers at once, and nothing but its speed changes when its optimised code is
//! there.

use std::path::Path;
use std::time::Duration;

use sandbox::{Artefacts, Compile, Config, Sandbox};

use crate::guest::{invocation, load_in};

fn behind(folder: &Path) -> Sandbox {
    let artefacts = Artefacts { folder: folder.to_path_buf(), key: [1; 32] };
    Sandbox::new(Config { concurrent: 2, artefacts: Some(artefacts), compile: Compile::Behind, ..Config::default() })
        .expect("a sandbox")
}

fn compiled(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

async fn until_compiled(sandbox: &Sandbox) {
    let ended = async {
        while sandbox.compiling() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), ended).await.expect("the compiler comes to its end");
}

#[tokio::test]
async fn a_module_without_compiled_code_answers_and_gets_its_optimised_code_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = behind(folder.path());
    let module = load_in(&sandbox, "answers");
    let before = sandbox.run(invocation(&module, "fine").await).await;
    until_compiled(&sandbox).await;
    assert_eq!(compiled(folder.path()), 1, "the next start has it");
    let after = sandbox.run(invocation(&module, "fine").await).await;
    let (before_fuel, after_fuel) = (before.receipt.fuel, after.receipt.fuel);
    let data = |run: sandbox::Run| run.outcome.expect("it answers").data;
    assert_eq!((data(before), before_fuel), (data(after), after_fuel));
}

#[tokio::test]
async fn a_module_with_compiled_code_waits_for_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = behind(folder.path());
    let _module = load_in(&first, "answers");
    until_compiled(&first).await;
    let second = behind(folder.path());
    let module = load_in(&second, "answers");
    assert_eq!(second.compiling(), 0);
    assert!(second.run(invocation(&module, "fine").await).await.outcome.is_ok());
}

#[tokio::test]
async fn a_limit_holds_on_either_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = behind(folder.path());
    let module = load_in(&sandbox, "greedy");
    let before = sandbox.run(invocation(&module, "memory").await).await;
    until_compiled(&sandbox).await;
    let after = sandbox.run(invocation(&module, "memory").await).await;
    let code = |run: &sandbox::Run| run.outcome.as_ref().map(|_| ()).map_err(sandbox::Stop::code);
    assert!(code(&before).is_err());
    assert_eq!(code(&before), code(&after));
}
