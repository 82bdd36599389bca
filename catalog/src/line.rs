//! One-line forms that a reviewer reads in a lock: text, lists, costs and prices.

use model::cost::{Cost, Most, NativePrice};

/// A TOML string.
pub fn text(value: &str) -> String {
    toml::Value::String(value.to_owned()).to_string()
}

/// A TOML list of strings on one line.
pub fn list<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    format!("[{}]", items.into_iter().map(text).collect::<Vec<_>>().join(", "))
}

/// What a call costs: `live: 5 points, then 2 per page after 10, at most limit or 25`.
pub fn cost(cost: &Cost) -> String {
    let base = format!("{}: {}", cost.class, counted(cost.base, "point"));
    let Some(per) = &cost.per else { return base };
    let every = if per.every == 1 { String::new() } else { format!("{} ", per.every) };
    let free = if per.free == 0 { String::new() } else { format!(" after {}", per.free) };
    format!("{base}, then {} per {every}{}{free}, at most {}", per.points, per.unit, most(&per.most))
}

/// What native work costs: `250 credits_milli per action, at most 30`.
pub fn price(price: &NativePrice) -> String {
    let every = if price.every == 1 { String::new() } else { format!("{} ", price.every) };
    format!("{} credits_milli per {every}{}, at most {}", price.credits_milli, price.unit, most(&price.most))
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn most(most: &Most) -> String {
    match most {
        Most::Fixed { fixed } => fixed.to_string(),
        Most::Argument { argument, times: None, otherwise } => format!("{argument} or {otherwise}"),
        Most::Argument { argument, times: Some(times), otherwise } => format!("{argument} × {times} or {otherwise}"),
    }
}
