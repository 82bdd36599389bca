//! What is read of pages, beside what extruct reads; and what graphs, references and broken blocks become.

use std::io::Read;

use kit::dom::Dom;
use kit::url::Url;
use serde_json::{Map, Value, json};

use super::{Extracted, Format, Item, extract, graph, values};

const PAGES: &[u8] = include_bytes!("../../fixtures/pages.json.gz");

fn read(html: &str) -> Extracted {
    extract(&Dom::parse(html), &Url::parse("https://shop.example/page").unwrap())
}

fn block(json: &Value) -> String {
    format!("<script type=\"application/ld+json\">{json}</script>")
}

/// A text as the fixtures have it: without white space, and without a slash at its end.
fn bare_text(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.split_whitespace().collect::<String>().trim_end_matches('/').to_owned()
}

/// An item as the fixtures have it; with `flat`, a node with an address is told apart and named where it is meant.
fn form(node: &Map<String, Value>, flat: bool, apart: &mut Vec<Value>) -> Value {
    let mut properties = Map::new();
    for name in node.keys().filter(|name| !matches!(name.as_str(), "@id" | "@type")) {
        let mut said = Vec::new();
        for value in values(node, name) {
            said.push(match value {
                Value::Object(inner) if flat && inner.contains_key("@id") => {
                    if inner.contains_key("@type") {
                        let told = form(inner, flat, apart);
                        apart.push(told);
                    }
                    Value::from(bare_text(&inner["@id"]))
                }
                Value::Object(inner) => form(inner, flat, apart),
                literal => Value::from(bare_text(literal)),
            });
        }
        said.sort_by_key(Value::to_string);
        // What a graph says twice it says once.
        if flat {
            said.dedup();
        }
        if !said.is_empty() {
            properties.insert(name.clone(), Value::from(said));
        }
    }
    let mut types = super::types(node);
    types.sort_unstable();
    let id = node.get("@id").map(bare_text).unwrap_or_default();
    json!({ "types": types, "id": id, "properties": properties })
}

fn forms(items: &[Item], format: Format) -> Vec<Value> {
    let mut out = Vec::new();
    for item in items.iter().filter(|it| it.format == format) {
        let told = form(&item.value, format == Format::Rdfa, &mut out);
        out.push(told);
    }
    out.sort_by_key(Value::to_string);
    out
}

#[test]
fn two_hundred_pages_are_read_as_extruct_reads_them() {
    let mut text = String::new();
    flate2::read::GzDecoder::new(PAGES).read_to_string(&mut text).unwrap();
    let pages: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(pages.len(), 200);
    let mut same = 0;
    for page in &pages {
        let url = page["url"].as_str().unwrap();
        let found = extract(&Dom::parse(page["html"].as_str().unwrap()), &Url::parse(url).unwrap());
        let mut agrees = true;
        for (name, format) in [("json_ld", Format::JsonLd), ("microdata", Format::Microdata), ("rdfa", Format::Rdfa)] {
            let mut wanted = page["form"][name].as_array().unwrap().clone();
            wanted.sort_by_key(Value::to_string);
            let got = forms(&found.items, format);
            if got != wanted {
                println!("{url} {name}\n ours {}\n theirs {}", Value::from(got), Value::from(wanted));
                agrees = false;
            }
        }
        same += u32::from(agrees);
    }
    assert_eq!(same, 200, "pages that are read alike");
}

#[test]
fn a_graph_becomes_one_list_in_which_a_node_that_two_blocks_tell_of_is_one() {
    let one = json!({ "@context": "https://schema.org", "@graph": [
        { "@type": "Article", "@id": "#a", "author": { "@id": "#ada" } }, { "@type": "Person", "@id": "#ada", "name": "Ada" }] });
    let two =
        json!({ "@context": "https://schema.org", "@id": "#ada", "@type": "Person", "name": "Ada", "url": "/ada" });
    let found = read(&format!("{}{}", block(&one), block(&two)));
    let nodes = graph::nodes(&found.items);
    assert_eq!(nodes.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["#a", "#ada"]);
    assert_eq!(nodes[0].properties["author"], json!({ "@id": "#ada" }));
    assert_eq!(Value::Object(nodes[1].properties.clone()), json!({ "name": "Ada", "url": "/ada" }));
    let resolver = graph::Resolver::new(&found.items);
    assert_eq!(resolver.resolved(&found.items[0].value)["author"]["name"], "Ada");
}

#[test]
fn a_reversed_property_is_turned_round() {
    let html = block(&json!({ "@context": "https://schema.org", "@type": "Person", "@id": "#ada", "name": "Ada",
        "@reverse": { "author": [{ "@type": "Book", "@id": "#notes" }, { "@type": "Book", "name": "Letters" }] } }));
    let nodes = graph::nodes(&read(&html).items);
    let books: Vec<_> = nodes.iter().filter(|it| it.types == ["Book"]).collect();
    assert_eq!(books.len(), 2);
    assert!(books.iter().all(|it| it.properties["author"] == json!({ "@id": "#ada" })), "{nodes:?}");
}

#[test]
fn nodes_that_hold_each_other_come_to_an_end() {
    let html = block(&json!({ "@context": "https://schema.org", "@graph": [
        { "@type": "Person", "@id": "#a", "knows": { "@id": "#b" } }, { "@type": "Person", "@id": "#b", "knows": { "@id": "#a" } }] }));
    let found = read(&html);
    let tree = graph::Resolver::new(&found.items).resolved(&found.items[0].value);
    assert_eq!(tree["knows"]["knows"], json!({ "@id": "#a" }));
    let circle = "<div itemscope itemtype='https://schema.org/Person' id=x itemref=x><b itemprop=name>Ada</b></div>";
    assert_eq!(read(circle).items[0].value["name"], "Ada");
}

#[test]
fn names_are_schema_orgs_whatever_alias_leads_there() {
    let html = block(&json!({ "@context": { "s": "http://schema.org/", "id": "@id", "title": { "@id": "s:name" } },
        "@type": "s:Book", "id": "#b", "title": "Notes", "s:author": { "@value": "Ada" }, "https://schema.org/isbn": "1" }));
    let item = &read(&html).items[0].value;
    assert_eq!(
        Value::Object(item.clone()),
        json!({ "@type": "Book", "@id": "#b", "name": "Notes", "author": "Ada", "isbn": "1" })
    );
}

#[test]
fn a_block_that_breaks_is_told_with_its_line_and_the_others_are_read() {
    let html = format!(
        "<p>\n<script type=\"application/ld+json\">\n{{\n\"@type\": \"Book\",\n}}</script>{}",
        block(&json!({ "@type": "Book" }))
    );
    let found = read(&html);
    assert_eq!(found.items.len(), 1);
    assert_eq!((found.errors[0].line, found.errors[0].format), (5, Format::JsonLd), "{:?}", found.errors);
    assert!(found.errors[1].message.contains("@context"), "{:?}", found.errors);
    let deep = format!("<script type=\"application/ld+json\">{}1{}</script>", "[".repeat(5_000), "]".repeat(5_000));
    assert!(read(&deep).errors[0].message.contains("deeper"));
}
