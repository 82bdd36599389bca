//! Tests of profiles, posts, photos, reviews and citations at a Google in memory.

mod citations;
mod posts;
mod profiles;
mod reviews;

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::trial::{Google, LOCATION, SHOP, record, review};

fn called(fake: &Fake, operation: &str, mut arguments: Value) -> Value {
    if arguments.get("location_ref").is_none() {
        arguments["location_ref"] = json!(LOCATION);
    }
    fake.call(operation, arguments).unwrap_or_else(|fault| panic!("{operation}: {fault:?}"))
}

fn refused(fake: &Fake, operation: &str, mut arguments: Value) -> (String, Option<String>) {
    if arguments.get("location_ref").is_none() {
        arguments["location_ref"] = json!(LOCATION);
    }
    let fault = fake.refusal(operation, arguments);
    (fault.code, fault.pointer)
}

fn at(code: &str, pointer: &str) -> (String, Option<String>) {
    (code.to_owned(), Some(pointer.to_owned()))
}

/// The result of the job of a started call.
fn ended(fake: &Fake, started: &Value) -> Value {
    fake.work();
    let job = sdk::value::Id::new(started["job_ref"].as_str().expect("a job"));
    let job = fake.jobs().get(&job).expect("the job");
    job.result().unwrap_or_else(|| panic!("no result: {:?}", job.fault()))
}
