//! The operation `schema.type.suggest`: which types fit a page, by what its readers see.

use kit::dates::Of;
use kit::extract::Kind;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::extract::types;
use crate::google::{self, Standing};
use crate::markup::generate::Made;
use crate::markup::visible::{Fact, Visible};
use site::live::{self, Seen};

#[args]
pub(crate) struct Suggest {
    url: Url,
}

/// A type that fits.
#[value]
pub(crate) struct Suggestion {
    #[serde(rename = "type")]
    kind: String,
    /// How sure that is, from 0 to 1.
    confidence: f64,
    /// What speaks for it, each with the place where it stands.
    evidence: Vec<String>,
    /// Whether the page declares the type already.
    declared: bool,
    /// Why the type gives no rich result any more; null when it does, or never did.
    retired: Option<String>,
    fix: Fix,
}

/// The types that fit a page.
#[value]
pub(crate) struct Suggested {
    /// The surest first; at most 8.
    suggestions: Vec<Suggestion>,
    page: Seen,
    degraded: Vec<Degraded>,
}

/// Suggests fitting types for a page from its content signals (price, recipe, event date, address, questions, author, steps, job fields) with the evidence for each.
///
/// The weights of the signals are this service's own judgement. Types that are declared already are suggested too, and say so.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "which schema should I add to this page",
        "what structured data fits my page",
        "suggest markup for a url",
        "which schema.org type is right for this content",
    ],
    examples = [{ "url": "https://shop.example/products/lamp-1" }]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Suggested> {
    let page = live::page(cx, &args.url, "/url")?;
    let found = crate::live::extracted(&page);
    let declared: Vec<&str> = found.items.iter().flat_map(|it| types(&it.value)).collect();
    let visible = Visible::new(&page);
    let url = page.facts.final_url.as_str();
    let mut signals = signals(&visible);
    signals.retain(|it| it.weight() >= 0.4);
    signals.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    let suggestion = |signal: &Signal| {
        let names = [signal.kind];
        let gone = google::of_types(&names).find(|it| it.asks.is_empty() && it.standing != Standing::Current);
        let made = serde_json::from_value::<Made>(json!(signal.kind)).is_ok();
        let fix = if made {
            Fix::new("schema.markup.generate", json!({ "url": url, "type": signal.kind }))
        } else {
            Fix::new("schema.type.get", json!({ "type": signal.kind }))
        };
        Suggestion {
            kind: signal.kind.to_owned(),
            confidence: (signal.weight() * 100.0).round() / 100.0,
            evidence: signal.evidence.iter().map(|(_, words)| words.clone()).collect(),
            declared: declared.contains(&signal.kind),
            retired: gone.and_then(|it| match it.standing {
                Standing::Retired(since) => Some(format!("Google shows no {} result since {since}", it.title)),
                Standing::Current => None,
            }),
            fix,
        }
    };
    let degraded = crate::live::missing(&page, &found);
    Ok(Suggested { suggestions: signals.iter().take(8).map(suggestion).collect(), page: page.seen(), degraded })
}

/// A type with what speaks for it.
struct Signal {
    kind: &'static str,
    evidence: Vec<(f64, String)>,
}

impl Signal {
    /// Signals as independent witnesses: the chance that at least one is right.
    fn weight(&self) -> f64 {
        1.0 - self.evidence.iter().map(|(weight, _)| 1.0 - weight).product::<f64>()
    }
}

fn signals(page: &Visible<'_>) -> Vec<Signal> {
    let text = page.page.dom.text(0).to_lowercase();
    let facts = &page.page.facts;
    let open_graph = facts.open_graph.iter().find(|(name, _)| name == "og:type").map(|(_, it)| it.to_lowercase());
    let heading = page.heading();
    let title = heading.as_ref().and_then(|it| it.value.as_str()).unwrap_or_default().to_lowercase();
    let mut all: Vec<Signal> = Vec::new();
    let mut say = |kind: &'static str, weight: f64, words: String| match all.iter_mut().find(|it| it.kind == kind) {
        Some(known) => known.evidence.push((weight, words)),
        None => all.push(Signal { kind, evidence: vec![(weight, words)] }),
    };
    let at = |words: &str, fact: &Fact| format!("{words} at {}", fact.selector);
    let word = |words: &[&'static str]| words.iter().copied().find(|it| text.contains(it));

    if let Some((fact, money)) = page.price() {
        say("Product", 0.5, at(&format!("a price of {}", money.amount()), &fact));
    }
    if let Some(found) = word(&["add to cart", "add to basket", "buy now", "in den warenkorb", "ajouter au panier"]) {
        say("Product", 0.6, format!("the words “{found}”"));
    }
    if open_graph.as_deref().is_some_and(|it| it.contains("product")) {
        say("Product", 0.5, "og:type says product".to_owned());
    }
    if let Some(list) = page.listed(&["ingredient", "zutaten", "ingrédients", "ingredientes"]) {
        say("Recipe", 0.75, at("a list of ingredients", &list));
    }
    if let Some(time) =
        page.labelled(&["prep time", "cook time", "total time", "kochzeit", "backzeit", "servings", "serves"])
    {
        say("Recipe", 0.4, at("a cooking time or servings", &time));
    }
    let moments = page.moments();
    let place = page.labelled(&["location", "venue", "where", "ort"]).or_else(|| page.postal());
    let tickets = word(&["tickets", "register now", "rsvp", "doors open", "eintritt"]);
    if let (Some(moment), true) = (moments.first(), place.is_some() || tickets.is_some()) {
        if moment.value.as_str().is_some_and(|it| it.contains('T')) {
            say("Event", 0.45, at("a date with a time", moment));
        }
        if let Some(words) = tickets {
            say("Event", 0.4, format!("the word “{words}”"));
        }
    }
    if let Some(address) = page.postal() {
        say("LocalBusiness", 0.4, at("a postal address", &address));
        if let Some(words) = word(&["opening hours", "open today", "öffnungszeiten", "horaires"]) {
            say("LocalBusiness", 0.4, format!("the words “{words}”"));
        }
    }
    let asked = |it: &&kit::extract::Block| matches!(it.kind, Kind::Heading(_)) && it.text.trim_end().ends_with('?');
    let questions = page.blocks.iter().filter(asked).count();
    if questions >= 3 {
        say("FAQPage", 0.6, format!("{questions} headings that ask a question"));
    }
    let answers = page.classed(&["answer", "reply"], 5).len();
    if title.ends_with('?') && answers > 0 {
        say("QAPage", 0.7, format!("a question as the heading, and {answers} answers"));
    }
    if let Some(author) = page.author() {
        say("Article", 0.4, at("an author", &author));
    }
    if let Some(date) = page.date(Of::Published) {
        say("Article", 0.3, at("a date of publication", &date));
    }
    if facts.word_count >= 300 && page.price().is_none() {
        say("Article", 0.2, format!("{} words of text", facts.word_count));
    }
    if open_graph.as_deref() == Some("article") {
        say("Article", 0.4, "og:type says article".to_owned());
    }
    if facts.final_url.contains("/blog/") {
        say("BlogPosting", 0.5, "the address has /blog/".to_owned());
    }
    let numbered = page
        .page
        .dom
        .elements("ol")
        .map(|id| page.page.dom.children(id).filter(|it| page.page.dom.name(*it) == "li").count());
    let steps = numbered.max().unwrap_or(0);
    if steps >= 3 && ["how to", "how do", "guide", "so ", "anleitung"].iter().any(|it| title.starts_with(it)) {
        say("HowTo", 0.6, format!("{steps} numbered steps under a heading that promises them"));
    }
    let fields = [
        &["employment type", "job type", "anstellungsart"][..],
        &["salary", "gehalt", "compensation"],
        &["company", "employer", "arbeitgeber"],
    ];
    for found in fields.iter().filter_map(|labels| page.labelled(labels)) {
        say("JobPosting", 0.35, at("a field of a vacancy", &found));
    }
    if let Some(words) = word(&["apply now", "apply for this job", "jetzt bewerben"]) {
        say("JobPosting", 0.5, format!("the words “{words}”"));
    }
    if let Some((_, video, _)) = page.video() {
        say("VideoObject", 0.6, at("a video", &video));
    }
    if let Some((steps, selector)) = page.trail() {
        say("BreadcrumbList", 0.85, format!("a trail of {} steps at {selector}", steps.len()));
    }
    if let Some(version) = page.labelled(&["operating system", "version", "platform"]) {
        say("SoftwareApplication", 0.35, at("a field of a program", &version));
        if let Some(words) = word(&["download", "herunterladen"]) {
            say("SoftwareApplication", 0.25, format!("the word “{words}”"));
        }
    }
    if let Some(words) = word(&["course syllabus", "curriculum", "enrol now", "enroll now", "kursinhalt"]) {
        say("Course", 0.5, format!("the words “{words}”"));
    }
    if let (Some(profiles), true) = (
        page.profiles(),
        open_graph.as_deref() == Some("profile")
            || facts.final_url.contains("/author/")
            || facts.final_url.contains("/team/"),
    ) {
        say("ProfilePage", 0.6, at("links to profiles", &profiles));
    }
    all
}
