//! What an operation costs, in words and as numbers, before it is called.

use model::contract::Contract;
use model::cost::{Cost, Most, NativePrice, PerUnit};
use serde_json::{Map, Value, json};

use crate::oauth::by_hand::milli;

/// One line for a list of results.
pub fn line(contract: &Contract) -> String {
    let points = words(&contract.cost);
    match &contract.native_price {
        None => points,
        Some(price) => format!("{points}; {}", native_words(price)),
    }
}

/// The points in full.
pub fn describe(contract: &Contract) -> Value {
    let cost = &contract.cost;
    let mut described = json!({
        "class": cost.class,
        "words": words(cost),
        "formula": "base + points × ceil(max(0, units − free) / every)",
        "base": cost.base,
        "per": cost.per,
        "maximum_points": maximum(contract),
    });
    if contract.follows_work() {
        described["while_work_goes_on"] = json!("free, once a second; answers that say queued or running are meant");
    }
    described
}

/// The credits in full; none when the work has no native price.
pub fn describe_native(contract: &Contract) -> Option<Value> {
    contract.native_price.as_ref().map(|price| {
        json!({
            "words": native_words(price),
            "unit": price.unit,
            "every": price.every,
            "credits": milli(price.credits_milli),
            "most": price.most,
            "maximum_credits": most(&price.most, contract).map(|units| milli(price.milli(units))),
        })
    })
}

/// What a call of so many units costs, in points and in credits where the work has a price.
pub(super) fn of_units(contract: &Contract, units: u64) -> Value {
    let mut estimate = json!({ "for": "units", "units": units, "points": contract.cost.points(units) });
    if let Some(price) = &contract.native_price {
        estimate["credits"] = json!(milli(price.milli(units)));
    }
    estimate
}

/// What a call with the arguments of the example costs at most.
pub(super) fn of_arguments(contract: &Contract, example: &Map<String, Value>) -> Value {
    let mut estimate = json!({ "for": "example_call", "points_at_most": contract.cost.ceiling(example) });
    if let Some(price) = &contract.native_price {
        estimate["credits_at_most"] = json!(milli(price.milli(price.most.of(example))));
    }
    estimate
}

fn words(cost: &Cost) -> String {
    let base = counted(cost.base, "point");
    match &cost.per {
        None => base,
        Some(per) => {
            format!("{base}, and {} for {}{}", counted(per.points, "point"), step(per.every, &per.unit), free(per))
        }
    }
}

fn native_words(price: &NativePrice) -> String {
    let unit = if price.credits_milli == 1_000 { "credit" } else { "credits" };
    match price.every {
        0 | 1 => format!("{} {unit} for {}", milli(price.credits_milli), step(1, &price.unit)),
        many => {
            let (price, units, one) = (milli(price.credits_milli), &price.unit, singular(&price.unit));
            format!("{price} {unit} for {many} {units}, in thousandths for each {one} done")
        }
    }
}

fn step(every: u64, unit: &str) -> String {
    match every {
        0 | 1 => format!("each {}", singular(unit)),
        many => format!("every {many} {unit}"),
    }
}

/// Units are plural nouns by convention of the catalog.
fn singular(unit: &str) -> String {
    match (unit.strip_suffix("ies"), unit.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (None, Some(stem)) if !stem.ends_with('s') => stem.to_owned(),
        _ => unit.to_owned(),
    }
}

fn free(per: &PerUnit) -> String {
    if per.free == 0 { String::new() } else { format!(" past the first {}", per.free) }
}

fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The most points of any call that the contract allows; none when the arguments' schema sets no bound.
fn maximum(contract: &Contract) -> Option<u64> {
    match &contract.cost.per {
        None => Some(contract.cost.base),
        Some(per) => most(&per.most, contract).map(|units| contract.cost.points(units)),
    }
}

fn most(most: &Most, contract: &Contract) -> Option<u64> {
    match most {
        Most::Fixed { fixed } => Some(*fixed),
        Most::Argument { argument, times, otherwise } => {
            let properties = contract.arguments.get("properties")?;
            let bound = |name: &String| {
                let property = properties.get(name)?;
                property.get("maximum").or_else(|| property.get("maxItems")).and_then(Value::as_u64)
            };
            let product = std::iter::once(argument)
                .chain(times)
                .try_fold(1_u64, |product, name| Some(product.saturating_mul(bound(name)?)))?;
            Some(product.max(*otherwise))
        }
    }
}

#[cfg(test)]
mod tests;
