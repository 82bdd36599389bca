//! A member that several modules share is one thing in all of them: who has learned it in one answer is right about it in
//! the next.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use catalog::revision::Revision;
use serde_json::Value;

/// What a member is, as far as a reader must know before reading: `null` beside it counts for nothing, an enumeration is
/// a text, and a list is known by what it lists.
fn kind(schema: &Value, whole: &Value) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")) {
        return kind(&whole["$defs"][name], whole);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let kinds: BTreeSet<String> = choices.iter().filter_map(|it| kind(it, whole)).collect();
            return if kinds.len() > 1 { Some("any".to_owned()) } else { kinds.into_iter().next() };
        }
    }
    let typed = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|it| *it != "null"),
        other => other.as_str().filter(|it| *it != "null"),
    };
    let said = schema["enum"].get(0).unwrap_or(&schema["const"]);
    Some(match typed.or_else(|| said.is_string().then_some("string"))? {
        "array" => format!("list of {}", kind(&schema["items"], whole).unwrap_or_default()),
        "string" => "text".to_owned(),
        "integer" | "number" => "number".to_owned(),
        other => other.to_owned(),
    })
}

/// The kinds of each member, and the modules that have it.
type Known = BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>;

fn walk(schema: &Value, whole: &Value, module: &str, known: &mut Known) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(kind) = kind(member, whole) {
            let (kinds, modules) = known.entry(name.clone()).or_default();
            kinds.insert(kind);
            modules.insert(module.to_owned());
        }
        walk(member, whole, module, known);
    }
    let choices = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|it| schema[it].as_array()).flatten();
    let inner = ["items", "additionalProperties"].into_iter().map(|it| &schema[it]).filter(|it| it.is_object());
    choices.chain(inner).for_each(|it| walk(it, whole, module, known));
}

fn known() -> Known {
    let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("catalog");
    let newest = Revision::dates(&catalog).expect("revisions").pop().expect("a revision");
    let mut known = Known::new();
    for lock in super::tidy::files(&catalog.join(newest).join("contracts"), "json") {
        let contracts = std::fs::read_to_string(&lock).expect("a listed file");
        let contracts: Value = serde_json::from_str(&contracts).expect("JSON");
        let module = lock.file_stem().expect("a name").to_string_lossy().into_owned();
        for operation in contracts["operations"].as_array().expect("operations") {
            for schema in [&operation["arguments"], &operation["result"]] {
                walk(schema, schema, &module, &mut known);
                let shared = schema["$defs"].as_object().into_iter().flatten();
                shared.for_each(|(_, it)| walk(it, schema, &module, &mut known));
            }
        }
    }
    known
}

/// Whether a word that names things counts them here and lists them there.
fn counts_and_lists(kinds: &BTreeSet<String>) -> bool {
    kinds.len() == 2 && kinds.contains("number") && kinds.iter().any(|it| it.starts_with("list of "))
}

#[test]
fn a_member_that_modules_share_is_one_thing_but_for_the_words_that_are_named_here() {
    let known = known();
    let shared = known.iter().filter(|(_, (_, modules))| modules.len() > 1);
    assert!(shared.clone().count() > 300, "the contracts are not read");
    let several: BTreeSet<&str> = shared
        .filter(|(_, (kinds, _))| kinds.len() > 1 && !counts_and_lists(kinds))
        .map(|(name, _)| name.as_str())
        .collect();
    let named: BTreeSet<&str> = SEVERAL.split_whitespace().chain(OF_THE_TABLE.split_whitespace()).collect();
    let new: Vec<_> = several.difference(&named).map(|it| (it, &known[*it])).collect();
    assert!(new.is_empty(), "another module says something else by this word; take another one: {new:#?}");
    let gone: Vec<_> = named.difference(&several).collect();
    assert!(gone.is_empty(), "these words are one thing by now; take them from the list: {gone:?}");
}

/// Words that the table of operations gives to results and arguments of later modules, in another meaning than those before.
const OF_THE_TABLE: &str = "\
    address agents amount anchors attributes body brand categories changes checks clusters connections countries \
    covered curve diff domains drafts dropped end excluded expected facts features field fields filters fit forecast \
    gaps grade headers hours hsts imported lines location locations matches mix n names parameters parent patterns \
    present priority products published queries raw remove resolved restored risk samples saved shares snapshots \
    start submitted targets terms tone topics trend unsupported updated words yoy";

#[test]
fn a_word_of_the_table_is_in_it() {
    let table = include_str!("../../../catalog/operations.tsv");
    for word in OF_THE_TABLE.split_whitespace() {
        assert!(table.contains(word), "{word}");
    }
}

/// Words of everyday language that mean more than one thing: many of them are so in the table of operations. A word is
/// taken from here when its last deviation goes, and none is added.
const SEVERAL: &str = "\
    a advice after alt answered arguments audit author b basis before change changed charge checked code competitors \
    control coverage credentials current declared deleted delta depth_histogram description descriptions detail \
    detected effect eligible entities error errors evidence examples failed failure fixed found freshness given \
    google h1 high html image images indexable instructions internal issues jsonld keywords kinds level links \
    looked_at low markup matched missing next of open_graph order own page pages passed paused position preview \
    price problems profile properties proposed reasons rel removed replaced robots rules sample score settings site \
    sitemaps source sources status stopped summary template text threshold title titles total truncated types url \
    urls value values verified warnings weight where why";
