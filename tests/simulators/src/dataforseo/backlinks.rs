//! Backlinks: who links to a site, from where, with which words.
//!
//! Source: docs.dataforseo.com/v3/backlinks/{summary,backlinks,referring_domains,anchors,domain_intersection}/live.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{Refused, text, window};
use crate::seed::Seed;
use crate::shop::{self, PRESS, RIVALS};

/// A link from a page to a page.
struct Link {
    from: String,
    page: String,
    to: String,
    anchor: &'static str,
    follow: bool,
    rank: u64,
    first_seen: String,
    lost: bool,
}

const ANCHORS: [&str; 6] = ["lamp shop", "this lamp", "brass lamps", "here", "shop.example", "mending a lamp"];

/// The links to a site, the strongest first. Only the shop and its rivals have some.
fn links(seed: Seed, target: &str) -> Vec<Link> {
    let host = target.trim_start_matches("www.");
    if host != shop::HOST && !RIVALS.contains(&host) {
        return Vec::new();
    }
    let small: Vec<String> = (1..=160).map(|number| format!("site-{number}.example")).collect();
    let sources = PRESS.iter().map(|it| (*it).to_owned()).chain(small);
    let mut all = Vec::new();
    for from in sources {
        let mut dice = seed.dice(&["links", host, &from]);
        if dice.below(5) >= 3 {
            continue;
        }
        for nth in 0..=dice.below(3) {
            let path = if host == shop::HOST {
                dice.pick(&shop::pages()).path.clone()
            } else {
                format!("/lamp-{}", dice.between(1, 9))
            };
            let age = SignedDuration::from_hours(24 * i64::try_from(dice.between(3, 900)).unwrap_or(3));
            let press = PRESS.contains(&from.as_str());
            all.push(Link {
                page: format!("https://{from}/article-{nth}"),
                to: format!("http://{host}{path}"),
                anchor: ANCHORS[dice.below(ANCHORS.len() as u64) as usize],
                follow: dice.below(4) > 0,
                rank: if press { dice.between(200, 480) } else { dice.below(120) },
                first_seen: (Timestamp::now() - age).strftime("%Y-%m-%d %H:%M:%S +00:00").to_string(),
                lost: dice.below(12) == 0,
                from: from.clone(),
            });
        }
    }
    all.sort_by(|left, right| right.rank.cmp(&left.rank).then_with(|| left.page.cmp(&right.page)));
    all
}

fn shown(link: &Link) -> Value {
    json!({ "type": "backlink", "domain_from": link.from, "url_from": link.page, "url_from_https": true, "domain_to": link.to.split('/').nth(2), "url_to": link.to, "anchor": link.anchor,
        "dofollow": link.follow, "attributes": if link.follow { Value::Null } else { json!(["nofollow"]) }, "rank": link.rank, "page_from_rank": link.rank / 2, "domain_from_rank": link.rank, "backlink_spam_score": if link.rank < 20 { 55 } else { 5 },
        "first_seen": link.first_seen, "last_seen": super::stamp(), "is_lost": link.lost, "is_new": false, "item_type": "anchor", "semantic_location": "article", "page_from_status_code": 200 })
}

fn live(data: &Value, seed: Seed) -> Result<(String, Vec<Link>), Refused> {
    let target = text(data, "target")?.to_owned();
    let status = data["backlinks_status_type"].as_str().unwrap_or("live");
    let fits = |link: &Link| match status {
        "all" => true,
        "lost" => link.lost,
        _ => !link.lost,
    };
    let all = links(seed, &target).into_iter().filter(fits).collect();
    Ok((target, all))
}

pub(super) fn summary(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let (target, all) = live(data, seed)?;
    let mut hosts: Vec<&str> = all.iter().map(|link| link.from.as_str()).collect();
    hosts.dedup();
    hosts.sort_unstable();
    hosts.dedup();
    Ok(
        json!([{ "target": target, "first_seen": "2019-03-01 00:00:00 +00:00", "lost_date": null, "rank": 240, "backlinks": all.len(), "backlinks_spam_score": 9, "crawled_pages": 41,
        "broken_backlinks": 0, "referring_domains": hosts.len(), "referring_main_domains": hosts.len(), "referring_links_attributes": { "nofollow": all.iter().filter(|link| !link.follow).count() } }]),
    )
}

fn cut(data: &Value, target: &str, items: Vec<Value>) -> Result<Value, Refused> {
    let (offset, limit) = window(data)?;
    let total = items.len();
    let items: Vec<Value> = items.into_iter().skip(offset).take(limit).collect();
    Ok(json!([{ "target": target, "total_count": total, "items_count": items.len(), "items": items }]))
}

pub(super) fn list(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let (target, all) = live(data, seed)?;
    cut(data, &target, all.iter().map(shown).collect())
}

/// Items with a name and how many links and hosts are behind it.
fn grouped(all: &[Link], kind: &str, name: &str, by: fn(&Link) -> &str) -> Vec<Value> {
    let mut names: Vec<&str> = all.iter().map(by).collect();
    names.sort_unstable();
    names.dedup();
    let item = |value: &&str| {
        let of: Vec<&Link> = all.iter().filter(|link| by(link) == *value).collect();
        json!({ "type": kind, name: value, "rank": of.iter().map(|link| link.rank).max(), "backlinks": of.len(), "first_seen": of.iter().map(|link| &link.first_seen).min(), "lost_date": null, "referring_pages": of.len() })
    };
    names.iter().map(item).collect()
}

pub(super) fn domains(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let (target, all) = live(data, seed)?;
    let mut items = grouped(&all, "backlinks_referring_domain", "domain", |link| &link.from);
    items.sort_by_key(|item| std::cmp::Reverse(item["rank"].as_u64()));
    cut(data, &target, items)
}

pub(super) fn anchors(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let (target, all) = live(data, seed)?;
    cut(data, &target, grouped(&all, "backlinks_anchor", "anchor", |link| link.anchor))
}

/// Hosts that link to every target, and to none of those excluded.
pub(super) fn intersection(data: &Value, seed: Seed) -> Result<Value, Refused> {
    let Some(targets) = data["targets"].as_object().filter(|all| (1..=20).contains(&all.len())) else {
        return Err(Refused(40_501, "Invalid Field: 'targets'.".to_owned()));
    };
    let of = |host: &Value| links(seed, host.as_str().unwrap_or_default());
    let held: Vec<(&String, Vec<Link>)> = targets.iter().map(|(key, host)| (key, of(host))).collect();
    let excluded: Vec<Link> = data["exclude_targets"].as_array().into_iter().flatten().flat_map(of).collect();
    let partial = data["intersection_mode"] == "partial";
    let mut hosts: Vec<&str> = held.iter().flat_map(|(_, all)| all.iter().map(|link| link.from.as_str())).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let links_to = |host: &str, all: &[Link]| all.iter().any(|link| link.from == host);
    hosts.retain(|host| {
        let count = held.iter().filter(|(_, all)| links_to(host, all)).count();
        !links_to(host, &excluded) && (count == held.len() || partial && count > 0)
    });
    let items = hosts.iter().map(|host| {
        let per: serde_json::Map<String, Value> = held.iter().map(|(key, all)| {
            let count = all.iter().filter(|link| link.from == *host).count();
            ((*key).clone(), json!({ "type": "backlinks_domain_intersection", "target": host, "rank": all.iter().find(|link| link.from == *host).map(|link| link.rank), "backlinks": count }))
        }).collect();
        json!({ "domain_intersection": per, "summary": { "intersections_count": held.iter().filter(|(_, all)| links_to(host, all)).count() } })
    });
    cut(data, "", items.collect())
}
