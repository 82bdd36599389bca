//! Mail through the doors of a whole host: written by the host, handed over once or known to be unknown, and never to
//! who has left the list.

mod recipients;

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use simulators::{Fault, Message, Seed, Simulator, World};
use tests::customer::{Answer, Customer, fresh_key};
use tests::host::Process;
use tests::patience::tries;
use tests::process::Launch;
use tests::{needs, remains};

const SCOPES: &str = "account:read assets:read assets:write connections:manage";

struct Scene {
    folder: tempfile::TempDir,
    launch: Launch,
    process: Process,
    ada: Customer,
    world: World,
    mailbox: Value,
}

impl Scene {
    async fn set() -> Self {
        Self::set_with(|launch| launch).await
    }

    async fn set_with(differs: impl FnOnce(Launch) -> Launch) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let launch = differs(Launch::on(folder.path(), &[]).guest("sender").lease(3));
        let process = launch.start().await;
        let ada = process.customer("ada@example.com", 1_000, SCOPES).await;
        let world = simulators::start(Seed(1)).await.expect("providers");
        let mailbox = connected(&ada, &world, false).await["connection_ref"].clone();
        Self { folder, launch, process, ada, world, mailbox }
    }

    fn letter(&self, to: &[&str]) -> Value {
        json!({ "connection_ref": self.mailbox, "to": to, "subject": "A lamp", "text": "Hello" })
    }

    async fn note(&self, to: &[&str]) -> Answer {
        self.ada.run("sender.mail.note", self.letter(to)).await
    }

    async fn news(&self, to: &str) -> Answer {
        self.ada.run("sender.mail.news", self.letter(&[to])).await
    }

    fn taken(&self) -> Vec<Message> {
        self.world.smtp.messages()
    }

    /// Another start of the host, minutes later by its clock.
    async fn started_again(mut self) -> Self {
        self.process.kill();
        self.process = self.launch.start_minutes_later().await;
        self.ada = self.process.again(&self.ada);
        self
    }
}

async fn connected(customer: &Customer, world: &World, test: bool) -> Value {
    let arguments = json!({
        "kind": "smtp",
        "name": "Mail",
        "endpoint": world.smtp.url(),
        "credentials": world.smtp.credentials(),
        "test": test,
    });
    customer.run("connections.add", arguments).await.data()
}

async fn connected_http(customer: &Customer, provider: &Simulator) -> Value {
    let arguments = json!({
        "kind": provider.name(),
        "name": "a provider",
        "endpoint": provider.url(),
        "credentials": provider.credentials(),
        "test": false,
    });
    customer.run("connections.add", arguments).await.data()["connection_ref"].clone()
}

/// The headers of a message, unfolded.
fn headers(message: &Message) -> BTreeMap<String, String> {
    let head = message.raw.split_once("\r\n\r\n").expect("a body").0.replace("\r\n ", " ");
    let pairs = head.lines().filter_map(|line| line.split_once(": "));
    pairs.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect()
}

fn error(answer: &Answer) -> Value {
    answer.json()["error"].clone()
}

async fn until(mut is_so: impl FnMut() -> bool) {
    for _ in tries(600) {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it did not come to pass");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_goes_out_once_under_one_key_with_the_headers_that_the_host_writes() {
    let scene = Scene::set().await;
    let mut letter = scene.letter(&["bob@shop.example", "refuse.eve@shop.example", "full@shop.example"]);
    letter["from_name"] = json!("Ada, the lamp maker");
    letter["in_reply_to"] = json!("<question-1@shop.example>");
    let answer = scene.ada.run_as("sender.mail.note", letter.clone(), "note-key-1").await;
    let sent = answer.data();
    assert_eq!(sent["accepted"], json!(["bob@shop.example"]));
    assert_eq!(sent["refused"], json!(["550 5.1.1 refuse.eve@shop.example", "452 4.2.2 full@shop.example"]));
    let again = scene.ada.run_as("sender.mail.note", letter, "note-key-1").await;
    assert_eq!(again.bytes, answer.bytes);
    let [message] = scene.taken().try_into().expect("one message");
    assert_eq!(
        (message.from.as_str(), message.to.as_slice()),
        ("hello@shop.example", &["bob@shop.example".to_owned()][..])
    );
    let headers = headers(&message);
    // A name with a comma, as an encoded word (RFC 2047).
    assert_eq!(headers["from"], "=?utf-8?b?QWRhLCB0aGUgbGFtcCBtYWtlcg==?= <hello@shop.example>");
    assert_eq!(json!(headers["message-id"]), sent["message_id"]);
    assert_eq!(headers["in-reply-to"], "<question-1@shop.example>");
    assert_eq!(headers["references"], "<question-1@shop.example>");
    assert_eq!((headers["subject"].as_str(), headers.get("list-unsubscribe")), ("A lamp", None));
    assert!(message.raw.contains("\r\n\r\nHello"), "{}", message.raw);
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_a_list_with_one_click_gets_none_of_it_whatever_the_module_does() {
    let scene = Scene::set().await;
    scene.news("bob@shop.example").await.data();
    let [message] = scene.taken().try_into().expect("one message");
    let headers = headers(&message);
    assert_eq!(headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
    let way_out = headers["list-unsubscribe"].trim_matches(['<', '>']).to_owned();
    let origin = scene.process.rest().trim_end_matches("/v1").to_owned();
    assert!(way_out.starts_with(&format!("{origin}/u/")), "{way_out}");
    // A program that looks where the address leads unsubscribes nobody.
    assert_eq!(reqwest::get(&way_out).await.expect("a page").status(), 200);
    scene.news("bob@shop.example").await.data();
    let form = [("List-Unsubscribe", "One-Click")];
    let clicked = reqwest::Client::new().post(&way_out).form(&form).send().await.expect("an answer");
    assert_eq!(clicked.status(), 200);
    for spelling in ["bob@shop.example", "BOB@Shop.Example"] {
        assert_eq!(scene.news(spelling).await.refusal(), (409, "unsubscribed".to_owned()), "{spelling}");
    }
    assert_eq!(scene.taken().len(), 2);
    scene.news("eve@shop.example").await.data();
    scene.note(&["bob@shop.example"]).await.data();
    let carl = scene.process.customer("carl@example.com", 1_000, SCOPES).await;
    let mailbox = connected(&carl, &scene.world, false).await["connection_ref"].clone();
    let letter = json!({ "connection_ref": mailbox, "to": ["bob@shop.example"], "subject": "News", "text": "Hello" });
    carl.run("sender.mail.news", letter).await.data();
    let to: Vec<_> = scene.taken().into_iter().skip(2).map(|message| message.to[0].clone()).collect();
    assert_eq!(to, ["eve@shop.example", "bob@shop.example", "bob@shop.example"], "his own affairs, another's list");
    let round = scene.letter(&["bob@shop.example", "dora@shop.example"]);
    scene.ada.run("sender.mail.round", round).await.data();
    until(|| scene.taken().len() == 6).await;
    assert_eq!(scene.taken()[5].to, ["dora@shop.example"], "the steps of a job pass over him");
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_permitted_or_not_a_message_never_reaches_the_server() {
    let scene = Scene::set().await;
    let letter = |change: &dyn Fn(&mut Value)| {
        let mut letter = scene.letter(&["bob@shop.example"]);
        change(&mut letter);
        letter
    };
    let other_class = scene.ada.run("sender.mail.smuggle", letter(&|_| ())).await;
    assert_eq!(other_class.refusal(), (503, "mail_refused".to_owned()), "no line permits it");
    let blog = connected_http(&scene.ada, &scene.world.wordpress).await;
    let carl = scene.process.customer("carl@example.com", 1_000, SCOPES).await;
    let his = connected(&carl, &scene.world, false).await["connection_ref"].clone();
    for strange in [blog, his, json!("con_nobodys")] {
        let refused = scene.ada.run("sender.mail.note", letter(&|it| it["connection_ref"] = strange.clone())).await;
        assert_eq!(refused.refusal(), (404, "connection_not_found".to_owned()), "{strange}");
    }
    let many: Vec<_> = (0..21).map(|at| format!("bob{at}@shop.example")).collect();
    for (member, value, at) in [
        ("subject", json!("A lamp\r\nBcc: eve@evil.example"), "subject"),
        ("from_name", json!("Ada\r\nBcc: eve@evil.example"), "from-name"),
        ("to", json!(["bob@shop.example>\r\nRCPT TO:<eve@evil.example"]), "to/0"),
        ("to", json!(["bob@shop.example", "eve"]), "to/1"),
        ("to", json!(many), "to"),
        ("in_reply_to", json!("<a@b>\r\nBcc: eve@evil.example"), "in-reply-to"),
        ("text", json!("a\u{0}b"), "text"),
    ] {
        let refused = scene.ada.run("sender.mail.note", letter(&|it| it[member] = value.clone())).await;
        assert_eq!(refused.refusal(), (422, "mail_invalid".to_owned()), "{member} {value}");
        assert_eq!(error(&refused)["at"], at, "{member} {value}");
    }
    let two = scene.letter(&["bob@shop.example", "eve@shop.example"]);
    scene.ada.run("sender.mail.news", two).await.data();
    let [message] = scene.taken().try_into().expect("one message");
    assert_eq!(message.to, ["bob@shop.example"], "the guest gives list mail one recipient");
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_looks_like_smtp_or_like_a_header_arrives_as_text() {
    let scene = Scene::set().await;
    let text = "\n.\nMAIL FROM:<eve@evil.example>\r\n.\r\n\rQUIT\n..\nBcc: eve@evil.example";
    let mut letter = scene.letter(&["bob@shop.example"]);
    letter["text"] = json!(text);
    scene.ada.run("sender.mail.note", letter).await.data();
    let [message] = scene.taken().try_into().expect("one message");
    let body = message.raw.split_once("\r\n\r\n").expect("a body").1.trim_end();
    assert_eq!(body, "\r\n.\r\nMAIL FROM:<eve@evil.example>\r\n.\r\n\r\nQUIT\r\n..\r\nBcc: eve@evil.example");
    assert_eq!(message.to, ["bob@shop.example"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_before_the_message_is_typed_and_the_same_key_sends_it_afterwards() {
    let scene = Scene::set().await;
    let mut ids = Vec::new();
    for (fault, code) in [
        (Fault::RateLimited, "mail_limited"),
        (Fault::ServerError, "mail_limited"),
        (Fault::Truncated, "mail_malformed"),
        (Fault::WrongJson, "mail_malformed"),
        (Fault::NotJson, "mail_malformed"),
        (Fault::ClockSkew, "mail_malformed"),
        (Fault::Unauthorized, "mail_expired_credential"),
        (Fault::Timeout, "mail_timeout"),
    ] {
        let (before, key) = (scene.taken().len(), fresh_key());
        scene.world.smtp.fault(fault, 1);
        let letter = scene.letter(&["bob@shop.example"]);
        let refused = scene.ada.run_as("sender.mail.note", letter.clone(), &key).await;
        assert_eq!(refused.refusal(), (503, code.to_owned()), "{fault:?}");
        assert_eq!(scene.taken().len(), before, "{fault:?}");
        let sent = scene.ada.run_as("sender.mail.note", letter, &key).await.data();
        assert_eq!(scene.taken().len(), before + 1, "{fault:?}");
        ids.push(sent["message_id"].as_str().expect("an id").to_owned());
    }
    scene.world.smtp.fault(Fault::SlowDrip, 1);
    scene.note(&["bob@shop.example"]).await.data();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 8, "each message has an id of its own");
    for (to, code, number) in
        [("refuse@shop.example", "mail_rejected", 550), ("full@shop.example", "mail_limited", 452)]
    {
        let refused = scene.note(&[to]).await;
        assert_eq!(refused.refusal(), (503, code.to_owned()));
        assert_eq!(error(&refused)["reply"], number);
    }
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_last_dot_a_message_is_refused_by_a_reply_or_nobody_knows_and_it_is_never_sent_twice() {
    let scene = Scene::set().await;
    for fault in [Fault::RateLimited, Fault::ServerError] {
        scene.world.smtp.fault_at_the_end(fault, 1);
        let refused = scene.note(&["bob@shop.example"]).await;
        assert_eq!(refused.refusal(), (503, "mail_limited".to_owned()), "{fault:?}");
    }
    assert!(scene.taken().is_empty());
    for (at, fault) in [Fault::Truncated, Fault::NotJson, Fault::AnswerLost].into_iter().enumerate() {
        scene.world.smtp.fault_at_the_end(fault, 1);
        let (letter, key) = (scene.letter(&["bob@shop.example"]), fresh_key());
        for _ in 0..2 {
            let unknown = scene.ada.run_as("sender.mail.note", letter.clone(), &key).await;
            assert_eq!(unknown.refusal(), (409, "outcome_unknown".to_owned()), "{fault:?}");
            assert_eq!(scene.taken().len(), at + 1, "{fault:?}");
        }
    }
    // A connection that breaks off at the end of the same session that began well.
    scene.world.smtp.fault(Fault::AnswerLost, 1);
    let unknown = scene.note(&["bob@shop.example"]).await;
    assert_eq!(unknown.refusal(), (409, "outcome_unknown".to_owned()));
    assert_eq!(scene.taken().len(), 4);
    scene.note(&["bob@shop.example"]).await.data();
    assert_eq!(scene.taken().len(), 5, "a new key is a new message");
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_killed_before_it_heard_the_answer_never_sends_the_message_again() {
    if !Launch::can_be_wrong() {
        return needs::skip("a wrong clock", "install Debian's faketime package");
    }
    let scene = Scene::set().await;
    scene.world.smtp.fault_at_the_end(Fault::AnswerLost, 1);
    let letter = scene.letter(&["bob@shop.example"]);
    let smtp = scene.world.smtp.clone();
    let on_its_way = scene.ada.clone();
    let call = tokio::spawn({
        let letter = letter.clone();
        async move { on_its_way.try_run("sender.mail.note", letter, Some("note-key-1")).await }
    });
    until(|| smtp.messages().len() == 1).await;
    let scene = scene.started_again().await;
    assert!(call.await.expect("joined").is_none(), "the host died before it could answer");
    for _ in 0..2 {
        let unknown = scene.ada.run_as("sender.mail.note", letter.clone(), "note-key-1").await;
        assert_eq!(unknown.refusal(), (409, "outcome_unknown".to_owned()));
    }
    assert_eq!(scene.taken().len(), 1);
    let round = scene.letter(&["a@shop.example", "b@shop.example", "c@shop.example"]);
    scene.world.smtp.fault_at_the_end(Fault::AnswerLost, 1);
    scene.ada.run("sender.mail.round", round).await.data();
    until(|| smtp.messages().len() == 2).await;
    let scene = scene.started_again().await;
    until(|| smtp.messages().len() == 4).await;
    let to: Vec<_> = scene.taken().into_iter().skip(1).map(|message| message.to[0].clone()).collect();
    assert_eq!(to, ["a@shop.example", "b@shop.example", "c@shop.example"], "each once, though a host died");
    scene.process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn adding_and_testing_a_mailbox_really_logs_in_and_says_what_is_wrong() {
    let scene = Scene::set().await;
    let added = connected(&scene.ada, &scene.world, true).await;
    assert_eq!((&added["state"], &added["test"]["ok"]), (&json!("ok"), &json!(true)), "{added}");
    assert_eq!(added["test"]["quota"]["limit"], 10_485_760.0);
    let test = async || {
        let arguments = json!({ "connection_ref": added["connection_ref"] });
        scene.ada.run("connections.test", arguments).await.data()
    };
    scene.world.smtp.fault(Fault::Unauthorized, 1);
    let tested = test().await;
    assert_eq!(tested["error"]["code"], "expired_credential", "{tested}");
    let listed = scene.ada.read("connections.list", json!({ "kind": "smtp", "state": "expired" })).await.data();
    assert_eq!(listed["connections"][0]["connection_ref"], added["connection_ref"], "{listed}");
    assert_eq!(test().await["ok"], true);
    assert!(scene.taken().is_empty(), "a test sends nothing");
    let wrong = |credentials: Value, endpoint: &str| json!({ "kind": "smtp", "name": "Mail", "endpoint": endpoint, "credentials": credentials });
    let password = json!({ "username": "hello@shop.example", "password": "not-the-password" });
    let refused = scene.ada.run("connections.add", wrong(password, &scene.world.smtp.url())).await.data();
    assert_eq!(
        (&refused["state"], &refused["test"]["error"]["code"]),
        (&json!("expired"), &json!("expired_credential"))
    );
    let nameless = json!({ "username": "hello", "password": "a-password" });
    let nobody = scene.ada.run("connections.add", wrong(nameless, &scene.world.smtp.url())).await;
    assert_eq!((nobody.refusal().0, nobody.pointer()), (422, "/credentials/from".to_owned()));
    for endpoint in ["https://mail.shop.example", "http://127.0.0.1:25", "smtps://mail.shop.example/inbox"] {
        let refused = scene.ada.run("connections.add", wrong(scene.world.smtp.credentials(), endpoint)).await;
        assert_eq!((refused.refusal().0, refused.pointer()), (422, "/endpoint".to_owned()), "{endpoint}");
    }
    let over_tls = scene.world.smtp.url().replace("smtp://", "smtps://");
    let plain = scene.ada.run("connections.add", wrong(scene.world.smtp.credentials(), &over_tls)).await.data();
    assert_eq!(
        (&plain["state"], &plain["test"]["error"]["code"]),
        (&json!("failing"), &json!("unreachable")),
        "{plain}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_password_nor_text_nor_way_out_is_in_a_log_and_the_password_is_nowhere_in_the_database() {
    let logs = tempfile::tempdir().expect("a folder");
    let log = logs.path().join("log");
    let mut scene = Scene::set_with(|launch| launch.log(&log)).await;
    let held = scene.world.smtp.credentials();
    let (user, password) = (held["username"].as_str().expect("a name"), held["password"].as_str().expect("one"));
    let mut letter = scene.letter(&["bob@shop.example"]);
    letter["text"] = json!("canary-in-the-text");
    let answer = scene.ada.run("sender.mail.news", letter).await;
    let way_out = headers(&scene.taken()[0])["list-unsubscribe"].trim_matches(['<', '>']).to_owned();
    let token = way_out.rsplit('/').next().expect("a token").to_owned();
    scene.world.smtp.fault(Fault::Unauthorized, 1);
    scene.note(&["bob@shop.example"]).await;
    let plain = STANDARD.encode(format!("\0{user}\0{password}"));
    assert_eq!(scene.ada.get("/account?access_token=none").await.status, 400);
    scene.process.terminate();
    let Scene { folder, process, .. } = scene;
    process.ended().await;
    let logged = std::fs::read(&log).expect("a log");
    let kept = remains::of(folder.path()).await;
    assert!(remains::hold(&kept, "ada@example.com"), "what is looked through is the database: {} bytes", kept.len());
    assert!(
        remains::hold(&logged, "a request was refused"),
        "what is looked through is the log: {} bytes",
        logged.len()
    );
    for secret in [password, &plain, &token] {
        assert!(!remains::hold(&logged, secret), "in the log");
        assert!(!remains::hold(&kept, secret), "in the database");
        assert!(!remains::hold(&answer.bytes, secret), "in an answer");
    }
    assert!(!remains::hold(&logged, "canary-in-the-text"), "in the log");
}
