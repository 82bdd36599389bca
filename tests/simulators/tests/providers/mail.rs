//! Mail: submission as a mail client speaks it, and the mailbox that sees what comes back.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use simulators::{Fault, World};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::{jmap, text, world};

/// Says lines and returns the first line of each answer; ends where the server does.
async fn dialogue(world: &World, lines: &[String]) -> Vec<String> {
    let stream = TcpStream::connect(world.smtp.address()).await.expect("a server");
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    let mut said = Vec::new();
    for line in std::iter::once(None).chain(lines.iter().map(Some)) {
        if let Some(line) = line {
            write.write_all(format!("{line}\r\n").as_bytes()).await.expect("to write");
        }
        let mut first = None;
        loop {
            let mut answer = String::new();
            if read.read_line(&mut answer).await.expect("to read") == 0 {
                said.extend(first);
                return said;
            }
            let more = answer.as_bytes().get(3) == Some(&b'-');
            first.get_or_insert(answer.trim_end().to_owned());
            if !more {
                break;
            }
        }
        said.extend(first);
    }
    said
}

fn plain(world: &World) -> String {
    let held = world.smtp.credentials();
    format!(
        "AUTH PLAIN {}",
        BASE64_STANDARD.encode(format!("\0{}\0{}", text(&held, "username"), text(&held, "password")))
    )
}

fn letter(world: &World, to: &[&str]) -> Vec<String> {
    let mut lines = vec!["EHLO client.example".to_owned(), plain(world), "MAIL FROM:<hello@shop.example>".to_owned()];
    lines.extend(to.iter().map(|to| format!("RCPT TO:<{to}>")));
    lines.push("DATA".to_owned());
    lines.push(
        "From: hello@shop.example\r\nSubject: Lamps\r\nMessage-ID: <m1@shop.example>\r\n\r\nHello.\r\n..dotted\r\n."
            .to_owned(),
    );
    lines.push("QUIT".to_owned());
    lines
}

fn codes(said: &[String]) -> Vec<&str> {
    said.iter().map(|line| line.get(..3).unwrap_or_default()).collect()
}

#[tokio::test]
async fn a_message_is_taken_and_kept_as_it_was_sent() {
    let world = world().await;
    let said = dialogue(&world, &letter(&world, &["maria@homejournal.example", "refuse@homejournal.example"])).await;
    assert_eq!(codes(&said), ["220", "250", "235", "250", "250", "550", "354", "250", "221"]);
    let messages = world.smtp.messages();
    assert_eq!(messages[0].to, ["maria@homejournal.example"]);
    assert!(messages[0].raw.ends_with("Hello.\r\n.dotted\r\n"), "dots are unstuffed");
    assert_eq!(world.smtp.effects()[0].key.as_deref(), Some("<m1@shop.example>"));
}

#[tokio::test]
async fn who_is_not_known_sends_nothing_and_who_is_greylisted_comes_back() {
    let world = world().await;
    let wrong = format!("AUTH PLAIN {}", BASE64_STANDARD.encode("\0hello@shop.example\0guess"));
    let lines = ["EHLO c".to_owned(), wrong, "MAIL FROM:<hello@shop.example>".to_owned()];
    assert_eq!(codes(&dialogue(&world, &lines).await), ["220", "250", "535", "530"]);
    let held = world.smtp.credentials();
    let login = [
        "EHLO c".to_owned(),
        "AUTH LOGIN".to_owned(),
        BASE64_STANDARD.encode(text(&held, "username")),
        BASE64_STANDARD.encode(text(&held, "password")),
    ];
    assert_eq!(codes(&dialogue(&world, &login).await), ["220", "250", "334", "334", "235"]);
    let first = dialogue(&world, &letter(&world, &["grey@press.example"])).await;
    assert_eq!(codes(&first)[4..6], ["450", "554"]);
    let second = dialogue(&world, &letter(&world, &["grey@press.example"])).await;
    assert_eq!((codes(&second)[4], world.smtp.messages().len()), ("250", 1));
}

#[tokio::test]
async fn the_server_fails_as_it_is_told_and_then_works_again() {
    let world = world().await;
    let at_mail = letter(&world, &["maria@homejournal.example"]);
    for (fault, expected) in [
        (Fault::RateLimited, Some("451")),
        (Fault::ServerError, Some("421")),
        (Fault::Unauthorized, None),
        (Fault::Truncated, Some("250")),
        (Fault::NotJson, Some("<ht")),
    ] {
        world.smtp.fault(fault, 1);
        let said = dialogue(&world, &at_mail[..3]).await;
        match expected {
            Some(code) => assert_eq!(codes(&said)[3], code, "{fault:?}"),
            None => assert_eq!(codes(&said)[2..], ["535", "530"], "{fault:?}"),
        }
    }
    assert!(world.smtp.messages().is_empty());
    world.smtp.fault(Fault::AnswerLost, 1);
    let said = dialogue(&world, &at_mail).await;
    assert_eq!((codes(&said).last().copied(), world.smtp.messages().len()), (Some("354"), 1), "taken, and never said");
    world.smtp.fault(Fault::Timeout, 1);
    let mut stream = TcpStream::connect(world.smtp.address()).await.expect("a server");
    stream.write_all(format!("{}\r\n", at_mail[..3].join("\r\n")).as_bytes()).await.expect("to write");
    let mut got = Vec::new();
    timeout(Duration::from_millis(500), stream.read_to_end(&mut got)).await.expect_err("the server is silent");
    assert!(String::from_utf8_lossy(&got).contains("235 2.7.0"));
    assert_eq!(codes(&dialogue(&world, &at_mail).await).last(), Some(&"221"));
    assert_eq!(world.smtp.messages().len(), 2);
}

#[tokio::test]
async fn what_is_sent_by_smtp_is_answered_in_the_mailbox() {
    let world = world().await;
    dialogue(
        &world,
        &letter(&world, &["reply@press.example", "bounce@press.example", "stop@press.example", "quiet@press.example"]),
    )
    .await;
    let door = jmap(&world);
    let body = json!({ "using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"], "methodCalls": [
        ["Email/query", { "accountId": "u1f4a1", "filter": { "inMailbox": "mb-inbox", "header": ["In-Reply-To", "m1@shop.example"] } }, "q"],
        ["Email/get", { "accountId": "u1f4a1", "#ids": { "resultOf": "q", "name": "Email/query", "path": "/ids" }, "properties": ["from", "subject", "bodyValues", "inReplyTo", "header:Auto-Submitted:asText"] }, "g"],
        ["Email/nothing", { "accountId": "u1f4a1" }, "x"] ] });
    let said = door.post("/jmap/api", &body).await;
    let list = said.at("/methodResponses/1/1/list").as_array().expect("emails").clone();
    let from: Vec<&str> =
        list.iter().filter_map(|mail| mail.pointer("/from/0/email").and_then(Value::as_str)).collect();
    assert_eq!(from, ["stop@press.example", "mailer-daemon@press.example", "reply@press.example"]);
    assert!(
        list[1]["bodyValues"]["1"]["value"].as_str().is_some_and(|text| text.contains("Status: 5.1.1")),
        "a report of failure as RFC 3464 has it"
    );
    assert_eq!(said.at("/methodResponses/2/1/type"), "unknownMethod");
}

#[tokio::test]
async fn jmap_sends_a_draft_once_and_pages_what_it_finds() {
    let world = world().await;
    let door = jmap(&world);
    let session = door.get("/jmap/session").await;
    assert_eq!(session.at("/primaryAccounts/urn:ietf:params:jmap:mail"), "u1f4a1");
    let using = json!(["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail", "urn:ietf:params:jmap:submission"]);
    let call = async |calls: Value| door.post("/jmap/api", &json!({ "using": using, "methodCalls": calls })).await;
    let sent = call(json!([
        ["Email/set", { "accountId": "u1f4a1", "create": { "d": { "to": [{ "email": "reply@press.example" }], "subject": "A lamp", "textBody": [{ "partId": "1" }], "bodyValues": { "1": { "value": "Hello." } } } } }, "0"],
        ["EmailSubmission/set", { "accountId": "u1f4a1", "create": { "s": { "emailId": "#d", "identityId": "id-1" } } }, "1"],
        ["EmailSubmission/set", { "accountId": "u1f4a1", "create": { "s": { "emailId": "#d" } } }, "2"]
    ]))
    .await;
    assert_eq!(sent.at("/methodResponses/1/1/created/s/undoStatus"), "final");
    assert_eq!(sent.at("/methodResponses/2/1/notCreated/s/type"), "invalidProperties", "the draft is gone");
    assert_eq!(door.effects("message.sent"), 1);
    let page = async |position: u64| {
        call(json!([["Email/query", { "accountId": "u1f4a1", "position": position, "limit": 3 }, "0"]])).await
    };
    let (first, second) = (page(0).await, page(3).await);
    assert_eq!(
        (
            first.at("/methodResponses/0/1/total"),
            first.at("/methodResponses/0/1/ids").as_array().map(Vec::len),
            second.at("/methodResponses/0/1/ids").as_array().map(Vec::len)
        ),
        (&json!(5), Some(3), Some(2))
    );
    let unknown = door.post("/jmap/api", &json!({ "using": ["urn:x"], "methodCalls": [] })).await;
    assert_eq!((unknown.status, unknown.at("/type")), (400, &json!("urn:ietf:params:jmap:error:unknownCapability")));
}
