//! What a customer entrusts to the vault is in no log, no column, no backup and no answer, in no form: an account at
//! every kind of provider is entered, tested, replaced and removed through both doors, and then everything that was
//! written or said is looked through. The memory of guests is searched in the sandbox's own tests of hostile guests.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use simulators::{Fault, Seed, Simulator, World};
use tests::customer::{Customer, fresh_key};
use tests::host::operate;
use tests::process::Launch;
use tests::remains;

/// Fields that say who somebody is, not a secret.
const PUBLIC: [&str; 3] = ["username", "login", "client_id"];

/// A customer through both doors, and all that was said to them.
struct Listener {
    ada: Customer,
    said: Vec<u8>,
}

impl Listener {
    async fn rest(&mut self, operation: &str, arguments: Value) -> Value {
        let answer = self.ada.run(operation, arguments).await;
        self.said.extend(format!("{:?}", answer.headers).into_bytes());
        self.said.extend(&answer.bytes);
        answer.json()
    }

    async fn mcp(&mut self, operation: &str, arguments: Value) -> Value {
        let call = json!({ "operation_id": operation, "arguments": arguments, "idempotency_key": fresh_key() });
        let reply = self.ada.tool("service_action_execute", call).await;
        self.said.extend(format!("{:?}{}", reply.headers, reply.body).into_bytes());
        reply.body
    }
}

/// Every kind whose credential is entered, with its provider and what the provider takes.
fn accounts(world: &World) -> Vec<(&'static str, &Simulator, Value)> {
    let whole = |kind, provider: &'static str, simulator| (kind, provider, simulator);
    [
        whole("wordpress", "", &world.wordpress),
        whole("pagespeed", "api_key", &world.google),
        whole("bing_webmaster", "api_key", &world.bing_webmaster),
        whole("dataforseo", "", &world.dataforseo),
        whole("llm", "", &world.llm),
        whole("jmap", "", &world.jmap),
        whole("cloudflare", "", &world.cloudflare),
        whole("powerdns", "", &world.powerdns),
        whole("name_com", "", &world.name_com),
        whole("porkbun", "", &world.porkbun),
        whole("fulfilment", "", &world.fulfilment),
    ]
    .into_iter()
    .map(|(kind, only, simulator)| {
        let all = simulator.credentials();
        let taken = if only.is_empty() { all } else { json!({ only: all[only] }) };
        (kind, simulator, taken)
    })
    .collect()
}

/// The same fields with secrets that no provider knows.
fn wrong(kind: &str, credentials: &Value) -> Value {
    let fields = credentials.as_object().expect("fields").iter();
    fields
        .map(|(name, value)| {
            let canary = if PUBLIC.contains(&name.as_str()) {
                value.clone()
            } else {
                json!(format!("canary-{kind}-{name}-Q7x2"))
            };
            (name.clone(), canary)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A secret in the forms that it travels and is written in.
fn forms(credentials: &Value) -> Vec<String> {
    let fields = credentials.as_object().expect("fields");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let names: Vec<String> =
        fields.iter().filter(|(name, _)| PUBLIC.contains(&name.as_str())).map(|(_, value)| text(value)).collect();
    let mut forms = Vec::new();
    for secret in fields.iter().filter(|(name, _)| !PUBLIC.contains(&name.as_str())).map(|(_, value)| text(value)) {
        for written in [secret.replace(' ', ""), secret] {
            forms.push(url::form_urlencoded::byte_serialize(written.as_bytes()).collect());
            forms.push(written.bytes().map(|byte| format!("{byte:02x}")).collect());
            forms.extend([STANDARD.encode(&written), URL_SAFE_NO_PAD.encode(&written)]);
            forms.extend(names.iter().map(|name| STANDARD.encode(format!("{name}:{written}"))));
            forms.push(written);
        }
    }
    forms
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entered_secret_is_in_no_log_no_column_no_backup_and_no_answer() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let (data, logs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let log = logs.path().join("log");
    let mut host = Launch::on(data.path(), &[]).log(&log).start().await;
    let ada = host.customer("ada@example.com", 1_000, "account:read connections:manage").await;
    host.points(&ada, 100).await;
    let mut ada = Listener { ada, said: Vec::new() };
    let mut secrets = Vec::new();
    let mut first = String::new();
    for (kind, provider, right) in accounts(&world) {
        let wrong = wrong(kind, &right);
        secrets.extend([forms(&right), forms(&wrong)].concat());
        let account = |name: &str, credentials: &Value| json!({ "kind": kind, "name": name, "endpoint": provider.url(), "credentials": credentials });
        // Entered through each door, the second time with a secret that the provider refuses.
        let added = ada.rest("connections.add", account("right", &right)).await;
        let reference = added["data"]["connection_ref"].clone();
        assert_eq!(added["data"]["test"]["ok"], true, "{kind}: {added}");
        ada.mcp("connections.add", account("wrong", &wrong)).await;
        // Replaced by one that is refused, and by the same; malformed in a way that a message might quote.
        let rotation = |credentials: &Value| json!({ "connection_ref": reference, "credentials": credentials });
        ada.rest("connections.secret.rotate", rotation(&wrong)).await;
        ada.mcp("connections.secret.rotate", rotation(&right)).await;
        let mut unknown = right.clone();
        unknown["surplus"] = json!({ "nested": wrong });
        ada.rest("connections.secret.rotate", rotation(&unknown)).await;
        ada.mcp("connections.add", json!({ "kind": wrong, "credentials": right })).await;
        // Used while the provider fails.
        provider.fault(Fault::NotJson, 1);
        ada.rest("connections.test", json!({ "connection_ref": reference })).await;
        provider.fault(Fault::ServerError, 1);
        ada.mcp("connections.test", json!({ "connection_ref": reference })).await;
        ada.rest("connections.property.list", json!({ "connection_ref": reference })).await;
        first = reference.as_str().expect("a reference").to_owned();
    }
    ada.mcp("connections.remove", json!({ "connection_ref": first })).await;
    ada.rest("connections.list", json!({})).await;
    // A backup is of SQLite's file.
    let copy = logs.path().join("backup");
    let is_backed_up = tests::database::of(data.path()).is_none();
    if is_backed_up {
        assert!(operate(data.path(), &["backup", &copy.display().to_string()]).status.success());
    }
    host.terminate();
    host.ended().await;

    let whole = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let logged = whole(&std::fs::read(&log).expect("a log"));
    let kept = whole(&remains::of(data.path()).await);
    let backup = if is_backed_up { whole(&std::fs::read(&copy).expect("a backup")) } else { String::new() };
    let said = whole(&ada.said);
    // What is looked through is what it is said to be.
    assert!(said.contains(&first) && kept.contains(&first), "{first}");
    assert!(logged.contains("a request was refused"), "{} bytes of log", logged.len());
    assert!(secrets.len() > 100, "{} forms", secrets.len());
    assert!(!is_backed_up || backup.contains(&first), "{} bytes of backup", backup.len());
    for secret in &secrets {
        assert!(!logged.contains(secret), "{secret} is in the log");
        assert!(!kept.contains(secret), "{secret} is in the database");
        assert!(!backup.contains(secret), "{secret} is in the backup");
        assert!(!said.contains(secret), "{secret} was told");
    }
}
