//! The operation `schema.markup.generate`, JSON-LD of what a page shows; `write` puts each type together.

mod write;

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;
use serde_json::{Map, Value};

use super::visible::Visible;
use crate::extract::{Format, Item, values};
use crate::judge::{self, Problem, Profile};
use site::Site;
use site::live::{self, Seen};

/// The types that can be generated.
#[value]
pub(crate) enum Made {
    #[serde(rename = "Article")]
    Article,
    #[serde(rename = "BlogPosting")]
    BlogPosting,
    #[serde(rename = "NewsArticle")]
    NewsArticle,
    #[serde(rename = "Product")]
    Product,
    #[serde(rename = "BreadcrumbList")]
    BreadcrumbList,
    #[serde(rename = "Recipe")]
    Recipe,
    #[serde(rename = "Event")]
    Event,
    #[serde(rename = "VideoObject")]
    VideoObject,
    #[serde(rename = "Course")]
    Course,
    #[serde(rename = "JobPosting")]
    JobPosting,
    #[serde(rename = "SoftwareApplication")]
    SoftwareApplication,
    #[serde(rename = "QAPage")]
    QaPage,
    #[serde(rename = "ProfilePage")]
    ProfilePage,
    #[serde(rename = "Service")]
    Service,
}

impl Made {
    /// The name of the type.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Article => "Article",
            Self::BlogPosting => "BlogPosting",
            Self::NewsArticle => "NewsArticle",
            Self::Product => "Product",
            Self::BreadcrumbList => "BreadcrumbList",
            Self::Recipe => "Recipe",
            Self::Event => "Event",
            Self::VideoObject => "VideoObject",
            Self::Course => "Course",
            Self::JobPosting => "JobPosting",
            Self::SoftwareApplication => "SoftwareApplication",
            Self::QaPage => "QAPage",
            Self::ProfilePage => "ProfilePage",
            Self::Service => "Service",
        }
    }
}

#[args]
pub(crate) struct Generate {
    /// The page; only what its readers can see is told.
    url: Url,
    #[serde(rename = "type")]
    kind: Made,
    /// The website; the markup is then tied to its Organization and WebSite.
    site_id: Option<Id<Site>>,
    /// Properties that are set as given, by name. Ratings, reviews and prices only with numbers that the page shows.
    overrides: Option<BTreeMap<String, Value>>,
}

/// Markup of a page.
#[value]
pub(crate) struct Generated {
    /// The markup, for a `<script type="application/ld+json">`.
    jsonld: Map<String, Value>,
    /// Where on the page each property was found, as a CSS selector; `override`, `url` or `site` for what was given.
    sources: BTreeMap<String, String>,
    /// What the type's rich result needs and the page does not show.
    missing_required: Vec<String>,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    /// Whether there is no error in it.
    valid: bool,
    page: Seen,
    /// What puts the markup on the page, and what checks it.
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Generates JSON-LD of a chosen type (breadcrumbs included) from a page's visible facts only, links it to the site's Organization and WebSite nodes and validates it; never invents ratings or prices.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "write schema markup for my page",
        "make JSON-LD for a product page",
        "generate article structured data from a url",
        "create breadcrumb markup",
        "I need recipe schema for this recipe",
    ],
    examples = [
        { "url": "https://shop.example/products/lamp-1", "type": "Product" },
        { "url": "https://shop.example/blog/brass", "type": "BlogPosting", "overrides": { "inLanguage": "en" } }
    ]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<Generated> {
    let website = args.site_id.as_ref().map(|id| site::get(cx, id)).transpose()?;
    let page = live::page(cx, &args.url, "/url")?;
    let visible = Visible::new(&page);
    let url = page.facts.final_url.clone();
    let mut draft = write::draft(args.kind, &visible);
    if let Some(overrides) = args.overrides {
        let shown = page.dom.text(0);
        for (name, value) in overrides {
            unseen(&name, &value, &shown)?;
            draft.sources.insert(name.clone(), "override".to_owned());
            draft.node.insert(name, value);
        }
    }
    let mut graph = vec![Value::Object(draft.node.clone())];
    if let Some(site) = &website {
        tie(&mut graph, &mut draft.sources, args.kind, site);
    }
    let item = Item {
        format: Format::JsonLd,
        line: 1,
        pointer: String::new(),
        value: graph[0].as_object().cloned().unwrap_or_default(),
    };
    let others = graph[1..].iter().filter_map(Value::as_object).cloned();
    let mut items = vec![item.clone()];
    items.extend(others.map(|value| Item { value, ..item.clone() }));
    let judged = judge::judge(&items, Profile::Both, cx.now().day(), None, |_| None);
    let errors: Vec<Problem> = judged.iter().flat_map(|it| it.errors.clone()).collect();
    let warnings = judged.iter().flat_map(|it| it.warnings.clone()).collect();
    let blocked = judge::asked(&item.value, cx.now().day())
        .into_iter()
        .map(|it| it.missing)
        .min_by_key(Vec::len)
        .unwrap_or_default();
    let jsonld = wrapped(graph);
    let mut next = vec![
        Fix::new("schema.markup.validate", json!({ "jsonld": Value::Object(jsonld.clone()).to_string() }))
            .because("validates the markup after you have changed it"),
    ];
    if let (Some(site), true) = (&website, errors.is_empty()) {
        let items = json!([{ "url": url, "jsonld": Value::Object(jsonld.clone()).to_string() }]);
        next.insert(
            0,
            Fix::new("schema.deploy", json!({ "site_id": site.id, "items": items }))
                .because("puts the markup on the page"),
        );
    }
    let degraded = crate::live::missing(&page, &crate::extract::Extracted::default());
    Ok(Generated {
        valid: errors.is_empty(),
        jsonld,
        sources: draft.sources,
        missing_required: blocked,
        errors,
        warnings,
        page: page.seen(),
        next,
        degraded,
    })
}

/// Refuses what only readers' votes and the shop's own price may say, when the page does not show it.
fn unseen(name: &str, value: &Value, shown: &str) -> Result<()> {
    if !matches!(name, "aggregateRating" | "review" | "offers" | "price" | "baseSalary") {
        return Ok(());
    }
    let mut numbers = Vec::new();
    numbers_of(value, &mut numbers);
    let plain: String = shown.chars().map(|it| if it == ',' { '.' } else { it }).collect();
    match numbers.into_iter().find(|it| !plain.contains(it.trim_end_matches(".00").trim_end_matches(".0"))) {
        None => Ok(()),
        Some(number) => {
            let at = format!("/overrides/{}", crate::check::escaped(name));
            let message = format!("the page does not show {number:.20}; markup may only say what its readers can see");
            Err(Fault::invalid(at, "not_visible", message))
        }
    }
}

fn numbers_of(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Number(number) => out.push(number.to_string()),
        Value::String(text) if crate::check::literal::is_number(text) => out.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|it| numbers_of(it, out)),
        // The bounds of a scale are not what readers voted.
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "bestRating" | "worstRating"))
            .for_each(|(_, it)| numbers_of(it, out)),
        _ => {}
    }
}

/// Ties the markup to the nodes of its website, under the addresses that `schema.organization.generate` gives them.
fn tie(graph: &mut Vec<Value>, sources: &mut BTreeMap<String, String>, kind: Made, site: &Stored<Site>) {
    let (organization, website) = (format!("{}/#organization", site.origin), format!("{}/#website", site.origin));
    let tied: &[(&str, &str)] = match kind {
        Made::Article | Made::BlogPosting | Made::NewsArticle => &[("publisher", "o"), ("isPartOf", "w")],
        Made::Course | Made::Service => &[("provider", "o")],
        Made::JobPosting => &[("hiringOrganization", "o")],
        Made::Event => &[("organizer", "o")],
        Made::QaPage | Made::ProfilePage => &[("isPartOf", "w")],
        Made::Product | Made::BreadcrumbList | Made::Recipe | Made::VideoObject | Made::SoftwareApplication => &[],
    };
    let Some(Value::Object(node)) = graph.first_mut() else { return };
    for (name, which) in tied {
        if values(node, name).is_empty() {
            let id = if *which == "o" { &organization } else { &website };
            node.insert((*name).to_owned(), json!({ "@id": id }));
            sources.insert((*name).to_owned(), "site".to_owned());
        }
    }
    let name = site.title();
    graph.push(
        json!({ "@type": "Organization", "@id": organization, "name": name, "url": format!("{}/", site.origin) }),
    );
    graph.push(json!({ "@type": "WebSite", "@id": website, "name": name, "url": format!("{}/", site.origin),
        "publisher": { "@id": organization } }));
}

/// One node as it is, several as a graph.
fn wrapped(mut graph: Vec<Value>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("@context".to_owned(), json!("https://schema.org"));
    if graph.len() == 1 {
        if let Some(Value::Object(node)) = graph.pop() {
            out.extend(node);
        }
    } else {
        out.insert("@graph".to_owned(), Value::Array(graph));
    }
    out
}
