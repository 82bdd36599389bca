//! What costs look like in words and numbers.

use model::contract::Contract;
use serde_json::{Value, json};

use super::{describe, describe_native, line};

fn contract(cost: Value, native: Value) -> Contract {
    let mut contract = json!({
        "id": "authors.list", "export": "authors-list", "kind": "read", "mode": "immediate",
        "scopes": ["assets:read"], "summary": "Lists authors.", "cost": cost,
        "arguments": { "type": "object", "properties": { "limit": { "type": "integer", "maximum": 100 } } },
        "result": { "type": "object" },
    });
    if !native.is_null() {
        contract["native_price"] = native;
    }
    serde_json::from_value(contract).unwrap()
}

#[test]
fn a_fixed_cost_is_its_own_maximum() {
    let contract = contract(json!({ "class": "write", "base": 1 }), Value::Null);
    assert_eq!(line(&contract), "1 point");
    assert_eq!(describe(&contract)["maximum_points"], 1);
    assert_eq!(describe_native(&contract), None);
}

#[test]
fn a_cost_that_grows_is_bounded_by_what_the_schema_allows() {
    let per = json!({ "unit": "rows", "every": 25, "points": 2, "free": 25, "most": { "argument": "limit", "otherwise": 25 } });
    let contract = contract(json!({ "class": "list", "base": 1, "per": per }), Value::Null);
    assert_eq!(line(&contract), "1 point, and 2 points for every 25 rows past the first 25");
    assert_eq!(describe(&contract)["maximum_points"], 1 + 2 * 3);
}

#[test]
fn a_native_price_is_written_in_credits_and_not_rounded() {
    let native = json!({ "unit": "urls", "every": 1, "credits_milli": 1_250, "most": { "fixed": 10 } });
    let contract = contract(json!({ "class": "job", "base": 2 }), native);
    assert_eq!(line(&contract), "2 points; 1.25 credits for each url");
    assert_eq!(describe_native(&contract).unwrap()["maximum_credits"], "12.5");
    let many = json!({ "unit": "pages", "every": 1_000, "credits_milli": 1_000, "most": { "fixed": 2_500 } });
    let many = self::contract(json!({ "class": "job", "base": 2 }), many);
    assert_eq!(line(&many), "2 points; 1 credit for 1000 pages, in thousandths for each page done");
    assert_eq!(describe_native(&many).unwrap()["maximum_credits"], "2.5");
}
