//! One whole workflow with the client that openapi-generator makes, as an example of the generated crate.
//!
//! usage: cargo run --example workflow -- REST_BASE TOKEN

use espalier_client::apis::Error;
use espalier_client::apis::catalog_api::{execute_operation, get_capability, search_capabilities};
use espalier_client::apis::configuration::Configuration;
use espalier_client::apis::feedback_api::submit_feedback;
use espalier_client::models::feedback::{Category, CompletionState};
use espalier_client::models::{Feedback, contract_envelope_data::IdempotencyKey};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let here = Configuration {
        base_path: arguments.next().expect("the REST base"),
        bearer_access_token: arguments.next(),
        oauth_access_token: None,
        ..Configuration::default()
    };
    let goal = Some("add an author profile for our blog");
    let found = search_capabilities(&here, goal, None, None, Some(3), None).await.expect("a search");
    let (intent, operation) = (found.data.intent_ref.as_str(), found.data.results[0].operation_id.as_str());
    assert_eq!(operation, "authors.create");
    let contract = get_capability(&here, operation, Some(intent), None, None).await.expect("a contract");
    assert_eq!(contract.data.idempotency_key, Some(IdempotencyKey::Required));

    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_nanos();
    let key = format!("generated-rs-{now}");
    let execute = async |lastname: &str| {
        let body = [("firstname".to_owned(), json!("Ada")), ("lastname".to_owned(), json!(lastname))].into();
        execute_operation(&here, operation, body, Some(&key), Some(intent), None).await
    };
    let first = execute("Lovelace").await.expect("an author");
    let again = execute("Lovelace").await.expect("the same author");
    assert_eq!((&again.data, &again.meta), (&first.data, &first.meta));
    match execute("Byron").await {
        Err(Error::ResponseError(refused)) => {
            assert_eq!(refused.status.as_u16(), 409);
            assert!(refused.content.contains("idempotency_key_conflict"), "{}", refused.content);
        }
        other => panic!("changed arguments under one key: {other:?}"),
    }
    let mut record =
        Feedback::new(Category::WrongResult, CompletionState::Partial, "Add an author profile".to_owned());
    record.intent_ref = Some(intent.to_owned());
    let feedback = submit_feedback(&here, record).await.expect("a record");
    let feedback = feedback.data.feedback_ref;
    println!("{}", json!({ "executed": operation, "replayed": true, "conflict": 409, "feedback": feedback }));
}
