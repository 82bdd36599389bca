//! The table of statuses and the error envelope.

use model::id::RequestId;
use model::refusal::{Class, Refusal};
use serde_json::{Value, json};

mod page;

use super::{status, tell};

fn told(refusal: &Refusal) -> Value {
    serde_json::from_str(&tell(refusal, &RequestId::from("req_now")).body).unwrap()
}

#[test]
fn every_class_has_the_status_of_the_specification() {
    let table = [
        (Class::Malformed, 400),
        (Class::Unauthenticated, 401),
        (Class::Payment, 402),
        (Class::Forbidden, 403),
        (Class::NotFound, 404),
        (Class::Method, 405),
        (Class::Conflict, 409),
        (Class::TooLarge, 413),
        (Class::Media, 415),
        (Class::Invalid, 422),
        (Class::Limited, 429),
        (Class::Internal, 500),
        (Class::Unavailable, 503),
    ];
    for (class, number) in table {
        assert_eq!(status(class).as_u16(), number);
    }
}

#[test]
fn details_stand_beside_the_code_and_cannot_replace_it() {
    let refusal = Refusal::invalid_arguments("/a", "no \"good\"").with("code", "other").with("message", "other");
    let body = told(&refusal);
    assert_eq!(
        body,
        json!({ "error": { "code": "invalid_arguments", "message": "no \"good\"", "pointer": "/a" }, "request_id": "req_now" })
    );
}

#[test]
fn a_replayed_refusal_is_the_first_ones_envelope_to_the_letter() {
    let first = Refusal::invalid_arguments("/a", "no good");
    let again = first.clone().again(RequestId::from("req_first"));
    let (first, again) = (tell(&first, &RequestId::from("req_first")), tell(&again, &RequestId::from("req_now")));
    assert_eq!(first.body, again.body);
    assert_eq!((first.replayed, again.replayed), (false, true));
}

#[test]
fn a_conflict_names_the_first_request_and_is_no_replay() {
    let refusal = Refusal::new(Class::Conflict, "idempotency_key_conflict", "other arguments")
        .with("first_request_id", "req_first");
    let body = told(&refusal);
    assert_eq!(body["error"]["first_request_id"], "req_first");
    assert_eq!(body["request_id"], "req_now");
}
