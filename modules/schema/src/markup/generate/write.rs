//! Which of the visible facts of a page make up each type.

use std::collections::BTreeMap;

use kit::dates::Of;
use sdk::json;
use serde_json::{Map, Value};

use super::Made;
use crate::markup::visible::{Fact, Visible};

/// A node with the places of its properties.
pub(super) struct Draft {
    pub(super) node: Map<String, Value>,
    pub(super) sources: BTreeMap<String, String>,
}

impl Draft {
    fn put(&mut self, name: &str, fact: Option<Fact>) {
        self.put_as(name, fact, |value| value);
    }

    fn put_as(&mut self, name: &str, fact: Option<Fact>, shape: impl FnOnce(Value) -> Value) {
        if let Some(Fact { value, selector }) = fact {
            self.sources.insert(name.to_owned(), selector);
            self.node.insert(name.to_owned(), shape(value));
        }
    }

    fn say(&mut self, name: &str, value: Value, source: &str) {
        self.sources.insert(name.to_owned(), source.to_owned());
        self.node.insert(name.to_owned(), value);
    }
}

/// The node of a type, with everything that the page shows for it.
pub(super) fn draft(kind: Made, page: &Visible<'_>) -> Draft {
    let mut draft = Draft { node: Map::new(), sources: BTreeMap::new() };
    draft.node.insert("@type".to_owned(), Value::from(kind.name()));
    let url = page.page.facts.final_url.as_str();
    if kind != Made::BreadcrumbList {
        draft.say("@id", json!(format!("{url}#{}", kind.name().to_lowercase())), "url");
        draft.say("url", json!(url), "url");
    }
    match kind {
        Made::Article | Made::BlogPosting | Made::NewsArticle => article(&mut draft, page),
        Made::Product => {
            named(&mut draft, page);
            draft.put("sku", page.labelled(&["sku", "item number", "article number", "artikelnummer"]));
            let brand = page.labelled(&["brand", "marke", "manufacturer", "hersteller"]);
            draft.put_as("brand", brand, |name| json!({ "@type": "Brand", "name": name }));
            offer(&mut draft, page);
        }
        Made::BreadcrumbList => trail(&mut draft, page),
        Made::Recipe => recipe(&mut draft, page),
        Made::Event => event(&mut draft, page),
        Made::VideoObject => video(&mut draft, page),
        Made::Course => {
            named(&mut draft, page);
            let provider = page.labelled(&["provider", "school", "university", "anbieter"]);
            draft.put_as("provider", provider, |name| json!({ "@type": "Organization", "name": name }));
        }
        Made::JobPosting => job(&mut draft, page),
        Made::SoftwareApplication => {
            named(&mut draft, page);
            draft
                .put("operatingSystem", page.labelled(&["operating system", "platform", "requires", "betriebssystem"]));
            draft.put("softwareVersion", page.labelled(&["version"]));
            draft.put("applicationCategory", page.labelled(&["category", "kategorie"]));
            offer(&mut draft, page);
        }
        Made::QaPage => question(&mut draft, page),
        Made::ProfilePage => profile(&mut draft, page),
        Made::Service => {
            named(&mut draft, page);
            draft.put("areaServed", page.labelled(&["area served", "service area", "region"]));
            offer(&mut draft, page);
        }
    }
    draft
}

fn named(draft: &mut Draft, page: &Visible<'_>) {
    draft.put("name", page.heading());
    draft.put("description", page.lead());
    draft.put_as("image", page.picture(), |url| json!([url]));
}

fn person(name: Value) -> Value {
    json!({ "@type": "Person", "name": name })
}

fn article(draft: &mut Draft, page: &Visible<'_>) {
    draft.put("headline", page.heading());
    draft.put("description", page.lead());
    draft.put_as("image", page.picture(), |url| json!([url]));
    draft.put("datePublished", page.date(Of::Published));
    draft.put("dateModified", page.date(Of::Modified));
    draft.put_as("author", page.author(), person);
    draft.say("mainEntityOfPage", json!(page.page.facts.final_url), "url");
}

fn offer(draft: &mut Draft, page: &Visible<'_>) {
    let Some((fact, money)) = page.price() else { return };
    let mut offer = json!({ "@type": "Offer", "price": fact.value, "url": page.page.facts.final_url });
    if let Some(currency) = money.currency {
        offer["priceCurrency"] = json!(currency);
    }
    let text = page.page.dom.text(0).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|it| text.contains(it));
    if says(&["out of stock", "sold out", "ausverkauft", "nicht vorrätig", "nicht lieferbar"]) {
        offer["availability"] = json!("https://schema.org/OutOfStock");
    } else if says(&["in stock", "auf lager", "sofort lieferbar"]) {
        offer["availability"] = json!("https://schema.org/InStock");
    }
    draft.say("offers", offer, &fact.selector);
}

fn trail(draft: &mut Draft, page: &Visible<'_>) {
    let Some((steps, selector)) = page.trail() else { return };
    let step = |(at, (name, url)): (usize, (String, Option<String>))| {
        let mut step = json!({ "@type": "ListItem", "position": at + 1, "name": name });
        if let Some(url) = url {
            step["item"] = json!(url);
        }
        step
    };
    let items: Vec<Value> = steps.into_iter().enumerate().map(step).collect();
    draft.say("itemListElement", json!(items), &selector);
}

fn recipe(draft: &mut Draft, page: &Visible<'_>) {
    named(draft, page);
    draft.put("recipeIngredient", page.listed(&["ingredient", "zutaten", "ingrédients", "ingredientes"]));
    let steps =
        page.listed(&["instruction", "method", "direction", "preparation", "steps", "zubereitung", "préparation"]);
    draft.put_as("recipeInstructions", steps, |steps| {
        let steps = steps.as_array().cloned().unwrap_or_default();
        steps.into_iter().map(|text| json!({ "@type": "HowToStep", "text": text })).collect()
    });
    for (name, labels) in [
        ("prepTime", &["prep time", "preparation time", "vorbereitungszeit"][..]),
        ("cookTime", &["cook time", "cooking time", "kochzeit", "backzeit"]),
        ("totalTime", &["total time", "gesamtzeit", "ready in"]),
    ] {
        let fact = page.labelled(labels);
        let duration = fact.as_ref().and_then(|it| duration(it.value.as_str()?));
        draft.put_as(name, fact.filter(|_| duration.is_some()), |_| json!(duration));
    }
    draft.put("recipeYield", page.labelled(&["serves", "servings", "yield", "portionen", "makes"]));
    draft.put_as("author", page.author(), person);
    draft.put("datePublished", page.date(Of::Published));
}

/// `1 hour 20 minutes` as `PT1H20M`.
fn duration(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let (mut hours, mut minutes, mut number) = (0_u32, 0_u32, None);
    let mut spaced = String::new();
    let mut before = ' ';
    for letter in lower.chars() {
        // `1h30m` is four words.
        if before.is_ascii_digit() != letter.is_ascii_digit() {
            spaced.push(' ');
        }
        spaced.push(if letter.is_alphanumeric() { letter } else { ' ' });
        before = letter;
    }
    for word in spaced.split_whitespace() {
        if let Ok(found) = word.parse() {
            number = Some(found);
        } else if word.starts_with('h') || word.starts_with("std") || word.starts_with("stund") {
            hours = hours.saturating_add(number.take().unwrap_or(0));
        } else if word.starts_with("min") || word == "m" {
            minutes = minutes.saturating_add(number.take().unwrap_or(0));
        }
    }
    match (hours.checked_add(minutes / 60)?, minutes % 60) {
        (0, 0) => None,
        (0, minutes) => Some(format!("PT{minutes}M")),
        (hours, 0) => Some(format!("PT{hours}H")),
        (hours, minutes) => Some(format!("PT{hours}H{minutes}M")),
    }
}

fn event(draft: &mut Draft, page: &Visible<'_>) {
    named(draft, page);
    let mut moments = page.moments().into_iter();
    let begins = moments.next();
    // A date that nothing says to be the event's is that of the page.
    let told = || {
        dated(
            page.labelled(&["date", "when", "starts", "start", "begins", "datum", "wann", "beginn", "quand", "cuándo"]),
        )
    };
    draft.put("startDate", begins.or_else(told));
    draft.put("endDate", moments.next());
    let place = page.labelled(&["location", "venue", "where", "ort", "veranstaltungsort"]);
    let address = page.postal();
    let place = place.or_else(|| page.classed(&["venue", "location"], 1).pop()).or_else(|| address.clone());
    let address = address.map(|it| it.value);
    draft.put_as("location", place, |name| {
        let address = address.unwrap_or_else(|| name.clone());
        json!({ "@type": "Place", "name": name, "address": address })
    });
    offer(draft, page);
}

fn video(draft: &mut Draft, page: &Visible<'_>) {
    draft.put("name", page.heading());
    draft.put("description", page.lead());
    draft.put("uploadDate", page.date(Of::Published));
    if let Some((name, source, poster)) = page.video() {
        draft.put(name, Some(source));
        draft.put_as("thumbnailUrl", poster, |url| json!([url]));
    }
}

/// What was found as a day, where it is one.
fn dated(found: Option<Fact>) -> Option<Fact> {
    let mut fact = found?;
    let day = kit::dates::parse(fact.value.as_str()?)?;
    fact.value = json!(day.to_string());
    Some(fact)
}

fn job(draft: &mut Draft, page: &Visible<'_>) {
    draft.put("title", page.heading());
    draft.put("description", page.text());
    draft.put("datePosted", dated(page.labelled(&["posted", "date posted"]).or_else(|| page.date(Of::Published))));
    let company = page.labelled(&["company", "employer", "unternehmen", "arbeitgeber"]);
    draft.put_as("hiringOrganization", company, |name| json!({ "@type": "Organization", "name": name }));
    let place = page.labelled(&["location", "place of work", "standort", "arbeitsort", "city"]);
    draft.put_as("jobLocation", place, |name| {
        // The country is the last part of an address, when that is a code of two letters.
        let country = name.as_str().and_then(|it| it.rsplit(',').next()).map(str::trim).map(str::to_owned);
        let country = country.filter(|it| it.len() == 2 && it.bytes().all(|it| it.is_ascii_uppercase()));
        let mut address = json!({ "@type": "PostalAddress", "addressLocality": name });
        if let Some(country) = country {
            address["addressCountry"] = json!(country);
        }
        json!({ "@type": "Place", "address": address })
    });
    let form = page.labelled(&["employment type", "job type", "contract", "anstellungsart", "hours"]);
    draft.put_as("employmentType", form, |text| {
        let text = text.as_str().unwrap_or_default().to_lowercase();
        let known = [
            ("full", "FULL_TIME"),
            ("part", "PART_TIME"),
            ("temporary", "TEMPORARY"),
            ("intern", "INTERN"),
            ("contract", "CONTRACTOR"),
            ("vollzeit", "FULL_TIME"),
            ("teilzeit", "PART_TIME"),
        ];
        json!(known.iter().find(|(word, _)| text.contains(word)).map_or("OTHER", |(_, name)| name))
    });
}

fn question(draft: &mut Draft, page: &Visible<'_>) {
    let Some(heading) = page.heading() else { return };
    let answers = page.classed(&["answer", "reply", "antwort"], 20);
    let texts: Vec<Value> = answers.iter().map(|it| json!({ "@type": "Answer", "text": it.value })).collect();
    let mut question = json!({ "@type": "Question", "name": heading.value, "answerCount": texts.len() });
    if let Some(lead) = page.lead() {
        question["text"] = lead.value;
    }
    if !texts.is_empty() {
        question["suggestedAnswer"] = json!(texts);
    }
    draft.say("mainEntity", question, &heading.selector);
}

fn profile(draft: &mut Draft, page: &Visible<'_>) {
    let Some(heading) = page.heading() else { return };
    let mut who = person(heading.value);
    who["@id"] = json!(format!("{}#person", page.page.facts.final_url));
    for (name, fact) in [("description", page.lead()), ("image", page.picture()), ("sameAs", page.profiles())] {
        if let Some(fact) = fact {
            who[name] = fact.value;
        }
    }
    draft.say("mainEntity", who, &heading.selector);
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_in_words_are_durations_of_iso_8601() {
        for (text, wanted) in [
            ("20 minutes", "PT20M"),
            ("1 hour 20 min", "PT1H20M"),
            ("1h30m", "PT1H30M"),
            ("90 min", "PT1H30M"),
            ("2 Stunden", "PT2H"),
        ] {
            assert_eq!(duration(text).as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(duration("a while"), None);
    }
}
