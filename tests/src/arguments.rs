//! Arguments that a schema takes and nobody would think of: bounds, odd signs, long texts, real references.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Texts that break what was not made for them.
const ODD: &[&str] = &[
    "",
    " ",
    "a",
    "0",
    "-1",
    "null",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "%00%ff%",
    "\u{202e}\u{2066}rtl",
    "\u{feff}\u{200b}\u{200d}",
    "é\u{301}\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "ไทยภาษา",
    "日本語のページ",
    "((((((((((((((((((((a+)+)+)+)+)+",
    "https://shop.example/",
    "https://shop.example/%E0%A4%A",
    "https://user:secret@shop.example:99999/?a=b#c",
    "http://[::1]/",
    "https://xn--/",
    "https://no-such-host.example/",
    "shop.example",
    "xn--a",
    "2026-02-29",
    "9999-12-31T23:59:60Z",
    "{\"a\":[[[[1]]]]}",
    "<html><head><title>x</title><body><h1>y<p>z",
    "User-agent: *\nDisallow: /",
    "1e999",
    "99999999999999999999999999",
];

/// The longest text that is made, in characters.
const LONGEST: u64 = 20_000;
/// The longest list.
const LONGEST_LIST: u64 = 40;

/// Makes arguments, the same ones for the same seed.
#[derive(Debug)]
pub struct Maker {
    state: u64,
    /// Real values by the name of their member.
    known: BTreeMap<String, Value>,
}

impl Maker {
    /// One that knows these references.
    pub fn new(seed: u64, known: BTreeMap<String, Value>) -> Self {
        Self { state: seed, known }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// Arguments of an operation with this schema; `example` is one of its examples.
    pub fn arguments(&mut self, schema: &Value, example: &Value) -> Value {
        self.value(schema, Some(example), "", 0)
    }

    fn value(&mut self, schema: &Value, example: Option<&Value>, name: &str, depth: u32) -> Value {
        if let Some(options) = schema["enum"].as_array() {
            return options[self.below(options.len() as u64) as usize].clone();
        }
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        for choice in ["oneOf", "anyOf"] {
            if let Some(options) = schema[choice].as_array() {
                let option = options[self.below(options.len() as u64) as usize].clone();
                return self.value(&option, example, name, depth);
            }
        }
        if !name.is_empty() {
            if let Some(known) = self.known.get(name).cloned()
                && !self.one_in(4)
            {
                return known;
            }
            if let Some(example) = example.filter(|it| !it.is_object())
                && self.one_in(2)
            {
                return example.clone();
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds[self.below(kinds.len() as u64) as usize].as_str().unwrap_or("null").to_owned(),
            kind => kind.as_str().unwrap_or("object").to_owned(),
        };
        match kind.as_str() {
            "string" => self.text(schema),
            "integer" => json!(self.whole(schema)),
            "number" => json!(self.whole(schema) as f64 + if self.one_in(2) { 0.5 } else { 0.0 }),
            "boolean" => json!(self.one_in(2)),
            "array" => self.list(schema, example, name, depth),
            "object" => self.object(schema, example, depth),
            _ => Value::Null,
        }
    }

    fn object(&mut self, schema: &Value, example: Option<&Value>, depth: u32) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut made = Map::new();
        let members: Vec<(String, Value)> = schema["properties"]
            .as_object()
            .map(|members| members.iter().map(|(name, schema)| (name.clone(), schema.clone())).collect())
            .unwrap_or_default();
        for (name, member) in members {
            let shown = example.and_then(|it| it.get(&name));
            let wanted = required.contains(&name.as_str()) || (shown.is_some() && !self.one_in(4)) || self.one_in(5);
            if wanted && depth < 12 {
                made.insert(name.clone(), self.value(&member, shown, &name, depth + 1));
            }
        }
        if made.is_empty()
            && let Some(example) = example.filter(|it| it.is_object())
        {
            return example.clone();
        }
        Value::Object(made)
    }

    fn list(&mut self, schema: &Value, example: Option<&Value>, name: &str, depth: u32) -> Value {
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64().unwrap_or(LONGEST_LIST).min(LONGEST_LIST).max(least);
        let many = if self.one_in(3) { most } else { least + self.below((most - least + 1).min(4)) };
        let shown = example.and_then(|it| it.get(0));
        (0..many).map(|_| self.value(&schema["items"], shown, name, depth + 1)).collect()
    }

    fn whole(&mut self, schema: &Value) -> i64 {
        let least = schema["minimum"].as_f64().map_or(-1_000_000_000, |it| it as i64);
        let most = schema["maximum"].as_f64().map_or(9_007_199_254_740_991, |it| it as i64);
        match self.below(4) {
            0 => least,
            1 => most,
            _ => least.saturating_add((self.below(most.saturating_sub(least).unsigned_abs().max(1))) as i64),
        }
    }

    fn text(&mut self, schema: &Value) -> Value {
        let least = schema["minLength"].as_u64().unwrap_or(0);
        let most = schema["maxLength"].as_u64().unwrap_or(LONGEST).min(LONGEST).max(least);
        let odd = ODD[self.below(ODD.len() as u64) as usize];
        let mut text = odd.to_owned();
        if self.one_in(4) {
            let unit = if odd.is_empty() { "x" } else { odd };
            text = unit.repeat((most / unit.chars().count() as u64) as usize + 1);
        }
        while (text.chars().count() as u64) < least {
            text.push('x');
        }
        Value::String(text.chars().take(most as usize).collect())
    }
}
