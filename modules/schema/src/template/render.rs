//! What a property of a template is made of, and the markup that comes of it on a page.

use std::collections::BTreeMap;

use kit::rules::{self, Kind, Ready, Rule};
use sdk::json;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::markup::visible::Visible;
use crate::money;
use site::live::Live;

/// What each property is made of, by its name.
pub(crate) type Maps = BTreeMap<String, Mapped>;

/// What is read of a page without a selector.
#[value]
pub(crate) enum Field {
    /// The address of the page.
    Url,
    /// The title in the head.
    Title,
    /// The description in the head.
    Description,
    /// The main heading.
    Heading,
    /// The first paragraph.
    Lead,
    /// The first picture of the content.
    Picture,
    /// The author whom readers see.
    Author,
    /// The date of publication that readers see.
    Published,
    /// The date of the last change that readers see.
    Modified,
    /// The price that readers see.
    Price,
    /// The currency of that price.
    Currency,
    /// The language that the page declares.
    Language,
}

/// How a value is changed, in the order in which filters are listed.
#[value]
pub(crate) enum Filter {
    /// White space at both ends is taken off, runs of it become one space.
    Trim,
    /// In lower case.
    Lower,
    /// In capital letters.
    Upper,
    /// The amount of a price, with a point.
    Price,
    /// The code of the currency that a price names.
    Currency,
    /// The first number.
    Number,
    /// A date in ISO 8601.
    Date,
    /// An address, resolved against the page.
    Absolute,
    /// The first of several values.
    First,
}

/// Where a value comes from: one of `selector`, `field` and `constant`.
#[args]
pub(crate) struct Mapped {
    /// A CSS selector.
    selector: Option<Text<1, 300>>,
    /// The attribute of the selected element; its text without it.
    attribute: Option<Text<1, 60>>,
    /// Every element that the selector fits, as a list of at most 20.
    #[default(false)]
    multiple: bool,
    /// What is read of the page without a selector.
    field: Option<Field>,
    /// The same value on every page.
    constant: Option<Value>,
    /// How the value is changed.
    #[serde(default)]
    filters: List<Filter, 0, 8>,
    /// Without it the page gets no markup.
    #[default(false)]
    required: bool,
}

impl Mapped {
    /// Checks it; a selector comes back ready to be asked.
    ///
    /// # Errors
    /// The member at fault as a pointer, and what is wrong.
    pub(crate) fn ready(&self) -> Result<Option<Ready>, (&'static str, String)> {
        let given =
            u8::from(self.selector.is_some()) + u8::from(self.field.is_some()) + u8::from(self.constant.is_some());
        if given != 1 {
            return Err(("", "give one of selector, field and constant".to_owned()));
        }
        if self.attribute.is_some() && self.selector.is_none() {
            return Err(("/attribute", "only a selector takes an attribute".to_owned()));
        }
        let Some(selector) = &self.selector else { return Ok(None) };
        let attr = self.attribute.as_ref().map(ToString::to_string);
        let rule =
            Rule { name: String::new(), kind: Kind::Css, expr: selector.to_string(), attr, multiple: self.multiple };
        rule.ready().map(Some).map_err(|why| ("/selector", why))
    }
}

/// The markup of one page.
pub(crate) struct Made {
    pub(crate) node: Map<String, Value>,
    /// Required properties without a value.
    pub(crate) not_found: Vec<String>,
}

impl Made {
    /// The node with its context.
    pub(crate) fn jsonld(&self) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("@context".to_owned(), json!("https://schema.org"));
        out.extend(self.node.clone());
        out
    }
}

/// Renders a page.
pub(crate) fn render(kind: &str, mapping: &Maps, page: &Live) -> Made {
    let visible = Visible::new(page);
    let (mut names, mut asked) = (Vec::new(), Vec::new());
    for (name, mapped) in mapping {
        if let Ok(Some(rule)) = mapped.ready() {
            names.push(name.as_str());
            asked.push(rule);
        }
    }
    let matches = rules::apply(&page.html, &asked);
    let selected: BTreeMap<&str, Vec<Value>> = names
        .into_iter()
        .zip(matches)
        .map(|(name, all)| (name, all.into_iter().map(|it| Value::from(it.value)).collect()))
        .collect();
    let mut node = json!({ "@type": kind });
    let mut not_found = Vec::new();
    for (name, mapped) in mapping {
        let raw = match (&mapped.field, &mapped.constant) {
            (Some(field), _) => read(*field, &visible),
            (None, Some(constant)) => Some(constant.clone()),
            (None, None) => one_or_list(selected.get(name.as_str()).cloned().unwrap_or_default()),
        };
        let value = raw.and_then(|it| mapped.filters.iter().try_fold(it, |it, filter| filtered(it, *filter, page)));
        match value.filter(|it| !it.is_null() && it != "") {
            Some(value) => set(&mut node, name, value),
            None if mapped.required => not_found.push(name.clone()),
            None => {}
        }
    }
    let Value::Object(node) = node else { return Made { node: Map::new(), not_found } };
    Made { node, not_found }
}

fn one_or_list(mut all: Vec<Value>) -> Option<Value> {
    match all.len() {
        0 => None,
        1 => all.pop(),
        _ => Some(Value::Array(all)),
    }
}

fn read(field: Field, page: &Visible<'_>) -> Option<Value> {
    let facts = &page.page.facts;
    let text = |it: Option<&String>| it.map(|it| json!(it));
    match field {
        Field::Url => Some(json!(facts.final_url)),
        Field::Title => text(facts.titles.first()),
        Field::Description => text(facts.descriptions.first()),
        Field::Heading => page.heading().map(|it| it.value),
        Field::Lead => page.lead().map(|it| it.value),
        Field::Picture => page.picture().map(|it| it.value),
        Field::Author => page.author().map(|it| json!({ "@type": "Person", "name": it.value })),
        Field::Published => page.date(kit::dates::Of::Published).map(|it| it.value),
        Field::Modified => page.date(kit::dates::Of::Modified).map(|it| it.value),
        Field::Price => page.price().map(|(it, _)| it.value),
        Field::Currency => page.price().and_then(|(_, it)| it.currency).map(|it| json!(it)),
        Field::Language => text(facts.lang.as_ref()),
    }
}

/// A value through a filter; none when nothing is left of it.
fn filtered(value: Value, filter: Filter, page: &Live) -> Option<Value> {
    if let Value::Array(all) = value {
        if filter == Filter::First {
            return all.into_iter().next();
        }
        let all: Vec<Value> = all.into_iter().filter_map(|it| filtered(it, filter, page)).collect();
        return (!all.is_empty()).then_some(Value::Array(all));
    }
    let text = match &value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return Some(value),
    };
    Some(match filter {
        Filter::Trim => json!(kit::text::collapse(&text)),
        Filter::Lower => json!(text.to_lowercase()),
        Filter::Upper => json!(text.to_uppercase()),
        Filter::Price => json!(money::parse(&text)?.amount()),
        Filter::Currency => json!(money::parse(&text)?.currency?),
        Filter::Number => json!(money::parse(&text)?.milli as f64 / 1_000.0),
        Filter::Date => json!(kit::dates::parse(&text)?.to_string()),
        Filter::Absolute => json!(kit::url::resolve(&page.base, &text)?.to_string()),
        Filter::First => value,
    })
}

/// Sets a value at a path, `offers.price`, making the objects on the way.
fn set(node: &mut Value, path: &str, value: Value) {
    let mut at = node;
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let Value::Object(members) = at else { return };
        if parts.peek().is_none() {
            members.insert(part.to_owned(), value);
            return;
        }
        let inner = members.entry(part.to_owned()).or_insert_with(|| json!({}));
        if !inner.is_object() {
            *inner = json!({});
        }
        at = inner;
    }
}
