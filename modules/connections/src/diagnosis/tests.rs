//! What providers say, in their documented words, and what is made of it.

use sdk::serde_json::Value;
use sdk::{SendFailure, Sent, json};

use super::*;

const NOW: u64 = 1_790_553_600_000;

fn answered(status: u16, headers: &[(&str, &str)], body: &str) -> Result<Sent, SendFailure> {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Ok(Sent { status, headers, body: body.into(), truncated: false, total_ms: 5 })
}

fn read(kind: &str, answer: &Result<Sent, SendFailure>) -> Diagnosis {
    diagnose(kind, answer, &["all rights".to_owned()], Moment::from_millis(NOW))
}

fn code(kind: &str, status: u16, body: &Value) -> Option<Code> {
    read(kind, &answered(status, &[], &body.to_string())).trouble.map(|it| it.code)
}

/// Each kind with what its probe is answered when all is well.
fn well() -> Vec<(&'static str, Value)> {
    let may = json!({ "edit_posts": true, "edit_pages": true, "publish_posts": true, "upload_files": true });
    vec![
        ("wordpress", json!({ "id": 1, "capabilities": may })),
        ("google_search_console", json!({ "siteEntry": [] })),
        ("google_business_profile", json!({ "accounts": [] })),
        ("ga4", json!({ "dimensions": [], "metrics": [] })),
        ("gmail", json!({ "emailAddress": "hello@shop.example" })),
        ("bing_webmaster", json!({ "d": [] })),
        ("dataforseo", json!({ "status_code": 20_000, "tasks": [] })),
        ("llm", json!({ "object": "list", "data": [] })),
        ("jmap", json!({ "capabilities": { "urn:ietf:params:jmap:mail": {} }, "apiUrl": "/jmap/api" })),
        ("cloudflare", json!({ "success": true, "result": { "id": "1", "status": "active" } })),
        ("powerdns", json!({ "type": "Server", "id": "localhost" })),
        ("name_com", json!({ "username": "lampshop" })),
        ("porkbun", json!({ "status": "SUCCESS", "yourIp": "192.0.2.1" })),
        ("fulfilment", json!({ "tasks": [] })),
    ]
}

#[test]
fn every_kind_has_an_answer_that_is_well_and_faults_that_are_told_apart() {
    for (kind, body) in well() {
        let fine = read(kind, &answered(200, &[("date", "Mon, 28 Sep 2026 00:00:09 GMT")], &body.to_string()));
        assert_eq!((fine.trouble, fine.accepted, fine.clock_skew), (None, true, Some(9)), "{kind}");
        assert_eq!(code(kind, 200, &json!({ "unexpected": [true] })), Some(Code::MalformedAnswer), "{kind}");
        let page = answered(200, &[], "<html>Please wait.</html>");
        assert_eq!(read(kind, &page).trouble.unwrap().code, Code::MalformedAnswer, "{kind}");
        let apart = read(kind, &answered(200, &[("date", "Tue, 29 Sep 2026 00:00:00 GMT")], &body.to_string()));
        assert_eq!((apart.trouble.unwrap().code, apart.accepted), (Code::ClockSkew, true), "{kind}");
        assert_eq!(code(kind, 503, &json!({})), Some(Code::ProviderError), "{kind}");
        assert_eq!(code(kind, 302, &json!({})), Some(Code::ProviderError), "{kind}");
        for (failure, wanted) in [
            (SendFailure::Timeout, Code::Timeout),
            (SendFailure::Unreachable, Code::Unreachable),
            (SendFailure::Tls, Code::Unreachable),
            (SendFailure::Refused, Code::Unreachable),
            (SendFailure::Malformed, Code::MalformedAnswer),
            (SendFailure::ExpiredCredential, Code::ExpiredCredential),
            (SendFailure::RateLimited(Some(30)), Code::Quota),
        ] {
            let read = read(kind, &Err(failure));
            assert_eq!((read.trouble.unwrap().code, read.accepted), (wanted, false), "{kind} {failure:?}");
        }
    }
}

#[test]
fn a_no_in_a_providers_own_words_is_understood() {
    let google = |status: &str, reason: &str, message: &str| json!({ "error": { "status": status, "message": message, "errors": [{ "reason": reason }] } });
    for (kind, status, body, wanted) in [
        (
            "bing_webmaster",
            400,
            json!({ "ErrorCode": 3, "Message": "ERROR!!! InvalidApiKey" }),
            Code::ExpiredCredential,
        ),
        ("bing_webmaster", 400, json!({ "ErrorCode": 4, "Message": "ERROR!!! ThrottleUser" }), Code::Quota),
        ("bing_webmaster", 400, json!({ "ErrorCode": 14, "Message": "ERROR!!! NotAuthorized" }), Code::WrongAccount),
        ("cloudflare", 403, json!({ "success": false, "errors": [{ "code": 10_000 }] }), Code::ExpiredCredential),
        ("cloudflare", 403, json!({ "success": false, "errors": [{ "code": 9_109 }] }), Code::MissingPermission),
        ("cloudflare", 200, json!({ "success": true, "result": { "status": "expired" } }), Code::ExpiredCredential),
        ("dataforseo", 200, json!({ "status_code": 40_202, "tasks": [] }), Code::Quota),
        ("dataforseo", 402, json!({ "status_code": 40_200, "tasks": [] }), Code::Quota),
        ("dataforseo", 403, json!({ "status_code": 40_104, "tasks": [] }), Code::WrongAccount),
        ("dataforseo", 500, json!({ "status_code": 50_000, "tasks": [] }), Code::ProviderError),
        ("llm", 403, json!({ "error": { "code": "insufficient_quota" } }), Code::Quota),
        ("llm", 403, json!({ "error": { "code": null } }), Code::MissingPermission),
        ("name_com", 403, json!({ "message": "Permission Denied" }), Code::WrongAccount),
        ("porkbun", 400, json!({ "status": "ERROR", "message": "Invalid API key. (001)" }), Code::ExpiredCredential),
        ("porkbun", 503, json!({ "status": "ERROR", "message": "Too many requests. Please slow down." }), Code::Quota),
        ("porkbun", 500, json!({ "status": "ERROR", "message": "Something went wrong." }), Code::ProviderError),
        ("wordpress", 404, json!({ "code": "rest_no_route" }), Code::ProviderError),
        ("wordpress", 403, json!({ "code": "rest_forbidden" }), Code::MissingPermission),
        (
            "pagespeed",
            400,
            google("INVALID_ARGUMENT", "badRequest", "API key not valid. Please pass a valid API key."),
            Code::ExpiredCredential,
        ),
        ("ga4", 403, google("PERMISSION_DENIED", "insufficientPermissions", ""), Code::MissingPermission),
        (
            "google_business_profile",
            403,
            google("PERMISSION_DENIED", "accessNotConfigured", ""),
            Code::MissingPermission,
        ),
        ("google_search_console", 403, google("PERMISSION_DENIED", "forbidden", ""), Code::WrongAccount),
        ("gmail", 403, google("RESOURCE_EXHAUSTED", "userRateLimitExceeded", ""), Code::Quota),
    ] {
        assert_eq!(code(kind, status, &body), Some(wanted), "{kind} {status} {body}");
    }
}

#[test]
fn an_accepted_key_that_is_told_that_the_address_is_missing_is_well() {
    let missing = json!({ "error": { "code": 400, "status": "INVALID_ARGUMENT", "message": "Missing url", "errors": [{ "reason": "badRequest" }] } });
    assert_eq!(code("pagespeed", 400, &missing), None);
    assert_eq!(code("google_indexing", 400, &missing), None);
    assert_eq!(code("google_search_console", 400, &missing), Some(Code::ProviderError));
}

#[test]
fn what_an_account_may_not_do_is_named() {
    let author = json!({ "id": 1, "capabilities": { "edit_posts": true, "upload_files": true } }).to_string();
    let read = read("wordpress", &answered(200, &[], &author));
    assert_eq!(read.missing_permissions, ["edit_pages", "publish_posts"]);
    assert_eq!((read.trouble.unwrap().code, read.accepted), (Code::MissingPermission, true));
}

#[test]
fn what_is_left_is_read_from_headers_and_bodies() {
    let quota = |kind, headers: &[(&str, &str)], body: &str| read(kind, &answered(200, headers, body)).quota;
    let models = r#"{"data":[]}"#;
    let named = quota("llm", &[("x-ratelimit-limit-requests", "500"), ("x-ratelimit-remaining-requests", "3")], models);
    assert_eq!(named.map(|it| (it.limit, it.remaining)), Some((Some(500.0), Some(3.0))));
    let fields = [("ratelimit", "\"default\";r=50;t=30"), ("ratelimit-policy", "\"default\";q=1200;w=300")];
    let drafted = quota("cloudflare", &fields, r#"{"success":true,"result":{"status":"active"}}"#);
    assert_eq!(drafted.map(|it| (it.limit, it.remaining)), Some((Some(1_200.0), Some(50.0))));
    let money = r#"{"status_code":20000,"tasks":[{"result":[{"money":{"total":50.0,"balance":12.5}}]}]}"#;
    let credit = quota("dataforseo", &[], money).unwrap();
    assert_eq!((credit.remaining, credit.unit.as_str()), (Some(12.5), "usd"));
    assert_eq!(quota("llm", &[], models), None);
    let limited = read("llm", &Err(SendFailure::RateLimited(Some(7))));
    assert_eq!(limited.quota.and_then(|it| it.retry_after), Some(7));
}
