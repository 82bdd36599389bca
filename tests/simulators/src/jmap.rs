//! JMAP: the mailbox of the world over RFC 8620 (core) and RFC 8621 (mail), as far as replies and sending need it.
//!
//! Session, Mailbox/get, Identity/get, Email/query, Email/get, Email/set (drafts), Thread/get, EmailSubmission/set,
//! result references, and the error types of RFC 8620 3.6.1 and 3.6.2.

mod email;

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Map, Value, json};

use crate::lock;
use crate::post_office::{OWNER, PostOffice};
use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};

const TOKEN: &str = "jmap-simulated-token";
const ACCOUNT: &str = "u1f4a1";
const CORE: &str = "urn:ietf:params:jmap:core";
const MAIL: &str = "urn:ietf:params:jmap:mail";
const SUBMISSION: &str = "urn:ietf:params:jmap:submission";
/// Method calls in one request at most.
const CALLS: usize = 16;

pub(crate) struct Jmap {
    post: PostOffice,
    /// Drafts by identifier, as messages.
    drafts: Mutex<BTreeMap<String, String>>,
}

/// A method's answer, or its error type with a description.
type Done = Result<Value, (&'static str, String)>;

impl Jmap {
    pub(crate) fn new(post: PostOffice) -> Self {
        Self { post, drafts: Mutex::default() }
    }
}

fn problem(status: u16, kind: &str, detail: &str) -> Reply {
    let body = json!({ "type": format!("urn:ietf:params:jmap:error:{kind}"), "status": status, "detail": detail });
    let mut reply = Reply::json(status, &body);
    reply.headers = vec![("content-type", "application/problem+json".to_owned())];
    reply
}

impl Provider for Jmap {
    fn credentials(&self) -> Value {
        json!({ "token": TOKEN })
    }

    fn auth(&self, request: &Request) -> Auth {
        Request::check(request.bearer(), TOKEN)
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        match (method, parts.as_slice()) {
            ("GET", [".well-known", "jmap"] | ["jmap", "session"]) => Reply::ok(&session(&desk.url)),
            ("POST", ["jmap", "api"]) => self.api(request, desk),
            ("GET", ["jmap", "download", ACCOUNT, blob, ..]) => {
                match self.post.all().iter().find(|mail| format!("b{}", mail.id) == *blob) {
                    Some(mail) => Reply::text(200, "message/rfc822", &mail.raw),
                    None => problem(404, "notFound", "There is no such blob."),
                }
            }
            _ => problem(404, "notFound", "There is no such resource."),
        }
    }

    fn refused(&self, _: &Request) -> Reply {
        let mut reply = Reply::json(401, &json!({ "type": "about:blank", "status": 401, "title": "Unauthorized" }));
        reply.headers = vec![
            ("content-type", "application/problem+json".to_owned()),
            ("www-authenticate", "Bearer realm=\"jmap\"".to_owned()),
        ];
        reply
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        let mut body = json!({ "type": "urn:ietf:params:jmap:error:limit", "status": 429, "limit": "maxConcurrentRequests", "detail": "Too many requests." });
        body["title"] = json!("Too Many Requests");
        Reply::json(429, &body).header("retry-after", 5)
    }

    fn broken(&self, _: &Request) -> Reply {
        problem(503, "serverUnavailable", "Try again later.")
    }
}

fn session(url: &str) -> Value {
    let core = json!({ "maxSizeUpload": 50_000_000, "maxConcurrentUpload": 4, "maxSizeRequest": 10_000_000, "maxConcurrentRequests": 8, "maxCallsInRequest": CALLS, "maxObjectsInGet": 500, "maxObjectsInSet": 100, "collationAlgorithms": [] });
    let account = json!({ "name": OWNER, "isPersonal": true, "isReadOnly": false, "accountCapabilities": { (CORE): {}, (MAIL): { "maxMailboxesPerEmail": null, "emailQuerySortOptions": ["receivedAt"], "mayCreateTopLevelMailbox": false, "maxSizeAttachmentsPerEmail": 50_000_000, "maxMailboxDepth": null, "maxSizeMailboxName": 100 }, (SUBMISSION): { "maxDelayedSend": 0, "submissionExtensions": {} } } });
    json!({ "capabilities": { (CORE): core, (MAIL): {}, (SUBMISSION): {} }, "accounts": { (ACCOUNT): account }, "primaryAccounts": { (CORE): ACCOUNT, (MAIL): ACCOUNT, (SUBMISSION): ACCOUNT }, "username": OWNER,
        "apiUrl": format!("{url}/jmap/api"), "downloadUrl": format!("{url}/jmap/download/{{accountId}}/{{blobId}}/{{name}}?type={{type}}"), "uploadUrl": format!("{url}/jmap/upload/{{accountId}}/"), "eventSourceUrl": format!("{url}/jmap/events"), "state": "s1" })
}

impl Jmap {
    fn api(&self, request: &Request, desk: &Desk) -> Reply {
        let body = request.json();
        if body.is_null() {
            return problem(400, "notJSON", "The body is not I-JSON.");
        }
        let (Some(using), Some(calls)) = (body["using"].as_array(), body["methodCalls"].as_array()) else {
            return problem(400, "notRequest", "using and methodCalls are required.");
        };
        if let Some(other) = using.iter().find(|it| ![CORE, MAIL, SUBMISSION].iter().any(|known| *it == known)) {
            return problem(400, "unknownCapability", &format!("{other} is not supported."));
        }
        if calls.len() > CALLS {
            return problem(400, "limit", "maxCallsInRequest");
        }
        let mut answers: Vec<Value> = Vec::new();
        let mut created: Map<String, Value> = Map::new();
        for call in calls {
            let (name, id) = (call[0].as_str().unwrap_or_default(), &call[2]);
            let done = referred(&call[1], &answers).and_then(|given| {
                if name != "Core/echo" && given["accountId"] != ACCOUNT {
                    return Err(("accountNotFound", "accountId does not exist.".to_owned()));
                }
                self.call(name, &given, &mut created, request, desk)
            });
            answers.push(match done {
                Ok(value) => json!([name, value, id]),
                Err((kind, detail)) => json!(["error", { "type": kind, "description": detail }, id]),
            });
        }
        Reply::ok(&json!({ "methodResponses": answers, "sessionState": "s1", "createdIds": created }))
    }

    fn call(
        &self,
        name: &str,
        given: &Value,
        created: &mut Map<String, Value>,
        request: &Request,
        desk: &Desk,
    ) -> Done {
        match name {
            "Core/echo" => Ok(given.clone()),
            "Mailbox/get" => {
                let role = |(id, role, name): (&str, &str, &str)| json!({ "id": id, "name": name, "role": role, "parentId": null, "sortOrder": 0, "isSubscribed": true, "totalEmails": self.post.all().iter().filter(|mail| mail.sent == (id == "mb-sent")).count() });
                let list: Vec<Value> =
                    [("mb-inbox", "inbox", "Inbox"), ("mb-sent", "sent", "Sent"), ("mb-drafts", "drafts", "Drafts")]
                        .map(role)
                        .into();
                Ok(json!({ "accountId": ACCOUNT, "state": "m1", "list": list, "notFound": [] }))
            }
            "Identity/get" => Ok(
                json!({ "accountId": ACCOUNT, "state": "i1", "list": [{ "id": "id-1", "name": "Lamp shop", "email": OWNER, "mayDelete": false }], "notFound": [] }),
            ),
            "Email/query" => email::query(&self.post.all(), given),
            "Email/get" => email::get(&self.post.all(), given),
            "Thread/get" => email::threads(&self.post.all(), given),
            "Email/set" => {
                let mut drafts = lock(&self.drafts);
                let mut made = Map::new();
                for (key, draft) in given["create"].as_object().into_iter().flatten() {
                    let id = format!("draft-{}", drafts.len() + 1);
                    drafts.insert(id.clone(), email::composed(draft, &id));
                    created.insert(key.clone(), json!(id));
                    made.insert(
                        key.clone(),
                        json!({ "id": id, "blobId": format!("b{id}"), "threadId": id, "size": 0 }),
                    );
                }
                let destroyed: Vec<&Value> = given["destroy"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|id| drafts.remove(id.as_str().unwrap_or_default()).is_some())
                    .collect();
                Ok(
                    json!({ "accountId": ACCOUNT, "oldState": "e1", "newState": "e2", "created": made, "updated": null, "destroyed": destroyed }),
                )
            }
            "EmailSubmission/set" => Ok(self.submit(given, created, request, desk)),
            _ => Err(("unknownMethod", format!("{name} is not supported."))),
        }
    }

    fn submit(&self, given: &Value, created: &Map<String, Value>, request: &Request, desk: &Desk) -> Value {
        let (mut made, mut refused) = (Map::new(), Map::new());
        for (key, submission) in given["create"].as_object().into_iter().flatten() {
            let named = submission["emailId"].as_str().unwrap_or_default();
            let id = named.strip_prefix('#').and_then(|key| created.get(key)).and_then(Value::as_str).unwrap_or(named);
            let Some(raw) = lock(&self.drafts).get(id).cloned() else {
                refused.insert(key.clone(), json!({ "type": "invalidProperties", "properties": ["emailId"] }));
                continue;
            };
            let recipients: Vec<String> = submission["envelope"]["rcptTo"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|it| it["email"].as_str())
                .map(str::to_lowercase)
                .collect();
            let to = if recipients.is_empty() { email::recipients(&raw) } else { recipients };
            if to.is_empty() {
                refused.insert(key.clone(), json!({ "type": "noRecipients" }));
                continue;
            }
            lock(&self.drafts).remove(id);
            let mail = self.post.send(&raw, &to);
            desk.effect("message.sent", to.join(","), request);
            made.insert(key.clone(), json!({ "id": format!("sub-{}", mail.id), "threadId": mail.thread, "sendAt": mail.received.to_string(), "undoStatus": "final", "emailId": mail.id }));
        }
        json!({ "accountId": ACCOUNT, "oldState": "t1", "newState": "t2", "created": made, "notCreated": refused })
    }
}

/// The arguments with result references (RFC 8620 3.7) put in.
fn referred(given: &Value, answers: &[Value]) -> Done {
    let Some(members) = given.as_object() else {
        return Err(("invalidArguments", "The arguments are no object.".to_owned()));
    };
    let mut whole = Map::new();
    for (name, value) in members {
        let Some(plain) = name.strip_prefix('#') else {
            whole.insert(name.clone(), value.clone());
            continue;
        };
        let bad = || ("invalidResultReference", format!("{name} refers to nothing."));
        let answer = answers.iter().find(|it| it[2] == value["resultOf"] && it[0] == value["name"]).ok_or_else(bad)?;
        let path = value["path"].as_str().ok_or_else(bad)?;
        // A star maps over a list: `/list/*/threadId`.
        let found = match path.split_once("/*") {
            None => answer[1].pointer(path).cloned().ok_or_else(bad)?,
            Some((list, rest)) => {
                let list = answer[1].pointer(list).and_then(Value::as_array).ok_or_else(bad)?;
                let mut all: Vec<Value> = list.iter().filter_map(|it| it.pointer(rest).cloned()).collect();
                all.dedup();
                json!(all)
            }
        };
        whole.insert(plain.to_owned(), found);
    }
    Ok(Value::Object(whole))
}
