//! `espalier replay`: what ended badly is had again, offline and to the unit, and nothing of the customer is told.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::time::Duration;

use espalier::catalogs::Sources;
use sandbox::transcript::{Ending, Transcript};
use serde_json::{Value, json};
use store::trail::transcripts::SealedTranscript;
use tests::customer::{Answer, Customer};
use tests::host::{Host, guest, modules, operate, shipped_with};
use tests::patience::tries;

const SCOPES: &str = "account:read assets:read assets:write destructive:execute";
/// What the customer says, and what nobody else is to read.
const WORDS: [&str; 4] = ["Wilhelmina", "Quux-Lovelacia", "untold engines", "41971"];

fn ada() -> Value {
    json!({ "firstname": WORDS[0], "lastname": WORDS[1], "topics": [WORDS[2]], "role": WORDS[3] })
}

fn component(name: &str) -> &'static Path {
    &modules().iter().find(|built| built.name == name).expect("it is built").path
}

fn request(answer: &Answer) -> String {
    answer.headers["x-request-id"].to_str().expect("an id").to_owned()
}

/// What was kept of a request, as soon as it is written.
async fn kept(host: &Host, run: &str) -> SealedTranscript {
    for _ in tries(100) {
        if let Some(sealed) = host.service.core.store().trail.transcript(run).await.expect("readable") {
            return sealed;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no transcript of {run}")
}

async fn opened(host: &Host, run: &str) -> Transcript {
    let ring = host.service.core.config().keys.current();
    Transcript::from_bytes(&kept(host, run).await.open(&ring).expect("sealed here")).expect("a transcript")
}

/// A host that stops every author who is made, at its limit of rows.
async fn strict() -> (Host, Customer) {
    let host = Host::start_with(|options| {
        options.locks(|locks| {
            let entries = &mut locks.get_mut("authors").expect("locked").operations;
            entries.get_mut("authors.create").expect("locked").limits.rows_written = Some(0);
            entries.get_mut("authors.list").expect("locked").limits.fuel = Some(1_000);
        });
    })
    .await;
    let customer = host.customer(SCOPES).await;
    (host, customer)
}

fn replay(host: &Host, arguments: &[&str]) -> (Output, Value) {
    let output = operate(host.folder(), &[&["replay"], arguments].concat());
    let said = [&*output.stdout, &*output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    WORDS.iter().for_each(|word| assert!(!said.contains(word), "{word} in {said}"));
    let value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output, value)
}

fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sampled_run_is_had_again_with_the_same_answer_and_the_same_fuel() {
    let host = Host::start_with(|options| options.sample(1.0)).await;
    let customer = host.customer(SCOPES).await;
    let made = customer.run("authors.create", ada()).await;
    let listed = customer.read("authors.list", json!({ "limit": 3 })).await;
    let missing = customer.read("authors.get", json!({ "author_ref": "nobody" })).await;
    for (answer, word) in [(&made, "ok"), (&listed, "ok"), (&missing, "guest.fault")] {
        let transcript = opened(&host, &request(answer)).await;
        assert_eq!(transcript.ending.word(), word, "{:?}", answer.json());
        let bytes = std::fs::read(component("authors")).expect("a component");
        let again = host.service.core.sandbox().replay(&bytes, &transcript).await.expect("the same component");
        assert_eq!((again.divergence, again.fuel), (None, transcript.fuel));
        if let Ending::Answered { data, .. } = again.ending {
            let body = String::from_utf8_lossy(&answer.bytes);
            assert!(body.contains(&data), "{data} is not in {body}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_steps_of_a_job_are_had_again_without_the_sites_that_they_asked() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        options.sample(1.0);
        options.map("shop.example", address);
    })
    .await;
    let customer = host.customer("websites:read assets:read assets:write seo:execute").await;
    host.buy_points(&customer, 20).await;
    let site = customer.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let asked = json!({ "site_id": site, "max_pages": 5, "rate_rps": 10, "check_external": false });
    let run = customer.run("crawl.run.start", asked).await.data()["run_ref"].clone();
    assert!(run.is_string());
    let bytes = std::fs::read(component("crawl")).expect("a component");
    // Nobody asks how far it is: each of these calls would be kept too, and of a customer the newest alone are.
    let (mut asked, mut seen) = (0, BTreeSet::new());
    for _ in 0..720 {
        let listed = host.service.core.store().trail.transcripts(100).await.expect("readable");
        for step in listed.iter().filter(|it| it.run.starts_with("job_")) {
            if !seen.insert(step.run.clone()) {
                continue;
            }
            assert_eq!((&*step.operation, &*step.ending), ("crawl.run.start", "ok"));
            let transcript = opened(&host, &step.run).await;
            let again = host.service.core.sandbox().replay(&bytes, &transcript).await.expect("the same component");
            assert_eq!((again.divergence, again.fuel), (None, transcript.fuel), "{}", step.run);
            let calls = transcript.calls();
            asked += calls.iter().filter(|(name, _)| name.starts_with("web.")).map(|(_, count)| count).sum::<u64>();
        }
        if asked > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    panic!("no step that asked the site was kept: {seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_is_kept_without_being_asked_for_and_a_success_or_a_refusal_is_not() {
    let (host, customer) = strict().await;
    let stopped = customer.run("authors.create", ada()).await;
    assert_eq!(stopped.refusal(), (422, "too_much_at_once".to_owned()));
    let starved = customer.read("authors.list", json!({})).await;
    assert_eq!(starved.refusal(), (422, "too_much_at_once".to_owned()));
    assert_eq!(starved.json()["error"]["limit"], "fuel");
    let refused = customer.read("authors.get", json!({ "author_ref": "nobody" })).await;
    for (answer, word) in [(&stopped, "limit.rows_written"), (&starved, "limit.fuel")] {
        let sealed = kept(&host, &request(answer)).await;
        assert_eq!((&*sealed.ending, sealed.customer.as_str()), (word, &*customer.id));
        assert!(sealed.digest.starts_with("sha256:") && sealed.engine.starts_with("wasmtime "));
        let transcript = opened(&host, &request(answer)).await;
        let bytes = std::fs::read(component("authors")).expect("a component");
        let again = host.service.core.sandbox().replay(&bytes, &transcript).await.expect("the same component");
        assert_eq!((again.divergence, again.ending.word(), again.fuel), (None, word, transcript.fuel));
    }
    assert_eq!(host.service.core.store().trail.transcript(&request(&refused)).await.expect("readable"), None);
    host.clock.advance(Duration::from_secs(7 * 86_400));
    assert_eq!(host.service.core.store().trail.transcripts(10).await.expect("readable"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_tells_what_happened_by_shape_and_ends_well_when_all_is_the_same() {
    let (host, customer) = strict().await;
    let run = request(&customer.run("authors.create", ada()).await);
    kept(&host, &run).await;
    let authors = component("authors").to_str().expect("a path");
    let (_, listed) = replay(&host, &[]);
    assert_eq!(listed[0]["run"], run);
    let fixture = host.folder().join("fixture.json");
    let (output, told) =
        replay(&host, &[&run, "--component", authors, "--emit-test", fixture.to_str().expect("a path")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(told["identical"], true, "{told}");
    assert_eq!(told["outcome"], json!({ "recorded": "limit.rows_written", "replayed": "limit.rows_written" }));
    assert!(told["fuel"]["recorded"].as_u64() > Some(0) && told["fuel"]["recorded"] == told["fuel"]["replayed"]);
    assert_eq!(told["host_calls"]["records_write.insert"], 1, "{told}");
    let text = std::fs::read_to_string(&fixture).expect("a fixture");
    WORDS.iter().for_each(|word| assert!(!text.contains(word), "{word} in {text}"));
    let emitted: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(emitted["arguments"]["shape"]["firstname"], "text of 10 characters, no spaces", "{emitted}");
    assert_eq!(emitted["calls"].as_array().and_then(|it| it.last()).expect("calls")["ended"], "limit.rows_written");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_written_run_is_sealed_and_opens_whole_or_not_at_all() {
    let (host, customer) = strict().await;
    let run = request(&customer.run("authors.create", ada()).await);
    kept(&host, &run).await;
    let (authors, websites) = (component("authors"), component("websites"));
    let (authors, websites) = (authors.to_str().expect("a path"), websites.to_str().expect("a path"));
    let file = host.folder().join("run.sealed");
    let name = file.to_str().expect("a path");
    let (output, _) = replay(&host, &[&run, "--write", name]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&file).expect("a file");
    for word in WORDS {
        assert!(!bytes.windows(word.len()).any(|part| part == word.as_bytes()), "{word}");
    }
    let (output, told) = replay(&host, &[name, "--component", authors]);
    assert!(output.status.success() && told["identical"] == true, "{told}");
    let (output, _) = replay(&host, &[name, "--component", websites]);
    assert!(failure(&output).contains("the run was of component sha256:"), "{}", failure(&output));
    for at in [bytes.len() - 1, bytes.len() / 2] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&file, changed).expect("a file");
        let (output, _) = replay(&host, &[name, "--component", authors]);
        assert!(failure(&output).contains("was changed"), "{}", failure(&output));
    }
    std::fs::write(&file, &bytes[..40]).expect("a file");
    assert!(failure(&replay(&host, &[name]).0).contains("damaged"));
    assert!(failure(&replay(&host, &["req_unknown"]).0).contains("no transcript of such a run"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_takes_the_runs_of_its_customer_and_of_nobody_else() {
    let (host, customer) = strict().await;
    let other = host.customer(SCOPES).await;
    let (mine, others) = (customer.run("authors.create", ada()).await, other.run("authors.create", ada()).await);
    let (mine, others) = (request(&mine), request(&others));
    kept(&host, &mine).await;
    kept(&host, &others).await;
    let store = host.service.core.store();
    assert!(store.identity.erase(other.id.as_str().into(), store.database.now()).await.expect("erased"));
    assert_eq!(store.trail.transcript(&others).await.expect("readable"), None);
    assert!(store.trail.transcript(&mine).await.expect("readable").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_is_to_come_is_held_against_what_ran_before_it_is_let_in() {
    let folder = tempfile::tempdir().expect("a folder");
    shipped_with(folder.path(), "notes", &guest("notes"));
    let shipped = Sources::shipped(folder.path(), Arc::default()).expect("shipped");
    let host = Host::start_with(|options| {
        options.serve(Sources { trust: None, ..shipped });
        options.sample(1.0);
    })
    .await;
    let customer = host.customer(SCOPES).await;
    let made = customer.run("notes.create", json!({ "site": "example.com", "text": WORDS[2] })).await;
    let all = customer.read("notes.list", json!({})).await;
    let some = customer.read("notes.list", json!({ "site": "example.com" })).await;
    for answer in [&made, &all, &some] {
        kept(&host, &request(answer)).await;
    }
    let later = folder.path().join("later.wasm");
    std::fs::write(&later, guest("notes_later")).expect("a file");
    let (output, told) = replay(&host, &["--against", &later.display().to_string()]);
    assert!(failure(&output).contains("behaves otherwise"), "{told}");
    let of = |name: &str| {
        let rows = told["operations"].as_array().expect("rows");
        rows.iter().find(|row| row["operation"] == name).expect("a row").clone()
    };
    let create = of("notes.create");
    assert_eq!((&create["runs"], &create["answers_differ_at"]), (&json!(1), &json!([])), "{create}");
    assert_eq!(create["asks_more"], json!({ "records_write.insert": 1 }), "it writes something else");
    let list = of("notes.list");
    assert_eq!(
        (&list["runs"], &list["cut_short"]),
        (&json!(2), &json!(1)),
        "one asks an index that nobody asked: {list}"
    );
    assert_eq!(list["answers_differ_at"], json!(["/notes/*/site", "/notes/*/website", "/notes/*/words"]), "{list}");
    // Nothing is said of the very component that ran.
    let (output, _) = replay(&host, &["--against", &folder.path().join("notes.wasm").display().to_string()]);
    assert!(failure(&output).contains("no run of another component of notes was kept"));
}
