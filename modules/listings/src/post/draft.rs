//! The operation `listings.post.draft`.

use kit::jsonld;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Degraded, Llm, Next, Prompt, json};
use site::live::{self, Live};

use super::policy::{self, Problem};
use super::read::Type;
use crate::place::Place;
use crate::stored::Location;

/// Words of the first sentence that a template takes.
const WORDS: usize = 30;
/// Characters of the page that a model reads.
const MATERIAL: usize = 6_000;

#[args]
pub(crate) struct Draft {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// What the posts are about; the page when left out.
    topic: Option<Text<1, 300>>,
    /// A page of yours: news, an offer, a service, an event. What it says is what a draft may say.
    source_url: Option<Url>,
    #[default(3)]
    count: Count<1, 5>,
    /// Have your language model write them. Numbers, dates and names that the page does not have are dropped.
    #[default(false)]
    use_llm: bool,
}

/// A draft.
#[value]
pub(crate) struct Drafted {
    text: String,
    #[serde(rename = "type")]
    kind: Type,
    link: Option<String>,
    /// What Google would refuse.
    policy_warnings: Vec<Problem>,
    /// Whether a model wrote it; a template otherwise.
    by_llm: bool,
}

/// Drafts.
#[value]
pub(crate) struct Drafts {
    drafts: Vec<Drafted>,
    /// What a model wrote and was dropped, with why.
    #[own]
    dropped: Vec<String>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Drafts posts from website news, offers, services or events by template or LLM connection within policy (length, no phone number in text, one link).
///
/// A template takes title, first sentence, price and dates of the page, structured data first. Without a page the drafts say no more than
/// the topic.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = count, unit = "drafts"),
    needs = ["store", "web", "connection:google_business_profile", "connection:llm"],
    outside = ["llm GET /models", "llm POST /chat/completions query"],
    phrasings = ["write a google post", "draft a post for my business profile", "turn a blog article into a google post"],
    examples = [
        { "location_ref": "108800001.4503600001.con_1", "source_url": "https://shop.example/guides/mending", "count": 2 },
        { "location_ref": "108800001.4503600001.con_1", "topic": "lamp repair on Saturdays" },
    ]
)]
pub(crate) fn draft(cx: &Cx, args: Draft) -> Result<Drafts> {
    Place::find(cx, &args.location_ref, "/location_ref")?;
    if args.topic.is_none() && args.source_url.is_none() {
        return Err(Fault::invalid("/topic", "nothing_to_say", "give a topic, a source_url or both"));
    }
    let page = args.source_url.as_ref().map(|url| live::page(cx, url, "/source_url")).transpose()?;
    let source = Source::of(page.as_ref(), args.topic.as_ref().map(Text::as_str));
    let count = usize::try_from(args.count.get()).unwrap_or(3);
    let (mut drafts, mut dropped, mut degraded) = (Vec::new(), Vec::new(), Vec::new());
    if args.use_llm {
        match written(cx, &source, count) {
            Ok(texts) => {
                for text in texts {
                    match source.lacks(&text) {
                        None => drafts.push(source.drafted(text, true)),
                        Some(what) => dropped.push(format!("`{what}` does not stand in the source")),
                    }
                }
            }
            Err(fault) if fault.code == "connection_required" => return Err(fault),
            Err(fault) => degraded.push(Degraded::new("drafts", format!("the model wrote none: {}", fault.message))),
        }
    }
    for text in source.templates() {
        if drafts.len() >= count {
            break;
        }
        drafts.push(source.drafted(text, false));
    }
    drafts.truncate(count);
    let best = drafts.iter().find(|it| it.policy_warnings.is_empty() && it.kind == Type::Update);
    let next = best.map(|it| {
        let mut arguments = json!({ "location_refs": [args.location_ref], "text": it.text });
        if let Some(link) = &it.link {
            arguments["link"] = json!(link);
        }
        Next::new("listings.post.publish", arguments, "publishes the first draft")
    });
    Ok(Drafts { drafts, dropped, next: next.into_iter().collect(), degraded })
}

/// What drafts are made of.
struct Source {
    title: String,
    sentence: String,
    price: Option<String>,
    dates: Option<(String, Option<String>)>,
    kind: Type,
    link: Option<String>,
    topic: Option<String>,
    /// All that the source says, and the topic: what is not in here is no fact.
    whole: String,
    language: String,
}

impl Source {
    fn of(page: Option<&Live>, topic: Option<&str>) -> Self {
        let mut source = Self {
            title: topic.unwrap_or_default().to_owned(),
            sentence: String::new(),
            price: None,
            dates: None,
            kind: Type::Update,
            link: None,
            topic: topic.map(str::to_owned),
            whole: topic.unwrap_or_default().to_owned(),
            language: "en".to_owned(),
        };
        let Some(page) = page else {
            source.language =
                kit::language::detect(&source.whole).map_or_else(|| "en".to_owned(), |it| it.language.to_owned());
            return source;
        };
        let facts = &page.facts;
        let heading = facts.headings.iter().find(|it| it.level == 1).map(|it| it.text.clone());
        source.title = heading.or_else(|| facts.titles.first().cloned()).unwrap_or_default();
        let content = kit::extract::content(&page.dom);
        let plain = kit::extract::plain(&kit::extract::blocks(&page.dom, &content));
        source.sentence = kit::sentence::sentences(&plain)
            .into_iter()
            .find(|it| kit::text::word_count(it) >= 5)
            .unwrap_or_default()
            .to_owned();
        source.link = Some(facts.final_url.clone());
        source.language = facts
            .lang
            .clone()
            .or_else(|| kit::language::detect(&plain).map(|it| it.language.to_owned()))
            .unwrap_or_else(|| "en".to_owned());
        for node in jsonld::nodes(&page.dom) {
            source.take(&node);
        }
        let described = facts.descriptions.first().cloned().unwrap_or_default();
        source.whole = [
            source.whole,
            source.title.clone(),
            described,
            plain,
            source.price.clone().unwrap_or_default(),
            written_dates(source.dates.as_ref()),
        ]
        .join("\n");
        source
    }

    /// What structured data says of an event or an offer.
    fn take(&mut self, node: &Map<String, Value>) {
        let is = |kind: &str| jsonld::types(node).any(|it| it.ends_with(kind));
        let text = |value: &Value| jsonld::text(value).filter(|it| !it.is_empty());
        if is("Event") {
            self.kind = Type::Event;
            if let Some(name) = node.get("name").and_then(text) {
                self.title = name;
            }
            let day = |name: &str| node.get(name).and_then(text).map(|it| kit::text::clip(&it, 10).to_owned());
            self.dates = day("startDate").map(|start| (start, day("endDate")));
        }
        let offer = if is("Offer") {
            Some(node)
        } else {
            node.get("offers").and_then(|it| it.as_object().or_else(|| it[0].as_object()))
        };
        if let Some(offer) = offer {
            let price = offer.get("price").or_else(|| offer.get("lowPrice")).and_then(text);
            let currency = offer.get("priceCurrency").and_then(text).unwrap_or_default();
            self.price = price.map(|it| format!("{it} {currency}").trim().to_owned());
        }
    }

    fn short(&self) -> String {
        let words: Vec<&str> = self.sentence.split_whitespace().collect();
        if words.len() <= WORDS { self.sentence.clone() } else { format!("{} …", words[..WORDS].join(" ")) }
    }

    /// The texts of the templates, the richest first.
    fn templates(&self) -> Vec<String> {
        let more = match kit::language::primary(&self.language).as_str() {
            "de" => "Mehr dazu auf unserer Website.",
            "fr" => "Plus d’informations sur notre site.",
            "es" => "Más información en nuestra web.",
            _ => "Read more on our website.",
        };
        let title = self.title.trim().trim_end_matches('.');
        let when = written_dates(self.dates.as_ref());
        let price = self.price.clone().unwrap_or_default();
        let join = |parts: &[&str]| {
            let parts = parts.iter().map(|it| it.trim()).filter(|it| !it.is_empty());
            let parts: Vec<String> = parts
                .map(|it| if it.ends_with(['.', '!', '?', '…']) { it.to_owned() } else { format!("{it}.") })
                .collect();
            kit::text::clip(&parts.join(" "), policy::MOST).to_owned()
        };
        let short = self.short();
        let link = if self.link.is_some() { more } else { "" };
        let mut all = vec![
            join(&[title, &when, &short, &price, link]),
            join(&[&short, link]),
            join(&[title, &price, link]),
            join(&[title, &short]),
            join(&[title, link]),
        ];
        all.retain(|it| !it.is_empty());
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|it| seen.insert(it.clone()));
        all
    }

    fn drafted(&self, text: String, by_llm: bool) -> Drafted {
        let policy_warnings = policy::in_post(&text, self.link.as_deref());
        Drafted { text, kind: self.kind, link: self.link.clone(), policy_warnings, by_llm }
    }

    /// A number or name of a text that the source does not have.
    fn lacks(&self, text: &str) -> Option<String> {
        let digits = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty()).map(str::to_owned).collect()
        };
        let known = digits(&self.whole);
        if let Some(number) = digits(text).into_iter().find(|it| !known.contains(it)) {
            return Some(number);
        }
        let lower = self.whole.to_lowercase();
        kit::names::names(text, &self.language)
            .into_iter()
            .map(|it| it.name)
            .find(|it| !lower.contains(&it.to_lowercase()))
    }
}

fn written_dates(dates: Option<&(String, Option<String>)>) -> String {
    match dates {
        None => String::new(),
        Some((start, Some(end))) if end != start => format!("{start} – {end}"),
        Some((start, _)) => start.clone(),
    }
}

/// Texts of the customer's model; the page is data for it.
fn written(cx: &Cx, source: &Source, count: usize) -> Result<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Written {
        texts: Vec<String>,
    }
    let llm = Llm::connect(cx, "/use_llm", "a language model writes the drafts", None)?;
    let task = format!(
        "Write {count} short posts for a business profile on Google, in the language of the material, 20 to 80 words each, in plain \
         sentences. No telephone number, no address of the web, no hashtag, no emoji, no capitals for emphasis, no superlatives. Use only \
         facts, numbers, dates and names of the material."
    );
    let data =
        json!({ "topic": source.topic, "title": source.title, "text": kit::text::clip(&source.whole, MATERIAL) });
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["texts"],
        "properties": { "texts": { "type": "array", "items": { "type": "string" } } },
    });
    let written: Written = llm.ask(cx, &Prompt::new(task).data(&data), "posts", &schema)?;
    Ok(written.texts.into_iter().map(|it| kit::text::collapse(&it)).filter(|it| !it.is_empty()).take(count).collect())
}
