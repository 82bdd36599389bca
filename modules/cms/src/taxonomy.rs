//! The operation `cms.taxonomy.audit`.

mod compare;

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Send, Severity, json};
use search::Clicks;
use serde::Deserialize;
use serde_json::{Map, Value};
use site::Site;

use crate::crawled::Row;
use crate::target::Target;
use compare::{Groups, Terms};

/// Terms and items that are read, and how many at a time.
const TERMS: usize = 5_000;
const ITEMS: usize = 5_000;
const PAGE: usize = 100;
/// Pages that are asked for together.
const TOGETHER: usize = 8;
#[args]
pub(crate) struct Audit {
    /// The website, as listed.
    site_id: Id<Site>,
    /// `category`, `post_tag` or another taxonomy of `cms.site.inspect`.
    #[default("post_tag")]
    taxonomy: Text<1, 60>,
}

/// What is wrong with a term.
#[value]
pub(crate) enum Problem {
    /// No published item has it.
    Empty,
    /// One published item has it.
    Single,
    /// Another term has nearly its name.
    NearDuplicate,
    /// Another term has nearly its items.
    Overlap,
    /// Nearly all of its items have another term too, which has not many more.
    Contained,
    /// Its archive may be indexed, and has fewer than three items and no description.
    ThinArchive,
}

/// A term with what is wrong with it.
#[value]
pub(crate) struct Finding {
    /// Its number at WordPress.
    term_number: u64,
    name: String,
    url: String,
    /// Published items that have it.
    posts: u64,
    problem: Problem,
    severity: Severity,
    /// The other term; null for a problem of one.
    other_term: Option<String>,
    /// What was compared: the likeness of the names, or the share of common items.
    value: Option<f64>,
    /// What to do.
    #[own]
    proposal: String,
}

/// Terms that should be one.
#[value]
pub(crate) struct Merge {
    /// The term that stays: the one with most items, then with most clicks, then with the shorter address.
    keep: String,
    keep_url: String,
    /// Terms that it takes over.
    takes_over: Vec<String>,
    /// Items of all of them.
    posts: u64,
    /// The redirects of their archives.
    fix: Option<Fix>,
}

/// What an audit of a taxonomy found.
#[value]
pub(crate) struct Audited {
    taxonomy: String,
    /// Terms that were looked at.
    terms_read: u64,
    /// Published items whose terms were compared.
    posts_read: u64,
    /// Whether all items were read; else shares are of those.
    complete: bool,
    /// The most serious first, at most 500.
    terms: Vec<Finding>,
    merges: Vec<Merge>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

#[derive(Deserialize)]
struct Term {
    id: u64,
    #[serde(default)]
    name: String,
    #[serde(default)]
    slug: String,
    #[serde(default)]
    link: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    count: u64,
}

/// Audits categories and tags: empty, single-post, near-duplicate names, overlapping membership (Jaccard) and thin indexed archives, with merge proposals.
///
/// Names are compared by Jaro-Winkler (Winkler 1990) after case, accents' forms and punctuation are folded; memberships by the
/// Jaccard index over published items.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "terms", most = 1_000),
    needs = ["store", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/taxonomies",
        "wordpress GET /wp-json/wp/v2/types",
        "wordpress GET /wp-json/wp/v2/*",
    ],
    phrasings = [
        "clean up my wordpress tags",
        "which categories overlap",
        "find empty and duplicate tags",
        "which tags should be merged",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "taxonomy": "category" }]
)]
pub(crate) fn audit(cx: &Cx, args: Audit) -> Result<Answer<Audited>> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let taxonomies = at.taxonomies(cx)?;
    let names: Vec<&str> = taxonomies.iter().map(|it| it.slug.as_str()).collect();
    let wanted = args.taxonomy.as_str();
    let taxonomy = taxonomies.iter().find(|it| it.slug == wanted || it.base == wanted).ok_or_else(|| {
        let message =
            format!("this WordPress has no taxonomy `{wanted}` that is shown over REST; it has {}", names.join(", "));
        Fault::not_found("taxonomy_not_found", message).at("/taxonomy")
    })?;
    let mut degraded = Vec::new();
    let (terms, all_terms): (Vec<Term>, _) =
        pages(cx, &at.connection, &taxonomy.base, &[("_fields", "id,name,slug,link,description,count")], TERMS)?;
    if !all_terms {
        degraded.push(Degraded::new("terms", format!("only the first {TERMS} terms were read")));
    }
    let kinds = at.kinds(cx)?;
    let (mut members, mut posts_read, mut complete) = (BTreeMap::<u64, BTreeSet<u64>>::new(), 0_u64, true);
    for kind in kinds.iter().filter(|it| taxonomy.types.contains(&it.slug)) {
        let fields = format!("id,{}", taxonomy.base);
        let (items, all): (Vec<Map<String, Value>>, _) =
            pages(cx, &at.connection, &kind.base, &[("_fields", &fields)], ITEMS)?;
        complete &= all;
        posts_read += items.len() as u64;
        for item in &items {
            let Some(id) = item.get("id").and_then(Value::as_u64) else { continue };
            for term in
                item.get(&taxonomy.base).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64)
            {
                members.entry(term).or_default().insert(id);
            }
        }
    }
    if !complete {
        degraded.push(Degraded::new(
            "posts",
            format!("only the newest {ITEMS} items of a type were read: shares are of those"),
        ));
    }
    let clicks = Clicks::newest(cx, &target.site.id);
    let run = site::newest(cx, &target.site.id);
    let is_indexed = |term: &Term| {
        let url = kit::url::normalize(&term.link)?;
        Some(Row::of(cx, run.as_ref()?, &url)?.is_indexable())
    };
    let read = Terms { terms: &terms, members: &members };
    let mut findings = read.of_one(|term| is_indexed(term).unwrap_or(false));
    let pairs = read.of_two();
    let mut groups = Groups::new(terms.len());
    for pair in &pairs {
        if matches!(pair.problem, Problem::NearDuplicate | Problem::Overlap) {
            groups.join(pair.a, pair.b);
        }
        let (a, b) = (&terms[pair.a], &terms[pair.b]);
        let proposal = match pair.problem {
            Problem::Contained => format!("drop `{}`: nearly all of its items are in `{}`", a.name, b.name),
            _ => format!("merge `{}` and `{}`", a.name, b.name),
        };
        findings.push(Finding {
            other_term: Some(b.name.clone()),
            value: Some(pair.value),
            proposal,
            ..finding(a, pair.problem)
        });
    }
    findings.sort_by_key(|it| (it.severity, std::cmp::Reverse(it.posts), it.term_number));
    let cut = findings.len().saturating_sub(500);
    if cut > 0 {
        degraded.push(Degraded::new("terms", format!("{cut} findings more are not shown")));
        findings.truncate(500);
    }
    let worth = |term: &Term| {
        let url = kit::url::normalize(&term.link).unwrap_or_default();
        (term.count, clicks.as_ref().map_or(0, |it| it.of(&url)), std::cmp::Reverse(term.slug.len()))
    };
    let merges =
        groups.groups().into_iter().filter_map(|group| merge(&target.site, &terms, &members, &group, worth)).collect();
    let next = Fix::new("crawl.run.start", json!({ "site_id": target.site.id }))
        .because("looks which archives may be indexed");
    let units = (terms.len() as u64).min(1_000);
    let audited = Audited {
        taxonomy: taxonomy.slug.clone(),
        terms_read: terms.len() as u64,
        posts_read,
        complete: complete && all_terms,
        terms: findings,
        merges,
        next: vec![next],
        degraded,
    };
    Ok(Answer::new(audited).units(units))
}

/// All pages of a list, at most so many rows, and whether that was all.
fn pages<T: serde::de::DeserializeOwned>(
    cx: &Cx,
    connection: &str,
    base: &str,
    query: &[(&str, &str)],
    most: usize,
) -> Result<(Vec<T>, bool)> {
    let request = |page: usize| {
        let first = Send::get(connection, format!("/wp-json/wp/v2/{base}"))
            .query("per_page", PAGE)
            .query("page", page)
            .query("orderby", "id");
        query.iter().fold(first, |request, (name, value)| request.query(name, value)).max_bytes(4 << 20)
    };
    let answer = cx.connections().send(&request(1))?.accepted()?;
    let count = answer.header("x-wp-totalpages").and_then(|it| it.parse::<usize>().ok()).unwrap_or(1);
    let mut all: Vec<T> = answer.json()?;
    let last = count.min(most / PAGE);
    let rest: Vec<usize> = (2..=last).collect();
    for chunk in rest.chunks(TOGETHER) {
        for answer in cx.connections().send_many(chunk.iter().map(|page| request(*page))) {
            let more: Vec<T> = answer?.accepted()?.json()?;
            all.extend(more);
        }
    }
    Ok((all, count <= last.max(1)))
}

fn finding(term: &Term, problem: Problem) -> Finding {
    let (severity, proposal) = match problem {
        Problem::Empty => (Severity::Notice, "delete it"),
        Problem::Single => (Severity::Notice, "use it for more items, or drop it"),
        Problem::ThinArchive => (Severity::Warning, "write a description, or set the archive to noindex"),
        Problem::NearDuplicate | Problem::Overlap => (Severity::Warning, ""),
        Problem::Contained => (Severity::Notice, ""),
    };
    Finding {
        term_number: term.id,
        name: term.name.clone(),
        url: term.link.clone(),
        posts: term.count,
        problem,
        severity,
        other_term: None,
        value: None,
        proposal: proposal.to_owned(),
    }
}

/// One term out of several.
fn merge<K: Ord>(
    site: &Stored<Site>,
    terms: &[Term],
    members: &BTreeMap<u64, BTreeSet<u64>>,
    group: &[usize],
    worth: impl Fn(&Term) -> K,
) -> Option<Merge> {
    let keep = group.iter().map(|at| &terms[*at]).max_by_key(|it| worth(it))?;
    let others: Vec<&Term> = group.iter().map(|at| &terms[*at]).filter(|it| it.id != keep.id).collect();
    let items: BTreeSet<u64> = group.iter().filter_map(|at| members.get(&terms[*at].id)).flatten().copied().collect();
    let redirects: Vec<Value> = others
        .iter()
        .filter(|it| site.has(&it.link) && site.has(&keep.link))
        .take(100)
        .map(|it| json!({ "from": it.link, "to": keep.link }))
        .collect();
    let fix = (!redirects.is_empty())
        .then(|| Fix::new("cms.redirect.upsert", json!({ "site_id": site.id, "redirects": redirects })));
    Some(Merge {
        keep: keep.name.clone(),
        keep_url: keep.link.clone(),
        takes_over: others.iter().map(|it| it.name.clone()).collect(),
        posts: items.len() as u64,
        fix,
    })
}
