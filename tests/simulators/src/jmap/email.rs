//! Emails: searched, read by property, composed from a draft's properties.

use jiff::{Timestamp, fmt::rfc2822};
use serde_json::{Map, Value, json};

use super::{ACCOUNT, Done};
use crate::post_office::{Mail, OWNER, addresses};

const PROPERTIES: [&str; 16] = [
    "id",
    "blobId",
    "threadId",
    "mailboxIds",
    "keywords",
    "size",
    "receivedAt",
    "messageId",
    "inReplyTo",
    "references",
    "from",
    "to",
    "subject",
    "preview",
    "bodyValues",
    "textBody",
];

/// Email/query: filter, sort by `receivedAt`, position and limit.
pub(super) fn query(all: &[Mail], given: &Value) -> Done {
    let filter = &given["filter"];
    let known = ["inMailbox", "after", "before", "from", "to", "subject", "text", "header"];
    if let Some(other) = filter.as_object().and_then(|it| it.keys().find(|name| !known.contains(&name.as_str()))) {
        return Err(("unsupportedFilter", format!("{other} is not supported.")));
    }
    let time = |name: &str| filter[name].as_str().and_then(|it| it.parse::<Timestamp>().ok());
    let has = |mail: &Mail, header: &str, wanted: &Value| {
        wanted
            .as_str()
            .is_none_or(|part| mail.header(header).unwrap_or_default().to_lowercase().contains(&part.to_lowercase()))
    };
    let mut found: Vec<&Mail> = all
        .iter()
        .filter(|mail| match filter["inMailbox"].as_str() {
            None => true,
            Some(id) => id == if mail.sent { "mb-sent" } else { "mb-inbox" },
        })
        .filter(|mail| {
            time("after").is_none_or(|after| mail.received >= after)
                && time("before").is_none_or(|before| mail.received < before)
        })
        .filter(|mail| {
            has(mail, "From", &filter["from"])
                && has(mail, "To", &filter["to"])
                && has(mail, "Subject", &filter["subject"])
        })
        .filter(|mail| {
            filter["text"].as_str().is_none_or(|part| mail.raw.to_lowercase().contains(&part.to_lowercase()))
        })
        .filter(|mail| {
            filter["header"][0].as_str().is_none_or(|name| {
                mail.header(name)
                    .is_some_and(|held| filter["header"][1].as_str().is_none_or(|part| held.contains(part)))
            })
        })
        .collect();
    if given["sort"][0]["isAscending"] != true {
        found.reverse();
    }
    let position = usize::try_from(given["position"].as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
    let limit = given["limit"].as_u64().map_or(256, |it| usize::try_from(it).unwrap_or(256)).min(256);
    let ids: Vec<&str> = found.iter().skip(position).take(limit).map(|mail| mail.id.as_str()).collect();
    Ok(
        json!({ "accountId": ACCOUNT, "queryState": format!("q{}", all.len()), "canCalculateChanges": false, "position": position, "ids": ids, "total": found.len() }),
    )
}

/// Email/get.
pub(super) fn get(all: &[Mail], given: &Value) -> Done {
    let Some(ids) = given["ids"].as_array().filter(|ids| ids.len() <= 500) else {
        return Err(("requestTooLarge", "ids must have at most 500.".to_owned()));
    };
    let wanted: Vec<&str> = given["properties"]
        .as_array()
        .map_or_else(|| PROPERTIES.to_vec(), |all| all.iter().filter_map(Value::as_str).collect());
    if let Some(other) =
        wanted.iter().find(|name| !PROPERTIES.contains(name) && !name.starts_with("header:") && **name != "headers")
    {
        return Err(("invalidArguments", format!("{other} is no property.")));
    }
    let of = |id: &Value| all.iter().find(|mail| *id == mail.id);
    let missing: Vec<&Value> = ids.iter().filter(|id| of(id).is_none()).collect();
    let list: Vec<Value> = ids.iter().filter_map(of).map(|mail| shown(mail, &wanted)).collect();
    Ok(json!({ "accountId": ACCOUNT, "state": format!("e{}", all.len()), "list": list, "notFound": missing }))
}

pub(super) fn threads(all: &[Mail], given: &Value) -> Done {
    let Some(ids) = given["ids"].as_array() else { return Err(("invalidArguments", "ids is required.".to_owned())) };
    let list: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "emailIds": all.iter().filter(|mail| *id == mail.thread).map(|mail| &mail.id).collect::<Vec<_>>() })).collect();
    Ok(json!({ "accountId": ACCOUNT, "state": "h1", "list": list, "notFound": [] }))
}

/// Message identifiers without their brackets.
fn identifiers(mail: &Mail, header: &str) -> Value {
    mail.header(header)
        .map_or(Value::Null, |text| text.split_whitespace().map(|it| json!(it.trim_matches(['<', '>']))).collect())
}

fn people(mail: &Mail, header: &str) -> Value {
    mail.header(header).map_or(Value::Null, |text| {
        addresses(&text).iter().map(|email| json!({ "name": null, "email": email })).collect()
    })
}

fn shown(mail: &Mail, wanted: &[&str]) -> Value {
    let property = |name: &str| match name {
        "id" => json!(mail.id),
        "blobId" => json!(format!("b{}", mail.id)),
        "threadId" => json!(mail.thread),
        "mailboxIds" => json!({ (if mail.sent { "mb-sent" } else { "mb-inbox" }): true }),
        "keywords" => {
            if mail.sent {
                json!({ "$seen": true })
            } else {
                json!({})
            }
        }
        "size" => json!(mail.raw.len()),
        "receivedAt" => json!(mail.received.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        "messageId" => identifiers(mail, "Message-ID"),
        "inReplyTo" => identifiers(mail, "In-Reply-To"),
        "references" => identifiers(mail, "References"),
        "from" => people(mail, "From"),
        "to" => people(mail, "To"),
        "subject" => json!(mail.header("Subject")),
        "preview" => json!(mail.preview()),
        "headers" => mail
            .headers()
            .into_iter()
            .map(|(name, value)| json!({ "name": name, "value": format!(" {value}") }))
            .collect(),
        "textBody" => {
            json!([{ "partId": "1", "blobId": format!("b{}", mail.id), "type": mail.header("Content-Type").unwrap_or_else(|| "text/plain".to_owned()).split(';').next(), "size": mail.body().len() }])
        }
        "bodyValues" => json!({ "1": { "value": mail.body(), "isEncodingProblem": false, "isTruncated": false } }),
        other => json!(mail.header(other.split(':').nth(1).unwrap_or_default())),
    };
    wanted.iter().map(|name| ((*name).to_owned(), property(name))).collect::<Map<_, _>>().into()
}

/// The message that a draft's properties make.
pub(super) fn composed(draft: &Value, id: &str) -> String {
    let list = |name: &str| {
        let all = draft[name].as_array().into_iter().flatten();
        let one = |it: &Value| match it["name"].as_str() {
            Some(name) => format!("{name} <{}>", it["email"].as_str().unwrap_or_default()),
            None => it["email"].as_str().unwrap_or_default().to_owned(),
        };
        all.map(one).collect::<Vec<_>>().join(", ")
    };
    let ids = |name: &str| {
        draft[name]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(|it| format!("<{it}>"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let own = format!("<{id}@shop.example>");
    let message_id = Some(ids("messageId")).filter(|it| !it.is_empty()).unwrap_or(own);
    let from = Some(list("from")).filter(|it| !it.is_empty()).unwrap_or_else(|| OWNER.to_owned());
    let date = rfc2822::DateTimePrinter::new().timestamp_to_string(&Timestamp::now()).unwrap_or_default();
    let mut head = format!(
        "From: {from}\r\nDate: {date}\r\nMessage-ID: {message_id}\r\nSubject: {}\r\n",
        draft["subject"].as_str().unwrap_or_default()
    );
    for (name, value) in
        [("To", list("to")), ("Cc", list("cc")), ("In-Reply-To", ids("inReplyTo")), ("References", ids("references"))]
    {
        if !value.is_empty() {
            head += &format!("{name}: {value}\r\n");
        }
    }
    // Any other header may be set as `header:Name` (RFC 8621 4.1.3).
    for (name, value) in draft.as_object().into_iter().flatten() {
        if let (Some(name), Some(value)) = (name.strip_prefix("header:"), value.as_str()) {
            head += &format!("{}: {}\r\n", name.split(':').next().unwrap_or(name), value.trim());
        }
    }
    let part = draft["textBody"][0]["partId"].as_str().unwrap_or("1");
    let text = draft["bodyValues"][part]["value"].as_str().unwrap_or_default();
    format!("{head}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}")
}

/// Whom a message is addressed to.
pub(super) fn recipients(raw: &str) -> Vec<String> {
    let mail =
        Mail { id: String::new(), thread: String::new(), raw: raw.to_owned(), received: Timestamp::now(), sent: true };
    ["To", "Cc", "Bcc"].iter().filter_map(|name| mail.header(name)).flat_map(|it| addresses(&it)).collect()
}
