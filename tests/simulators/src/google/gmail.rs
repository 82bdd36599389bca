//! Gmail: messages listed, read and sent, threads, labels, the profile.
//!
//! Source: developers.google.com/gmail/api/reference/rest/v1 (users.messages, users.threads, users.getProfile) and the
//! search operators of support.google.com/mail/answer/7190, those that name a field.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::{invalid, not_found};
use crate::post_office::{Mail, OWNER, PostOffice, addresses};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;

pub(super) fn answer(post: &PostOffice, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    // The owner's own address may stand for `me`.
    if parts[3] != "me" && parts[3] != OWNER {
        return super::error(403, "PERMISSION_DENIED", "forbidden", &format!("Delegation denied for {}", parts[3]));
    }
    let all = post.all();
    match (method, &parts[4..]) {
        ("GET", ["profile"]) => Reply::ok(
            &json!({ "emailAddress": OWNER, "messagesTotal": all.len(), "threadsTotal": all.len(), "historyId": (1_000 + all.len()).to_string() }),
        ),
        ("GET", ["labels"]) => {
            let label = |id: &str| json!({ "id": id, "name": id, "type": "system" });
            let all: Vec<Value> = ["INBOX", "SENT", "TRASH", "UNREAD"].into_iter().map(label).collect();
            Reply::ok(&json!({ "labels": all }))
        }
        ("GET", ["messages"]) => list(&all, request),
        ("GET", ["messages", id]) => all
            .iter()
            .find(|mail| mail.id == *id)
            .map_or_else(not_found, |mail| Reply::ok(&shown(mail, request.query("format").unwrap_or("full")))),
        ("GET", ["threads", id]) => {
            let within: Vec<Value> = all
                .iter()
                .filter(|mail| mail.thread == *id)
                .map(|mail| shown(mail, request.query("format").unwrap_or("full")))
                .collect();
            if within.is_empty() {
                not_found()
            } else {
                Reply::ok(&json!({ "id": id, "historyId": "1000", "messages": within }))
            }
        }
        ("POST", ["messages", "send"]) => {
            let given = request.json();
            let encoded = given["raw"].as_str().unwrap_or_default();
            let decoded = BASE64_URL_SAFE
                .decode(encoded)
                .or_else(|_| BASE64_URL_SAFE_NO_PAD.decode(encoded))
                .or_else(|_| BASE64_STANDARD.decode(encoded));
            let Some(raw) = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok()).filter(|raw| !raw.is_empty())
            else {
                return invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required");
            };
            let read = Mail {
                id: String::new(),
                thread: String::new(),
                raw: raw.clone(),
                received: jiff::Timestamp::now(),
                sent: true,
            };
            let to: Vec<String> =
                ["To", "Cc", "Bcc"].iter().filter_map(|name| read.header(name)).flat_map(|it| addresses(&it)).collect();
            if to.is_empty() {
                return invalid("Recipient address required");
            }
            let mail = post.send(&raw, &to);
            desk.effect("message.sent", to.join(","), request);
            Reply::ok(&json!({ "id": mail.id, "threadId": mail.thread, "labelIds": ["SENT"] }))
        }
        _ => not_found(),
    }
}

fn list(all: &[Mail], request: &Request) -> Reply {
    let words: Vec<&str> = request.query("q").unwrap_or_default().split_whitespace().collect();
    let labels: Vec<&str> =
        request.query.iter().filter(|(name, _)| name == "labelIds").map(|(_, value)| value.as_str()).collect();
    let found: Vec<&Mail> = all
        .iter()
        .rev()
        .filter(|mail| words.iter().all(|word| fits(mail, word)))
        .filter(|mail| labels.iter().all(|label| (*label == "SENT") == mail.sent && (*label == "INBOX") != mail.sent))
        .collect();
    let size = request.number("maxResults").unwrap_or(100).clamp(1, 500);
    let from = request.number("pageToken").unwrap_or(0);
    let page: Vec<Value> =
        found.iter().skip(from).take(size).map(|mail| json!({ "id": mail.id, "threadId": mail.thread })).collect();
    let mut body = json!({ "resultSizeEstimate": found.len() });
    if !page.is_empty() {
        body["messages"] = json!(page);
    }
    if from + size < found.len() {
        body["nextPageToken"] = json!((from + size).to_string());
    }
    Reply::ok(&body)
}

fn fits(mail: &Mail, word: &str) -> bool {
    let header =
        |name: &str, part: &str| mail.header(name).unwrap_or_default().to_lowercase().contains(&part.to_lowercase());
    let seconds = |text: &str| {
        let date = text
            .replace('/', "-")
            .parse::<jiff::civil::Date>()
            .ok()
            .and_then(|it| it.to_zoned(jiff::tz::TimeZone::UTC).ok());
        text.parse::<i64>().ok().or_else(|| date.map(|it| it.timestamp().as_second())).unwrap_or(i64::MAX)
    };
    match word.split_once(':') {
        Some(("from", part)) => header("From", part),
        Some(("to", part)) => header("To", part),
        Some(("subject", part)) => header("Subject", part.trim_matches(['(', ')', '"'])),
        Some(("rfc822msgid", part)) => header("Message-ID", part.trim_matches(['<', '>'])),
        Some(("in", "sent")) => mail.sent,
        Some(("in", "inbox")) => !mail.sent,
        Some(("after", day)) => mail.received.as_second() >= seconds(day),
        Some(("before", day)) => mail.received.as_second() < seconds(day),
        _ => mail.raw.to_lowercase().contains(&word.to_lowercase()),
    }
}

fn shown(mail: &Mail, format: &str) -> Value {
    let mut message = json!({ "id": mail.id, "threadId": mail.thread, "labelIds": [if mail.sent { "SENT" } else { "INBOX" }], "snippet": mail.preview(),
        "historyId": "1000", "internalDate": mail.received.as_millisecond().to_string(), "sizeEstimate": mail.raw.len() });
    match format {
        "raw" => message["raw"] = json!(BASE64_URL_SAFE.encode(&mail.raw)),
        "minimal" => {}
        _ => {
            let headers: Vec<Value> =
                mail.headers().into_iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
            let kind = mail.header("Content-Type").unwrap_or_default();
            message["payload"] =
                json!({ "partId": "", "filename": "", "headers": headers, "mimeType": kind.split(';').next() });
            if format == "full" {
                message["payload"]["body"] =
                    json!({ "size": mail.body().len(), "data": BASE64_URL_SAFE.encode(mail.body()) });
            }
        }
    }
    message
}
