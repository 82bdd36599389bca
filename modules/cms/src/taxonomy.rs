//! The operation `cms.taxonomy.audit`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Send, Severity, json};
use search::Clicks;
use serde::Deserialize;
use serde_json::{Map, Value};
use site::Site;
use unicode_normalization::UnicodeNormalization;

use crate::target::Target;

/// Terms and items that are read, and how many at a time.
const TERMS: usize = 5_000;
const ITEMS: usize = 5_000;
const PAGE: usize = 100;
/// Pages that are asked for together.
const TOGETHER: usize = 8;
/// Jaro-Winkler from which two names are nearly the same, and how much longer one may be.
const NEAR: f64 = 0.93;
const LONGER: usize = 2;
/// The share of common items from which two terms overlap, and from which one contains the other.
const OVERLAP: f64 = 0.8;
const CONTAINED: f64 = 0.95;
/// Items that a term has at least when its items are compared.
const COMPARED: usize = 3;

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
    term: u64,
    name: String,
    url: String,
    /// Published items that have it.
    posts: u64,
    problem: Problem,
    severity: Severity,
    /// The other term; null for a problem of one.
    other: Option<String>,
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
    merge: Vec<String>,
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

/// A page of a crawl.
#[foreign(collection = "crawl.rows", thing = "row", index(run, seq))]
#[serde(default)]
#[derive(Default)]
struct Row {
    run: String,
    seq: u64,
    status: u16,
    indexability_reason: String,
}

/// Audits categories and tags: empty, single-post, near-duplicate names, overlapping membership (Jaccard) and thin indexed archives, with merge proposals.
///
/// Names are compared by Jaro-Winkler (Winkler 1990) after case, accents' forms and punctuation are folded; memberships by the
/// Jaccard index over published items.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "terms", most = 5_000),
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
pub(crate) fn audit(cx: &Cx, args: Audit) -> Result<Audited> {
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
        let row = cx.records::<Row>().find(&Id::new(kit::crawled::page_id(run.as_ref()?.id.as_str(), &url)))?;
        Some(row.status == 200 && row.indexability_reason.is_empty())
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
            other: Some(b.name.clone()),
            value: Some(pair.value),
            proposal,
            ..finding(a, pair.problem)
        });
    }
    findings.sort_by_key(|it| (it.severity, std::cmp::Reverse(it.posts), it.term));
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
    Ok(Audited {
        taxonomy: taxonomy.slug.clone(),
        terms_read: terms.len() as u64,
        posts_read,
        complete: complete && all_terms,
        terms: findings,
        merges,
        next: vec![next],
        degraded,
    })
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

/// Terms and the items that have each.
struct Terms<'a> {
    terms: &'a [Term],
    members: &'a BTreeMap<u64, BTreeSet<u64>>,
}

/// Two terms that have to do with each other.
struct Pair {
    a: usize,
    b: usize,
    problem: Problem,
    value: f64,
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
        term: term.id,
        name: term.name.clone(),
        url: term.link.clone(),
        posts: term.count,
        problem,
        severity,
        other: None,
        value: None,
        proposal: proposal.to_owned(),
    }
}

/// A name as it is compared: compatibility forms, small letters, no punctuation (Unicode Standard Annex 15).
fn folded(name: &str) -> String {
    let text: String = name.replace("&amp;", "&").nfkc().collect::<String>().to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.join(" ")
}

impl Terms<'_> {
    fn of_one(&self, is_indexed: impl Fn(&Term) -> bool) -> Vec<Finding> {
        let mut all = Vec::new();
        for term in self.terms {
            match term.count {
                0 => all.push(finding(term, Problem::Empty)),
                1 => all.push(finding(term, Problem::Single)),
                _ => {}
            }
            if term.count < 3 && term.count > 0 && term.description.trim().is_empty() && is_indexed(term) {
                all.push(finding(term, Problem::ThinArchive));
            }
        }
        all
    }

    /// Pairs, each in its worst problem. Names are compared within their first letter, items by what shares one.
    fn of_two(&self) -> Vec<Pair> {
        let names: Vec<String> = self.terms.iter().map(|it| folded(&it.name)).collect();
        let mut all: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
        let mut by_letter: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        for (at, name) in names.iter().enumerate() {
            by_letter.entry(name.chars().next().unwrap_or(' ')).or_default().push(at);
        }
        for group in by_letter.values() {
            // In the order of their lengths only neighbours can be near.
            let mut group = group.clone();
            group.sort_by_key(|at| names[*at].chars().count());
            for (place, a) in group.iter().enumerate() {
                let long = names[*a].chars().count();
                for b in &group[place + 1..] {
                    if names[*b].chars().count() - long > LONGER {
                        break;
                    }
                    let value = if names[*a] == names[*b] { 1.0 } else { strsim::jaro_winkler(&names[*a], &names[*b]) };
                    if value >= NEAR && !names[*a].is_empty() && !differ_in_number(&names[*a], &names[*b]) {
                        let key = (*a.min(b), *a.max(b));
                        all.insert(key, Pair { a: key.0, b: key.1, problem: Problem::NearDuplicate, value });
                    }
                }
            }
        }
        let mut by_item: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (at, term) in self.terms.iter().enumerate() {
            for item in self.members.get(&term.id).filter(|it| it.len() >= COMPARED).into_iter().flatten() {
                by_item.entry(*item).or_default().push(at);
            }
        }
        let mut common: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        // An item with very many terms says little of any two.
        for terms in by_item.values().filter(|it| it.len() <= 50) {
            for (place, a) in terms.iter().enumerate() {
                for b in &terms[place + 1..] {
                    *common.entry((*a, *b)).or_default() += 1;
                }
            }
        }
        let size = |at: usize| self.members.get(&self.terms[at].id).map_or(0, BTreeSet::len);
        for ((a, b), shared) in common {
            let (one, two) = (size(a), size(b));
            let (least, most) = (one.min(two), one.max(two));
            #[expect(clippy::cast_precision_loss, reason = "at most 5,000 items")]
            let (jaccard, inner) = (shared as f64 / (one + two - shared) as f64, shared as f64 / least as f64);
            if jaccard >= OVERLAP {
                all.entry((a, b)).or_insert(Pair { a, b, problem: Problem::Overlap, value: jaccard });
            } else if inner >= CONTAINED && most <= 2 * least {
                let (a, b) = if one <= two { (a, b) } else { (b, a) };
                all.entry((a.min(b), a.max(b))).or_insert(Pair { a, b, problem: Problem::Contained, value: inner });
            }
        }
        all.into_values().collect()
    }
}

/// Whether two names are told apart by a number: `lamp 10` and `lamp 100` are two things.
fn differ_in_number(a: &str, b: &str) -> bool {
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(a) != digits(b)
}

/// Terms that belong together (union-find with path halving; Tarjan 1975).
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    fn groups(mut self) -> Vec<Vec<usize>> {
        let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.0.len() {
            let root = self.root(at);
            all.entry(root).or_default().push(at);
        }
        all.into_values().filter(|it| it.len() > 1).collect()
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
        merge: others.iter().map(|it| it.name.clone()).collect(),
        posts: items.len() as u64,
        fix,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(id: u64, name: &str, count: u64) -> Term {
        Term {
            id,
            name: name.to_owned(),
            slug: name.to_owned(),
            link: String::new(),
            description: String::new(),
            count,
        }
    }

    #[test]
    fn names_and_items_that_are_nearly_the_same_are_found_and_others_are_not() {
        let names = ["Lamp", "lamps", "Lamp 10", "Lamp 100", "Mending", "Brass", "ＢＲＡＳＳ!", "Repair"];
        let terms: Vec<Term> = (0..).zip(names).map(|(id, name)| term(id, name, 5)).collect();
        let set = |all: std::ops::Range<u64>| all.collect::<BTreeSet<u64>>();
        let members =
            BTreeMap::from([(4, set(0..10)), (7, set(0..9)), (0, set(20..24)), (1, set(20..27)), (2, set(0..2))]);
        let read = Terms { terms: &terms, members: &members };
        let found: Vec<(&str, &str, Problem)> =
            read.of_two().iter().map(|it| (names[it.a], names[it.b], it.problem)).collect();
        assert_eq!(
            found,
            [
                ("Lamp", "lamps", Problem::NearDuplicate),
                ("Mending", "Repair", Problem::Overlap),
                ("Brass", "ＢＲＡＳＳ!", Problem::NearDuplicate)
            ]
        );
    }

    #[test]
    fn likeness_is_what_the_reference_computes() {
        // jellyfish 1.3.0, `jaro_winkler_similarity`.
        for (a, b, value) in [
            ("martha", "marhta", 0.961_111_111_111_111_1),
            ("dixon", "dicksonx", 0.813_333_333_333_333_3),
            ("lamp", "lamps", 0.96),
        ] {
            assert!((strsim::jaro_winkler(a, b) - value).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn groups_join_what_is_joined_by_others() {
        let mut groups = Groups::new(6);
        groups.join(0, 3);
        groups.join(3, 5);
        groups.join(1, 2);
        assert_eq!(groups.groups(), [vec![0, 3, 5], vec![1, 2]]);
    }
}
