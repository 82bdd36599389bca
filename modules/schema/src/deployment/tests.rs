//! Deployments that are listed and taken back.

use sdk::json;
use sdk::value::{Id, Moment};

use crate::deploy::{Deployment, State};
use crate::tests::{PAGE, actions_fit, host};

fn deployed(state: State) -> Deployment {
    Deployment {
        site_id: Id::new("81"),
        url: PAGE.to_owned(),
        state,
        types: vec!["Product".to_owned()],
        template_ref: None,
        connection: "con_1".to_owned(),
        item: "posts/7".to_owned(),
        before: "<p>a</p>".to_owned(),
        before_hash: String::new(),
        after_hash: String::new(),
        block: String::new(),
        deployed_at: Moment::from_millis(1),
        verified_at: Some(Moment::from_millis(1)),
    }
}

#[test]
fn deployments_are_listed_by_state_with_what_acts_on_them() {
    let fake = host().with_as("dep_1", deployed(State::Live)).with_as("dep_2", deployed(State::Missing));
    let all = fake.call("schema.deployment.list", json!({ "site_id": "81" })).unwrap();
    assert_eq!((all["deployments"].as_array().unwrap().len(), actions_fit(&all)), (2, 2));
    let missing = fake.call("schema.deployment.list", json!({ "site_id": "81", "state": "missing" })).unwrap();
    assert_eq!(missing["deployments"][0]["deployment_ref"], "dep_2");
    assert_eq!(missing["deployments"][0]["next"][0]["operation_id"], "schema.deployment.rollback");
}

#[test]
fn an_edited_item_is_not_touched_without_force_and_one_taken_back_stays_so() {
    let fake = host()
        .connected("con_1", "wordpress")
        .with_as("dep_1", deployed(State::Live))
        .with_as("dep_2", deployed(State::RolledBack));
    let post = json!({ "id": 7, "link": PAGE, "status": "publish", "modified_gmt": "2026-09-02T00:00:00", "content": { "raw": "<p>edited</p>" } });
    fake.provider_answers("GET", "/wp-json/wp/v2/posts/7", 200, &post);
    let refused = fake.refusal("schema.deployment.rollback", json!({ "deployment_ref": "dep_1" }));
    assert_eq!(refused.code, "edited_since");
    let forced = fake.call("schema.deployment.rollback", json!({ "deployment_ref": "dep_1", "force": true })).unwrap();
    assert_eq!(
        (&forced["restored"], &forced["conflict"], &forced["degraded"][0]["what"]),
        (&json!(false), &json!(true), &json!("block"))
    );
    assert!(fake.sent().iter().all(|it| it.starts_with("GET ")));
    let again = fake.call("schema.deployment.rollback", json!({ "deployment_ref": "dep_2" })).unwrap();
    assert_eq!((&again["restored"], &again["state"]), (&json!(true), &json!("rolled_back")));
    assert_eq!(
        fake.refusal("schema.deployment.rollback", json!({ "deployment_ref": "dep_9" })).code,
        "deployment_not_found"
    );
}
