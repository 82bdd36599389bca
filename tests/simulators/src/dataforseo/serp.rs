//! Result pages: organic on Google and Bing, maps around a point, suggestions, AI mode.
//!
//! Sources: docs.dataforseo.com/v3/serp/google/{organic,maps,autocomplete,ai_mode}/live/advanced and serp/bing/organic.
//! Who stands where depends on the words, the place, the device and a little on the day.

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use super::{Refused, market, stamp, text};
use crate::seed::Seed;
use crate::shop::{self, PRESS, RIVALS};

pub(super) fn google(data: &Value, seed: Seed) -> Result<Value, Refused> {
    organic(data, seed, "google")
}

pub(super) fn bing(data: &Value, seed: Seed) -> Result<Value, Refused> {
    organic(data, seed, "bing")
}

/// Places of a country: some of the United Kingdom's, and none of others.
///
/// Source: docs.dataforseo.com/v3/serp/google/locations.
pub(super) fn locations(country: &str) -> Value {
    let place = |(code, name, kind): (u32, &str, &str)| json!({ "location_code": code, "location_name": name, "location_code_parent": 2_826, "country_iso_code": "GB", "location_type": kind });
    let known = [
        (2_826, "United Kingdom", "Country"),
        (1_006_886, "London,England,United Kingdom", "City"),
        (1_006_524, "Leeds,England,United Kingdom", "City"),
        (1_007_326, "Edinburgh,Scotland,United Kingdom", "City"),
    ];
    let served = country.eq_ignore_ascii_case("gb");
    json!(known.into_iter().filter(|_| served).map(place).collect::<Vec<_>>())
}

/// Sites that could stand on a result page, best first.
fn ranked(seed: Seed, engine: &str, keyword: &str, place: &str) -> Vec<String> {
    let day = Timestamp::now().to_zoned(TimeZone::UTC).date().to_string();
    let words: Vec<String> = (1..=90).map(|number| format!("site-{number}.example")).collect();
    let known = [shop::HOST].into_iter().chain(RIVALS).chain(PRESS).map(str::to_owned);
    let mut scored: Vec<(f64, String)> = known
        .chain(words)
        .map(|domain| {
            let own = seed.dice(&["rank", engine, keyword, place, &domain]).unit();
            let wobble = seed.dice(&["rank", engine, keyword, place, &domain, &day]).unit() * 0.03;
            // The shop and its rivals are lamp sites; the rest is the web.
            let fit = if domain == shop::HOST || RIVALS.contains(&domain.as_str()) { 0.6 } else { 0.0 };
            (own + wobble + fit, domain)
        })
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    scored.into_iter().map(|(_, domain)| domain).collect()
}

/// The page of a site that fits the words best.
fn landing(seed: Seed, domain: &str, keyword: &str) -> (String, String) {
    if domain == shop::HOST {
        let pages = shop::pages();
        let page = seed.dice(&["landing", keyword]).pick(&pages).clone();
        return (shop::url(&page.path), page.title);
    }
    (format!("https://{domain}/{}", keyword.replace(' ', "-")), format!("{keyword} at {domain}"))
}

fn organic(data: &Value, seed: Seed, engine: &str) -> Result<Value, Refused> {
    let keyword = text(data, "keyword")?;
    market(data)?;
    let depth = data["depth"].as_u64().unwrap_or(10);
    if !(1..=200).contains(&depth) {
        return Err(Refused(40_501, "Invalid Field: 'depth'.".to_owned()));
    }
    let device = data["device"].as_str().unwrap_or("desktop");
    let place = format!("{}{}{device}", data["location_code"], data["location_coordinate"]);
    let order = ranked(seed, engine, keyword, &place);
    let mut dice = seed.dice(&["features", engine, keyword]);
    let mut items = Vec::new();
    let reference = |domain: &String| {
        let (url, title) = landing(seed, domain, keyword);
        json!({ "type": "ai_overview_reference", "source": domain, "domain": domain, "url": url, "title": title, "text": format!("What {domain} says about {keyword}.") })
    };
    if engine == "google" && dice.below(3) > 0 {
        let cited: Vec<Value> = order.iter().take(4).map(reference).collect();
        items.push(json!({ "type": "ai_overview", "position": "left", "asynchronous_ai_overview": data["load_async_ai_overview"] == true, "markdown": format!("A {keyword} should light the work and not the eyes."), "references": cited }));
    }
    for (at, domain) in order.iter().take(usize::try_from(depth).unwrap_or(10)).enumerate() {
        let (url, title) = landing(seed, domain, keyword);
        items.push(json!({ "type": "organic", "rank_group": at + 1, "domain": domain, "title": title, "url": url, "position": "left",
            "description": format!("All about {keyword}."), "breadcrumb": format!("https://{domain} › lamps"), "is_featured_snippet": false }));
        if at == 2 && dice.below(2) == 0 {
            let questions: Vec<Value> = ["How to choose a", "What is the best", "How long lasts a"]
                .iter()
                .map(|start| json!({ "type": "people_also_ask_element", "title": format!("{start} {keyword}?") }))
                .collect();
            items.push(json!({ "type": "people_also_ask", "position": "left", "items": questions }));
        }
    }
    if engine == "google" && keyword.contains("shop") {
        let places: Vec<Value> =
            shop::STORES.iter().map(|store| json!({ "type": "local_pack_element", "title": store.name })).collect();
        items.insert(0, json!({ "type": "local_pack", "position": "left", "items": places }));
    }
    if engine == "google" && ["buy", "price", "cheap"].iter().any(|word| keyword.contains(word)) {
        let offers: Vec<Value> = RIVALS.iter().map(|rival| json!({ "type": "shopping_element", "title": keyword, "url": format!("https://{rival}/offer"), "price": { "current": 25.0, "currency": "GBP" } })).collect();
        items.insert(0, json!({ "type": "shopping", "position": "left", "items": offers }));
    }
    let related: Vec<String> =
        shop::queries().into_iter().filter(|query| query.contains(keyword) && query != keyword).take(8).collect();
    items.push(json!({ "type": "related_searches", "position": "left", "items": related }));
    for (at, item) in items.iter_mut().enumerate() {
        item["rank_absolute"] = json!(at + 1);
        if item["rank_group"].is_null() {
            item["rank_group"] = json!(1);
        }
    }
    Ok(page(data, keyword, engine, "organic", items))
}

fn page(data: &Value, keyword: &str, engine: &str, kind: &str, items: Vec<Value>) -> Value {
    let mut types: Vec<String> = items.iter().filter_map(|item| item["type"].as_str().map(str::to_owned)).collect();
    types.sort();
    types.dedup();
    json!([{ "keyword": keyword, "type": kind, "se_domain": format!("{engine}.com"), "location_code": data["location_code"], "language_code": data["language_code"],
        "check_url": format!("https://www.{engine}.com/search?q={}", keyword.replace(' ', "+")), "datetime": stamp(), "spell": null, "item_types": types,
        "se_results_count": 1_200_000, "items_count": items.len(), "items": items }])
}

/// A business on the map: name, site, latitude, longitude, and how well known it is.
fn businesses(seed: Seed) -> Vec<(String, String, f64, f64, f64, Value)> {
    let mut all = Vec::new();
    for store in shop::STORES {
        let about = json!({ "phone": store.phone, "address": format!("{}, {}, {}", store.street, store.city, store.postcode), "place_id": format!("ChIJlamp{}", store.id), "cid": store.id });
        all.push((store.name.to_owned(), shop::HOST.to_owned(), store.latitude, store.longitude, 1.0, about));
        for (nth, rival) in RIVALS.iter().enumerate() {
            let mut dice = seed.dice(&["map", store.city, rival]);
            let (north, east) = (dice.unit() - 0.5, dice.unit() - 0.5);
            let about = json!({ "phone": format!("+44 20 7946 0{}", 200 + nth), "address": format!("{} High Street, {}", nth + 3, store.city), "place_id": format!("ChIJ{}", dice.hex(12)), "cid": dice.hex(10) });
            all.push((
                format!("{} {}", rival.trim_end_matches(".example"), store.city),
                (*rival).to_owned(),
                store.latitude + north * 0.06,
                store.longitude + east * 0.09,
                0.6 + dice.unit(),
                about,
            ));
        }
    }
    all
}

pub(super) fn maps(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let keyword = text(data, "keyword")?;
    market(data)?;
    let point: Vec<f64> = data["location_coordinate"]
        .as_str()
        .unwrap_or_default()
        .split(',')
        .filter_map(|part| part.trim_end_matches('z').parse().ok())
        .collect();
    let (latitude, longitude) = match point.as_slice() {
        [latitude, longitude, ..] if latitude.abs() <= 90.0 && longitude.abs() <= 180.0 => (*latitude, *longitude),
        [] => (shop::STORES[0].latitude, shop::STORES[0].longitude),
        _ => return Err(Refused(40_501, "Invalid Field: 'location_coordinate'.".to_owned())),
    };
    let depth = usize::try_from(data["depth"].as_u64().unwrap_or(100).clamp(1, 700)).unwrap_or(100);
    let mut near: Vec<_> = businesses(seed)
        .into_iter()
        .map(|it| {
            // Kilometres on a plane are near enough within a town.
            let (north, east) = ((it.2 - latitude) * 111.0, (it.3 - longitude) * 111.0 * latitude.to_radians().cos());
            let fit = 0.8 + 0.4 * seed.dice(&["fit", keyword, &it.0]).unit();
            ((north.hypot(east) + 0.3) / (it.4 * fit), it)
        })
        .filter(|(score, _)| *score < 60.0)
        .collect();
    near.sort_by(|left, right| left.0.total_cmp(&right.0));
    let items: Vec<Value> = near
        .into_iter()
        .take(depth)
        .enumerate()
        .map(|(at, (_, (name, domain, latitude, longitude, _, about)))| {
            let mut dice = seed.dice(&["rating", &name]);
            json!({ "type": "maps_search", "rank_group": at + 1, "rank_absolute": at + 1, "domain": domain, "title": name, "url": format!("http://{domain}/"),
                "rating": { "rating_type": "Max5", "value": 3.5 + dice.unit() * 1.5, "votes_count": dice.between(5, 400), "rating_max": 5 }, "category": "Lighting store",
                "latitude": latitude, "longitude": longitude, "phone": about["phone"], "address": about["address"], "place_id": about["place_id"], "cid": about["cid"], "is_claimed": true })
        })
        .collect();
    if items.is_empty() {
        return Err(Refused(40_102, "No Search Results.".to_owned()));
    }
    Ok(page(data, keyword, "google", "maps", items))
}

pub(super) fn autocomplete(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let keyword = text(data, "keyword")?;
    market(data)?;
    let endings =
        ["near me", "with dimmer", "for reading", "price", "uk", "vintage", "repair", "parts", "small", "brass"];
    let known = shop::queries().into_iter().filter(|query| query.contains(keyword) && query != keyword);
    let mut all: Vec<String> = known.chain(endings.iter().map(|end| format!("{keyword} {end}"))).collect();
    all.sort_by_key(|it| seed.dice(&["suggest", it]).below(1 << 30));
    let items: Vec<Value> = all.into_iter().take(10).enumerate().map(|(at, it)| json!({ "type": "autocomplete", "rank_group": at + 1, "rank_absolute": at + 1, "relevance": null, "suggestion": it, "suggestion_type": null })).collect();
    Ok(page(data, keyword, "google", "autocomplete", items))
}

/// docs.dataforseo.com/v3/ai_optimization/chat_gpt/llm_scraper: ChatGPT's own answer as people see it.
pub(super) fn chat_gpt(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let keyword = text(data, "keyword")?;
    market(data)?;
    let order = ranked(seed, "chat_gpt", keyword, "");
    let named: Vec<&String> = order.iter().take(4).collect();
    let mut markdown = String::from("These come up most often:\n\n");
    for (at, domain) in named.iter().enumerate() {
        let name = if **domain == shop::HOST { shop::BRAND } else { domain.trim_end_matches(".example") };
        markdown += &format!("{}. **{name}** - often recommended.\n", at + 1);
    }
    let source = |domain: &&String| {
        let (url, title) = landing(seed, domain, keyword);
        json!({ "type": "chat_gpt_source", "title": title, "domain": domain, "url": url, "source_name": domain })
    };
    let sources: Vec<Value> = named.iter().map(source).collect();
    Ok(
        json!([{ "keyword": keyword, "location_code": data["location_code"], "language_code": data["language_code"], "model": "gpt-5-2",
        "check_url": "https://chatgpt.com/", "datetime": stamp(), "markdown": markdown, "search_results": null, "sources": sources,
        "fan_out_queries": [format!("{keyword} reviews")], "item_types": ["chat_gpt_text"], "items_count": 1,
        "items": [{ "type": "chat_gpt_text", "rank_group": 1, "rank_absolute": 1, "markdown": markdown }] }]),
    )
}

pub(super) fn ai_mode(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let keyword = text(data, "keyword")?;
    market(data)?;
    let cited: Vec<Value> = ranked(seed, "ai_mode", keyword, "").iter().take(6).map(|domain| {
        let (url, title) = landing(seed, domain, keyword);
        json!({ "type": "ai_overview_reference", "source": domain, "domain": domain, "url": url, "title": title, "text": format!("What {domain} says about {keyword}.") })
    }).collect();
    let names: Vec<&str> = cited.iter().filter_map(|it| it["domain"].as_str()).collect();
    let markdown =
        format!("For {keyword}, people are often pointed to {}. Look for parts that can be changed.", names.join(", "));
    Ok(page(
        data,
        keyword,
        "google",
        "ai_mode",
        vec![
            json!({ "type": "ai_overview", "rank_group": 1, "rank_absolute": 1, "position": "left", "markdown": markdown, "references": cited }),
        ],
    ))
}
