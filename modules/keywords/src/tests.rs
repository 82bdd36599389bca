//! Keyword research on a website and a provider whose truth is known.

mod clusters;
mod ideas;
mod items;
mod metrics;
mod pages;
mod queries;
mod sets;

use sdk::json;
use sdk::serde_json::Value;

use crate::trial::{Provider, SHOP, SITE, call, crawled, day, fake, figures, job, set};

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
