//! The catalog search finds what people mean, shows a grant what it can run, and says what the rest would need.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use model::contract::Contract;
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::goals::{Quality, by_language, goals, misspelt, whole};
use tests::host::{Host, wide};

/// What the search reaches on the half that may be read, among the operations that are served, a little rounded down.
const FIRST: f64 = 0.90;
const AMONG_FIVE: f64 = 0.97;

#[tokio::test(flavor = "multi_thread")]
async fn goals_in_users_words_lead_to_the_operation_that_they_mean() {
    let host = Host::start().await;
    let served: Vec<Arc<Contract>> =
        host.service.core.catalog().current().operations().map(|operation| operation.contract.clone()).collect();
    let all = whole(&served);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("target/search");
    let mut report = String::new();
    let mut reached = None;
    for half in ["tuning", "report"] {
        let goals = goals(half);
        let among_served = Quality::of(&served, &goals);
        for (name, quality) in [
            (format!("{half}, the {} operations served", served.len()), among_served),
            (format!("{half}, all {} operations", all.len()), Quality::of(&all, &goals)),
        ] {
            report.push_str(&quality.line(&name));
            report.push('\n');
        }
        // The other half is only counted.
        if half == "tuning" {
            reached = Some(among_served);
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join("misses.txt"), Quality::misses(&served, &goals)).expect("the misses");
        }
    }
    std::fs::write(folder.join("report.txt"), &report).expect("a report");
    println!("{report}");
    let reached = reached.expect("a half");
    assert!(reached.asked >= 40, "{report}");
    assert!(reached.first >= FIRST && reached.among_five >= AMONG_FIVE, "{report}");
}

/// What the search reaches when a word of the goal is misspelt.
const FIRST_MISSPELT: f64 = 0.80;
const AMONG_FIVE_MISSPELT: f64 = 0.90;

#[tokio::test(flavor = "multi_thread")]
async fn a_goal_with_a_slip_in_it_leads_there_too() {
    let host = Host::start().await;
    let served: Vec<Arc<Contract>> =
        host.service.core.catalog().current().operations().map(|operation| operation.contract.clone()).collect();
    let quality = Quality::of(&served, &misspelt(&goals("tuning")));
    println!("{}", quality.line("tuning, each goal misspelt in four ways"));
    assert!(quality.asked >= 160, "{quality:?}");
    assert!(quality.first >= FIRST_MISSPELT && quality.among_five >= AMONG_FIVE_MISSPELT, "{quality:?}");
}

/// What the search reaches in each language other than English, among the operations that are served.
const FIRST_IN_OTHERS: f64 = 0.60;
const AMONG_FIVE_IN_OTHERS: f64 = 0.80;

#[tokio::test(flavor = "multi_thread")]
async fn goals_in_other_languages_lead_there_too() {
    let host = Host::start().await;
    let served: Vec<Arc<Contract>> =
        host.service.core.catalog().current().operations().map(|operation| operation.contract.clone()).collect();
    let languages = by_language("languages");
    assert_eq!(languages.len(), 11, "{:?}", languages.keys());
    let mut report = String::new();
    let mut low = Vec::new();
    for (language, goals) in &languages {
        let quality = Quality::of(&served, goals);
        report.push_str(&quality.line(language));
        report.push('\n');
        if quality.first < FIRST_IN_OTHERS || quality.among_five < AMONG_FIVE_IN_OTHERS {
            low.push(language);
        }
    }
    println!("{report}");
    assert!(low.is_empty(), "{low:?}\n{report}");
}

fn ids(rows: &Value) -> Vec<&str> {
    rows.as_array().into_iter().flatten().filter_map(|row| row["operation_id"].as_str()).collect()
}

async fn search(customer: &Customer, arguments: Value) -> Value {
    let rest: Vec<String> = arguments
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let value: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
            format!("{name}={value}")
        })
        .collect();
    let mut over_rest = customer.get(&format!("/capabilities?{}", rest.join("&"))).await.data();
    let mut over_mcp = customer.tool("service_capabilities_search", arguments.clone()).await.data();
    for answer in [&mut over_rest, &mut over_mcp] {
        assert!(answer["intent_ref"].as_str().is_some_and(|intent| intent.starts_with("int_")), "{answer}");
        answer["intent_ref"] = Value::Null;
    }
    assert_eq!(over_rest, over_mcp, "{arguments}");
    over_rest
}

#[tokio::test(flavor = "multi_thread")]
async fn results_hold_what_the_grant_can_run_and_a_few_more_say_which_scope_they_lack() {
    let host = Host::start_with(|options| options.rates(wide())).await;
    let reader = host.customer("assets:read").await;
    let goal = json!({ "query": "delete an author" });
    let found = search(&reader, goal.clone()).await;
    assert!(!ids(&found["results"]).contains(&"authors.delete"), "{found}");
    for row in found["results"].as_array().expect("results") {
        assert_eq!((&row["granted"], &row["scopes"]), (&json!(true), &json!(["assets:read"])), "{row}");
        assert!(row["matched"].as_array().is_some_and(|words| !words.is_empty()), "it does not say why: {row}");
    }
    let lacking = found["needs_scope"].as_array().expect("more");
    assert!((1..=3).contains(&lacking.len()), "{found}");
    assert_eq!(lacking[0]["operation_id"], "authors.delete");
    assert_eq!(lacking[0]["missing_scopes"], json!(["destructive:execute"]));
    let owner = host.customer("assets:read assets:write destructive:execute").await;
    let found = search(&owner, goal).await;
    assert_eq!(ids(&found["results"])[0], "authors.delete");
    assert!(!ids(&found["needs_scope"]).contains(&"authors.delete"));
    let nothing = host.customer("billing:read").await;
    let found = search(&nothing, json!({ "query": "delete an author", "module": "authors" })).await;
    assert_eq!((found["total"].as_u64(), ids(&found["results"]).len()), (Some(0), 0));
    assert!(found["hint"].as_str().is_some_and(|hint| hint.contains("scopes")), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn long_results_go_on_with_a_cursor_that_is_good_for_the_same_question_alone() {
    let host = Host::start_with(|options| options.rates(wide())).await;
    let ada = host.customer("assets:read seo:analyze").await;
    let mut seen: Vec<String> = Vec::new();
    let mut question = json!({ "kind": "read", "limit": 20 });
    let mut first = None;
    loop {
        let page = search(&ada, question.clone()).await;
        seen.extend(ids(&page["results"]).into_iter().map(str::to_owned));
        let total = page["total"].as_u64().expect("a total");
        let Some(next) = page["next_cursor"].as_str() else {
            assert_eq!(seen.len() as u64, total);
            break;
        };
        first.get_or_insert(next.to_owned());
        question["cursor"] = json!(next);
    }
    let different: BTreeSet<&String> = seen.iter().collect();
    assert_eq!(different.len(), seen.len(), "an operation came twice");
    let cursor = first.expect("more than one page");
    for wrong in [json!({ "kind": "write", "cursor": cursor }), json!({ "kind": "read", "cursor": "AAAA" })] {
        let refused = ada.tool("service_capabilities_search", wrong.clone()).await;
        assert_eq!(refused.refusal(), "invalid_arguments", "{wrong}");
        let path = format!(
            "/capabilities?kind={}&cursor={}",
            wrong["kind"].as_str().unwrap_or_default(),
            wrong["cursor"].as_str().unwrap_or_default()
        );
        let refused = ada.get(&path).await;
        assert_eq!((refused.refusal().0, refused.pointer()), (422, "/cursor".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fits_elsewhere_is_shown_when_nothing_fits_here() {
    let host = Host::start_with(|options| options.rates(wide())).await;
    let ada = host.customer("assets:read assets:write").await;
    let found = search(&ada, json!({ "query": "zzyzx qwrtp", "module": "authors" })).await;
    assert_eq!(found["total"], 0);
    assert!(found["hint"].as_str().is_some_and(|hint| hint.contains("missing_capability")), "{found}");
    let found = search(&ada, json!({ "query": "hreflang", "module": "authors", "kind": "destructive" })).await;
    if ids(&found["results"]).is_empty() {
        assert!((1..=3).contains(&ids(&found["near_misses"]).len()), "{found}");
    }
    let found = search(&ada, json!({ "query": "list my authers plaese", "module": "authers" })).await;
    assert!(found["hint"].as_str().is_some_and(|hint| hint.contains("did you mean authors?")), "{found}");
    let found = search(&ada, json!({ "query": "list my authers plaese" })).await;
    assert_eq!(ids(&found["results"])[0], "authors.list", "{found}");
}
