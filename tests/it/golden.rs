//! The public contract as a file, so that a reviewer sees each change of it as a difference.
//!
//! When a change is meant, run this test once with `ESPALIER_UPDATE_GOLDEN=1` and commit what it wrote.

use std::path::Path;

use serde_json::Value;
use tests::host::Host;

#[tokio::test(flavor = "multi_thread")]
async fn the_openapi_document_is_the_one_that_was_reviewed() {
    let host = Host::start().await;
    let served = reqwest::get(format!("{}/openapi.json", host.rest)).await.expect("an answer");
    let mut served: Value = served.json().await.expect("JSON");
    // Where it is served is no part of the contract.
    served["servers"][0]["url"] = Value::from("{base_url}");
    let text =
        serde_json::to_string_pretty(&served).expect("written").replace(host.rest.trim_end_matches("/v1"), "{origin}")
            + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/openapi.json");
    if update() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, &text).expect("written");
    }
    let reviewed = std::fs::read_to_string(&file).expect("the reviewed document");
    let changed = reviewed.lines().zip(text.lines()).position(|(reviewed, served)| reviewed != served);
    assert!(
        reviewed == text,
        "the document differs from tests/golden/openapi.json, first in line {:?}; if that is meant, see this test",
        changed.map(|line| line + 1)
    );
}

#[expect(clippy::disallowed_methods, reason = "whether a difference is meant is said by the person who runs this")]
fn update() -> bool {
    std::env::var("ESPALIER_UPDATE_GOLDEN").is_ok()
}
