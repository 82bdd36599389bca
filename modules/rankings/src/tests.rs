//! Rank tracking on a website and a provider whose truth is known.

mod checks;
mod imports;
mod models;
mod pages;
mod reports;
mod trackers;

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{
    FIRST, Provider, SET, SHOP, SITE, call, check, day, fake, keyword_of, on, put_set, ran, set, tracker,
};

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn of(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn texts(values: &[Value], name: &str) -> Vec<String> {
    values.iter().map(|it| text(it, name).to_owned()).collect()
}

fn detail(fault: &sdk::Fault) -> Value {
    let detail = fault.detail.as_deref().unwrap_or("null");
    sdk::serde_json::from_str(detail).expect("JSON")
}
