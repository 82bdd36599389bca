//! Labs: keywords that belong together, what sites rank for, who competes.
//!
//! Source: docs.dataforseo.com/v3/dataforseo_labs/google/* (one page for each endpoint). Lists are cut by `limit` and
//! `offset` and say their `total_count`.

use serde_json::{Value, json};

use super::keywords::{figures, is_known, months, taken};
use super::{Refused, market, stamp, text, texts, window};
use crate::seed::Seed;
use crate::shop::{self, RIVALS};

/// `keyword_info`, `keyword_properties` and `search_intent_info` of a keyword.
fn keyword(seed: Seed, data: &Value, words: &str) -> Value {
    let held = figures(seed, words);
    json!({ "se_type": "google", "keyword": words, "location_code": data["location_code"], "language_code": data["language_code"],
        "keyword_info": { "se_type": "google", "last_updated_time": stamp(), "competition": held.competition as f64 / 100.0, "competition_level": if held.competition > 66 { "HIGH" } else if held.competition > 33 { "MEDIUM" } else { "LOW" },
            "cpc": held.cents as f64 / 100.0, "search_volume": held.volume, "monthly_searches": months(seed, words, held.volume, 12) },
        "keyword_properties": { "se_type": "google", "core_keyword": null, "keyword_difficulty": held.difficulty, "detected_language": "en" },
        "search_intent_info": { "se_type": "google", "main_intent": held.intent, "foreign_intent": null, "last_updated_time": stamp() } })
}

/// One result with a cut of its items.
fn cut(data: &Value, items: Vec<Value>, mut about: Value) -> Result<Value, Refused> {
    let (offset, limit) = window(data)?;
    let total = items.len();
    let items: Vec<Value> = items.into_iter().skip(offset).take(limit).collect();
    about["se_type"] = json!("google");
    about["location_code"] = data["location_code"].clone();
    about["language_code"] = data["language_code"].clone();
    about["total_count"] = json!(total);
    about["items_count"] = json!(items.len());
    about["offset"] = json!(offset);
    about["items"] = json!(items);
    Ok(json!([about]))
}

fn alike(words: &str) -> Vec<String> {
    let parts: Vec<&str> = words.split_whitespace().filter(|it| it.len() > 2).collect();
    shop::queries()
        .into_iter()
        .filter(|query| query != words && parts.iter().any(|part| query.contains(part)))
        .collect()
}

pub(super) fn overview(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let all = texts(data, "keywords", 700)?;
    market(data)?;
    taken(&all)?;
    cut(
        &json!({ "limit": 1_000, "location_code": data["location_code"], "language_code": data["language_code"] }),
        all.iter().filter(|it| is_known(it)).map(|it| keyword(seed, data, it)).collect(),
        json!({}),
    )
}

pub(super) fn history(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let all = texts(data, "keywords", 700)?;
    market(data)?;
    taken(&all)?;
    let row = |it: &String| {
        let mut row = keyword(seed, data, it);
        row["keyword_info"]["monthly_searches"] = json!(months(seed, it, figures(seed, it).volume, 60));
        row
    };
    cut(&json!({ "limit": 1_000 }), all.iter().filter(|it| is_known(it)).map(row).collect(), json!({}))
}

/// Whether an item holds the filters of a task: a list of conditions on its members, each `[path, operator, number]`, with `and`
/// between.
fn holds(data: &Value, item: &Value) -> Result<bool, Refused> {
    let wrong = || Refused(40_501, "Invalid Field: 'filters'.".to_owned());
    for condition in data["filters"].as_array().into_iter().flatten().filter(|it| it.is_array()) {
        let (path, operator) = (condition[0].as_str().ok_or_else(wrong)?, condition[1].as_str().ok_or_else(wrong)?);
        let number = condition[2].as_f64().ok_or_else(wrong)?;
        let value = path.split('.').fold(item, |it, name| &it[name]).as_f64();
        let holds = |value: f64| match operator {
            ">" => Some(value > number),
            ">=" => Some(value >= number),
            "<" => Some(value < number),
            "<=" => Some(value <= number),
            _ => None,
        };
        match value.map(holds) {
            Some(None) => return Err(wrong()),
            Some(Some(true)) => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The items that hold the filters of a task, in its order if that is one by searches.
fn chosen(data: &Value, items: Vec<Value>) -> Result<Vec<Value>, Refused> {
    let mut chosen = Vec::new();
    for item in items {
        if holds(data, &item)? {
            chosen.push(item);
        }
    }
    if data["order_by"][0] == "keyword_data.keyword_info.search_volume,desc" {
        chosen.sort_by_key(|it| std::cmp::Reverse(it["keyword_data"]["keyword_info"]["search_volume"].as_u64()));
    }
    Ok(chosen)
}

pub(super) fn related(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let words = text(data, "keyword")?;
    market(data)?;
    let items = alike(words).into_iter().map(|it| json!({ "se_type": "google", "depth": 1, "keyword_data": keyword(seed, data, &it), "related_keywords": alike(&it).into_iter().take(5).collect::<Vec<_>>() }));
    cut(data, items.collect(), json!({ "seed_keyword": words, "seed_keyword_data": null }))
}

pub(super) fn suggestions(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let words = text(data, "keyword")?;
    market(data)?;
    let all = shop::queries().into_iter().filter(|query| query.contains(words) && query != words);
    cut(
        data,
        all.map(|it| keyword(seed, data, &it)).collect(),
        json!({ "seed_keyword": words, "seed_keyword_data": keyword(seed, data, words) }),
    )
}

pub(super) fn ideas(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let seeds = texts(data, "keywords", 200)?;
    market(data)?;
    let mut all: Vec<String> = seeds.iter().flat_map(|it| alike(it)).collect();
    all.sort();
    all.dedup();
    cut(data, all.iter().map(|it| keyword(seed, data, it)).collect(), json!({ "seed_keywords": seeds }))
}

pub(super) fn for_site(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let target = text(data, "target")?;
    market(data)?;
    let all = shop::queries().into_iter().filter(|query| place(seed, target, query).is_some());
    cut(data, all.map(|it| keyword(seed, data, &it)).collect(), json!({ "target": target }))
}

pub(super) fn difficulty(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let all = texts(data, "keywords", 1_000)?;
    market(data)?;
    let items = all
        .iter()
        .map(|it| json!({ "se_type": "google", "keyword": it, "keyword_difficulty": figures(seed, it).difficulty }));
    cut(&json!({ "limit": 1_000 }), items.collect(), json!({}))
}

pub(super) fn intent(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let all = texts(data, "keywords", 1_000)?;
    let items = all.iter().map(|it| json!({ "keyword": it, "keyword_intent": { "label": figures(seed, it).intent, "probability": 0.86 }, "secondary_keyword_intents": null }));
    cut(&json!({ "limit": 1_000 }), items.collect(), json!({}))
}

/// Where a site stands for a query, if among the first hundred.
fn place(seed: Seed, target: &str, query: &str) -> Option<u64> {
    let host = target.trim_start_matches("www.").split('/').next().unwrap_or(target);
    let known = host == shop::HOST || RIVALS.contains(&host);
    let mut dice = seed.dice(&["labs", host, query]);
    (known && dice.below(10) < 7).then(|| dice.between(1, 60))
}

fn element(seed: Seed, target: &str, query: &str, place: u64) -> Value {
    let url = if target == shop::HOST {
        shop::url(&seed.dice(&["labs", query]).pick(&shop::pages()).path.clone())
    } else {
        format!("https://{target}/{}", query.replace(' ', "-"))
    };
    json!({ "se_type": "google", "type": "organic", "rank_group": place, "rank_absolute": place + 1, "position": "left", "domain": target, "title": query, "url": url,
        "etv": 100.0 / place as f64, "estimated_paid_traffic_cost": 40.0 / place as f64 })
}

pub(super) fn ranked(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let target = text(data, "target")?;
    market(data)?;
    let items: Vec<Value> = shop::queries().iter().filter_map(|query| place(seed, target, query).map(|at| (query, at))).map(|(query, at)| {
        json!({ "se_type": "google", "keyword_data": keyword(seed, data, query), "ranked_serp_element": { "se_type": "google", "serp_item": element(seed, target, query, at), "check_url": null } })
    }).collect();
    let metrics =
        json!({ "organic": { "count": items.len(), "pos_1": 2, "pos_2_3": 5, "pos_4_10": 12, "etv": 900.0 } });
    cut(data, chosen(data, items)?, json!({ "target": target, "metrics": metrics }))
}

pub(super) fn intersection(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let (one, two) = (text(data, "target1")?, text(data, "target2")?);
    market(data)?;
    let both = data["intersections"].as_bool().unwrap_or(true);
    let items = shop::queries().into_iter().filter_map(|query| {
        let (first, second) = (place(seed, one, &query), place(seed, two, &query));
        let fits = first.is_some() && (second.is_some() == both);
        fits.then(|| json!({ "se_type": "google", "keyword_data": keyword(seed, data, &query),
            "first_domain_serp_element": first.map(|at| element(seed, one, &query, at)), "second_domain_serp_element": second.map(|at| element(seed, two, &query, at)) }))
    });
    cut(data, chosen(data, items.collect())?, json!({ "target1": one, "target2": two }))
}

pub(super) fn competitors(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let target = text(data, "target")?;
    market(data)?;
    let queries = shop::queries();
    let shared = |rival: &str| {
        queries.iter().filter(|it| place(seed, target, it).is_some() && place(seed, rival, it).is_some()).count()
    };
    let mut all: Vec<(usize, &str)> = RIVALS.iter().filter(|it| **it != target).map(|it| (shared(it), *it)).collect();
    all.sort_by(|left, right| right.cmp(left));
    let items = all.into_iter().map(|(count, rival)| json!({ "se_type": "google", "domain": rival, "avg_position": 21.5, "sum_position": count * 21, "intersections": count, "full_domain_metrics": { "organic": { "count": queries.len() } } }));
    cut(data, items.collect(), json!({ "target": target }))
}
