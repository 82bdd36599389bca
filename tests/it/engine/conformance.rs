//! The official clients come in by themselves: both eras, Python and TypeScript.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tests::host::Host;
use tests::needs;

const NINE: [&str; 9] = [
    "service_account_snapshot",
    "service_action_execute",
    "service_capabilities_search",
    "service_capability_get",
    "service_feedback_submit",
    "service_mcp_usage_get",
    "service_seo_opportunities_analyze",
    "service_website_get",
    "service_websites_list",
];

#[expect(clippy::disallowed_methods, reason = "where the clients are is the machine's business")]
fn setting(name: &str) -> Option<PathBuf> {
    std::env::var(name).ok().map(PathBuf::from)
}

async fn both_eras(command: impl Fn(&str, &str) -> Command + Send + Sync + 'static) {
    let host = Host::start().await;
    host.add_customer("ada@example.com", "correct horse battery", 200).await;
    let mcp = host.mcp.clone();
    tokio::task::spawn_blocking(move || {
        for era in ["legacy", "auto"] {
            let output = command(&mcp, era).output().expect("the client starts");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{era}: {said}{}", String::from_utf8_lossy(&output.stderr));
            let line: Value = serde_json::from_str(said.lines().last().unwrap_or_default()).expect("a line of JSON");
            let mut tools: Vec<&str> =
                line["tools"].as_array().expect("tools").iter().filter_map(Value::as_str).collect();
            tools.sort_unstable();
            assert_eq!(tools, NINE, "{era}");
            assert_eq!(line["account_ok"], true, "{line}");
            assert_eq!(line["first_found"], "authors.create", "{line}");
        }
    })
    .await
    .expect("the clients ran");
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(name)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_signs_in_and_calls_in_both_eras() {
    let Some(python) = setting("ESPALIER_PYTHON") else {
        return needs::skip(
            "the Python client",
            "pip install mcp==2.3.0 and set ESPALIER_PYTHON, as tests/conformance/README.md says",
        );
    };
    both_eras(move |mcp, era| {
        let mut command = Command::new(&python);
        command.arg(script("python_client.py")).args([mcp, era, "ada@example.com", "correct horse battery"]);
        command
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_client_signs_in_and_calls_in_both_eras() {
    let Some(modules) = setting("ESPALIER_NODE_MODULES") else {
        return needs::skip(
            "the TypeScript client",
            "npm install @modelcontextprotocol/client@2.4.0 and set ESPALIER_NODE_MODULES, as tests/conformance/README.md says",
        );
    };
    // Node looks for packages beside the script, so a copy of it goes where the package is.
    for name in ["person.mjs", "typescript_client.mjs"] {
        std::fs::copy(script(name), modules.join(name)).expect("the script can be copied");
    }
    let copy = modules.join("typescript_client.mjs");
    both_eras(move |mcp, era| {
        let mut command = Command::new("node");
        command.arg(&copy).args([mcp, era, "ada@example.com", "correct horse battery"]);
        command
    })
    .await;
}
