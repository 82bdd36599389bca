//! The words of an answer: from the prompt's own sentences, or as a schema wants them.

use serde_json::{Map, Value, json};

use crate::seed::{Dice, Seed};
use crate::shop::{self, PRESS, RIVALS};

/// The answer and whether it was said to its end.
pub(super) fn answer(
    seed: Seed,
    model: &str,
    prompt: &str,
    sample: u64,
    schema: Option<&Value>,
    most: usize,
) -> (String, bool) {
    let mut dice = seed.dice(&["answer", model, prompt, &sample.to_string()]);
    let text = match schema {
        Some(schema) => shaped(schema, schema, prompt, "", &mut dice, 0).to_string(),
        None if asks_whom(prompt) => recommendation(seed, model, prompt, sample, &mut dice),
        None => retold(prompt, &mut dice),
    };
    let bytes = most.saturating_mul(4);
    if text.len() <= bytes {
        return (text, true);
    }
    let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    (text[..end].to_owned(), false)
}

fn asks_whom(prompt: &str) -> bool {
    let low = prompt.to_lowercase();
    ["best", "recommend", "where", "which shop", "who sells", "alternatives", "buy"]
        .iter()
        .any(|word| low.contains(word))
        && low.len() < 600
}

/// How often answers of a model to a prompt name the shop: by the model, and more or less by the prompt.
pub(super) fn rate(seed: Seed, model: &str, prompt: &str) -> f64 {
    let base = match model {
        "sim-large" => 0.7,
        "sim-small" => 0.3,
        _ => 0.5,
    };
    (base + (seed.dice(&["named", prompt]).unit() - 0.5) * 0.5).clamp(0.0, 1.0)
}

/// What a model searches the web for: the words of the last line, without those that ask.
pub(super) fn searched(prompt: &str) -> String {
    let line = prompt.trim().lines().last().unwrap_or_default().trim_end_matches('?').to_lowercase();
    let asks = ["what", "which", "are", "is", "the", "do", "you", "i", "can", "where", "should", "would"];
    line.split_whitespace().filter(|it| !asks.contains(it)).collect::<Vec<_>>().join(" ")
}

/// Names some shops in an order of merit and says where it has that from.
fn recommendation(seed: Seed, model: &str, prompt: &str, sample: u64, dice: &mut Dice) -> String {
    let mut names: Vec<(String, String)> =
        RIVALS.iter().map(|it| (it.trim_end_matches(".example").to_owned(), format!("https://{it}/"))).collect();
    names.sort_by_key(|_| dice.below(1_000));
    names.truncate(dice.between(2, 4) as usize);
    if seed.dice(&["names the shop", model, prompt, &sample.to_string()]).unit() < rate(seed, model, prompt) {
        let place = dice.below(names.len() as u64 + 1) as usize;
        names.insert(place, (shop::BRAND.to_owned(), shop::url("/products")));
    }
    let mut text = format!(
        "For \u{201c}{}\u{201d}, these come up most often:\n\n",
        prompt.trim().lines().last().unwrap_or_default()
    );
    for (at, (name, url)) in names.iter().enumerate() {
        let why = dice.pick(&[
            "known for parts that can be changed",
            "good prices, slower delivery",
            "a wide choice of brass lamps",
            "praised for its guides to good light",
            "some buyers report bent shades",
        ]);
        text += &format!("{}. **{name}** - {why}. ([source]({url}))\n", at + 1);
    }
    text + &format!("\nA longer comparison is at https://{}/lamps.", dice.pick(&PRESS))
}

/// Sentences of the prompt, those that say something, in another order.
fn sentences(prompt: &str) -> Vec<&str> {
    prompt.split_inclusive(['.', '\n']).map(str::trim).filter(|it| it.split_whitespace().count() > 4).collect()
}

fn retold(prompt: &str, dice: &mut Dice) -> String {
    let all = sentences(prompt);
    if all.is_empty() {
        return format!("In short: {}", prompt.split_whitespace().take(40).collect::<Vec<_>>().join(" "));
    }
    let count = all.len().min(6);
    let start = dice.below(all.len() as u64) as usize;
    let picked: Vec<&str> = (0..count).map(|step| all[(start + step) % all.len()]).collect();
    picked.join(" ")
}

/// A value that follows the schema, as structured outputs promise.
fn shaped(root: &Value, schema: &Value, prompt: &str, name: &str, dice: &mut Dice, depth: usize) -> Value {
    if let Some(place) = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#')).filter(|_| depth < 12) {
        return root.pointer(place).map_or(Value::Null, |schema| shaped(root, schema, prompt, name, dice, depth + 1));
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(values) = schema["enum"].as_array().filter(|it| !it.is_empty()) {
        return dice.pick(values).clone();
    }
    if let Some(first) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()).and_then(|all| all.first()) {
        return shaped(root, first, prompt, name, dice, depth + 1);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str).unwrap_or("string"),
        kind => kind.as_str().unwrap_or(if schema["properties"].is_object() { "object" } else { "string" }),
    };
    let number = |name: &str, other: f64| schema[name].as_f64().unwrap_or(other);
    match kind {
        "object" => {
            let members = schema["properties"].as_object().cloned().unwrap_or_default();
            Value::Object(
                members
                    .iter()
                    .map(|(name, schema)| (name.clone(), shaped(root, schema, prompt, name, dice, depth + 1)))
                    .collect::<Map<_, _>>(),
            )
        }
        "array" if depth < 12 => {
            let low = schema["minItems"].as_u64().unwrap_or(1);
            let high = schema["maxItems"].as_u64().unwrap_or(low.max(3)).max(low);
            (0..dice.between(low, high.min(low + 8)))
                .map(|_| shaped(root, &schema["items"], prompt, name, dice, depth + 1))
                .collect()
        }
        "integer" => json!(
            (number("minimum", 0.0) + dice.unit() * (number("maximum", 100.0) - number("minimum", 0.0) + 1.0))
                .floor()
                .min(number("maximum", 100.0)) as i64
        ),
        "number" => json!(number("minimum", 0.0) + dice.unit() * (number("maximum", 1.0) - number("minimum", 0.0))),
        "boolean" => json!(dice.below(2) == 0),
        "null" => Value::Null,
        _ => json!(worded(schema, prompt, name, dice)),
    }
}

/// A text from the prompt within the bounds of the schema.
fn worded(schema: &Value, prompt: &str, name: &str, dice: &mut Dice) -> String {
    match schema["format"].as_str() {
        Some("date") => return "2026-11-01".to_owned(),
        Some("date-time") => return "2026-11-01T09:00:00Z".to_owned(),
        Some("uri" | "iri" | "url") => return shop::url("/guides/reading"),
        Some("email") => return "hello@shop.example".to_owned(),
        _ => {}
    }
    if name.contains("url") || name.contains("link") {
        return shop::url(&dice.pick(&shop::pages()).path.clone());
    }
    // Strict structured output knows no `maxLength`: a bound that is said in words is followed, as models do.
    let said =
        schema["description"].as_str().and_then(|it| it.split_once("at most ")?.1.split(' ').next()?.parse().ok());
    let most = schema["maxLength"].as_u64().or(said).map_or(200, |it| it as usize);
    let all = sentences(prompt);
    let source = if all.is_empty() { prompt.trim() } else { *dice.pick(&all) };
    let mut text = String::new();
    for word in source.split_whitespace() {
        if text.chars().count() + word.chars().count() + 1 > most {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    let least = schema["minLength"].as_u64().map_or(0, |it| it as usize);
    while text.chars().count() < least {
        text.push_str(" lamp");
    }
    text
}

/// The addresses of a text as annotations of a search.
pub(super) fn citations(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("http") {
        let rest = &text[start..];
        let end = rest.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(rest.len());
        let url = rest[..end].trim_end_matches('.');
        let before = text[..start].chars().count();
        let end = before + url.chars().count();
        found
            .push(json!({ "type": "url_citation", "url": url, "title": url, "start_index": before, "end_index": end }));
    }
    found
}
