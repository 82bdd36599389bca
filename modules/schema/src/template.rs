//! The operations `schema.template.save` and `schema.template.preview`; `render` makes markup of a page by a template.

pub(crate) mod render;

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::extract::context::bare;
use crate::extract::{Format, Item};
use crate::judge::{self, Problem, Profile};
use crate::live::FEWER_BYTES;
use crate::vocabulary;
use render::{Mapped, Maps};
use site::live::{self, Reach};
use site::{Segment, Site};

/// The most templates of one website.
const MOST: usize = 50;
/// The most properties of one template.
const MOST_PROPERTIES: usize = 40;

/// A template. Its id is made of the website and the name.
#[record(collection = "templates", index(site_id))]
pub(crate) struct Template {
    pub(crate) site_id: Id<Site>,
    pub(crate) name: String,
    pub(crate) segment_ref: Id<Segment>,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) mapping: Maps,
    pub(crate) updated_at: Moment,
}

#[args]
pub(crate) struct Save {
    site_id: Id<Site>,
    /// Its name; the template that has it already is replaced.
    name: Text<1, 60>,
    /// The segment whose pages it is for, as listed by `websites.profile.get`.
    segment_ref: Id<Segment>,
    /// A type of schema.org.
    #[serde(rename = "type")]
    kind: Text<2, 60>,
    /// What each property is made of, by its name; `offers.price` is a property of an inner item. At most 40.
    mapping: BTreeMap<String, Mapped>,
}

/// A template that was saved.
#[value]
pub(crate) struct Saved {
    template_ref: Id<Template>,
    /// Whether it took the place of one.
    replaced: bool,
    /// What the vocabulary or Google's requirements say of the mapping.
    warnings: Vec<String>,
    /// What to do next.
    next: Vec<Next>,
}

/// Saves a markup template for a segment: type plus property mapping from selectors, extracted fields or constants, with filters and required flags.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["stores or replaces the template of this name"],
    phrasings = [
        "use the same schema for all my product pages",
        "save a structured data template",
        "map page elements to schema properties",
        "set up markup for a whole section of my site",
    ],
    examples = [{
        "site_id": "4503599627370496", "name": "Lamps", "segment_ref": "seg_0a1b2c3d4e5f", "type": "Product",
        "mapping": {
            "name": { "selector": "h1", "required": true },
            "image": { "field": "picture" },
            "offers.@type": { "constant": "Offer" },
            "offers.price": { "selector": ".price", "filters": ["price"], "required": true },
            "offers.priceCurrency": { "constant": "EUR" }
        }
    }]
)]
pub(crate) fn save(cx: &Cx, args: Save) -> Result<Saved> {
    let site = site::get(cx, &args.site_id)?;
    let segment = cx.records::<Segment>().get(&args.segment_ref).map_err(|fault| fault.at("/segment_ref"))?;
    if segment.site_id != site.id {
        let message = "the segment is one of another website; websites.profile.get lists those of this one";
        return Err(Fault::not_found("segment_not_found", message).at("/segment_ref"));
    }
    let kind = bare(&args.kind);
    let Some((kind, _)) = vocabulary::get().kind(kind) else {
        let near = vocabulary::get().nearest(kind).map(|it| format!("; is {it} meant")).unwrap_or_default();
        return Err(Fault::invalid("/type", "unknown_type", format!("schema.org has no type of this name{near}")));
    };
    if args.mapping.is_empty() || args.mapping.len() > MOST_PROPERTIES {
        let message = format!("a mapping has 1 to {MOST_PROPERTIES} properties");
        return Err(Fault::invalid("/mapping", "mapping_size", message));
    }
    for (name, mapped) in &args.mapping {
        let at = format!("/mapping/{}", crate::check::escaped(name));
        mapped
            .ready()
            .map_err(|(member, message)| Fault::invalid(format!("{at}{member}"), "mapping_unreadable", message))?;
    }
    let name = kit::text::collapse(&args.name);
    let hash = kit::text::sha256(format!("{}\n{}", site.id, name.to_lowercase()).as_bytes());
    let id: Id<Template> = Id::new(format!("tpl_{}", kit::text::hex(&hash[..12])));
    let templates = cx.records::<Template>();
    let kept = templates.find(&id);
    let replaced = kept.is_some();
    if !replaced && templates.by("site_id").equals(&site.id).count() >= MOST as u64 {
        let message = format!("a website has at most {MOST} templates; save one of them anew instead");
        return Err(Fault::conflict("too_many_templates", message).at("/name"));
    }
    let warnings = warnings(kind, &args.mapping);
    let it = Template {
        site_id: site.id.clone(),
        name,
        segment_ref: args.segment_ref,
        kind: kind.to_owned(),
        mapping: args.mapping,
        updated_at: cx.now(),
    };
    match kept {
        Some(mut kept) => {
            kept.it = it;
            templates.save(kept)?;
        }
        None => {
            templates.insert_as(id.clone(), it)?;
        }
    }
    let deploy = json!({ "site_id": site.id, "template_ref": id, "dry_run": true });
    Ok(Saved {
        template_ref: id,
        replaced,
        warnings,
        next: vec![
            Fix::new("schema.deploy", deploy).because("shows on which pages the template would put which markup"),
        ],
    })
}

/// Properties that the type does not have, and those that its rich result needs and the mapping lacks.
fn warnings(kind: &str, mapping: &Maps) -> Vec<String> {
    let all = vocabulary::get();
    let mut out = Vec::new();
    for name in mapping.keys().filter_map(|it| it.split('.').next()).filter(|it| !it.starts_with('@')) {
        let said = match all.property(name) {
            None => format!("schema.org has no property {name:.60}"),
            Some(property) if !all.has(kind, property) => format!("{name} is not a property of {kind}"),
            Some(_) => continue,
        };
        if !out.contains(&said) {
            out.push(said);
        }
    }
    let names = [kind];
    let current = crate::google::of_types(&names)
        .filter(|it| it.standing == crate::google::Standing::Current && it.asks.is_empty());
    for feature in current {
        let mapped = |path: &str| mapping.keys().any(|it| it == path || it.starts_with(&format!("{path}.")));
        for path in feature.required.iter().filter(|it| !it.split('|').any(mapped)) {
            out.push(format!("{} needs {path}", feature.title));
        }
    }
    out
}

#[args]
pub(crate) struct Preview {
    template_ref: Id<Template>,
    /// Pages of its segment.
    urls: List<Url, 1, 20>,
}

/// A page as the template renders it.
#[value]
pub(crate) struct Rendered {
    url: String,
    /// The markup; null when the page could not be read or a required property was not found.
    jsonld: Option<Map<String, Value>>,
    errors: Vec<Problem>,
    /// Required properties that were not found on the page.
    not_found: Vec<String>,
    /// Why there is no markup, in words.
    failure: Option<String>,
    eligible_for: Vec<String>,
}

/// A template on live pages.
#[value]
pub(crate) struct Previewed {
    results: Vec<Rendered>,
    /// The share of pages whose markup would qualify for a rich result, from 0 to 1.
    eligible_share: f64,
    fetched_at: Moment,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Renders a template on live URLs of its segment and validates each result, reporting the share that would be eligible.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 20),
    needs = ["web"],
    phrasings = [
        "try my schema template on some pages",
        "preview the markup before it goes live",
        "does my structured data template work",
        "how many pages would get rich results with this template",
    ],
    examples = [{ "template_ref": "tpl_0a1b2c3d4e5f", "urls": ["https://shop.example/products/lamp-1"] }]
)]
pub(crate) fn preview(cx: &Cx, args: Preview) -> Result<Previewed> {
    let template = cx.records::<Template>().get(&args.template_ref).map_err(|fault| fault.at("/template_ref"))?;
    let rules = cx.records::<Segment>().find(&template.segment_ref).and_then(|it| it.ready());
    let mut degraded = Vec::new();
    match &rules {
        Some(rules) => {
            if let Some(at) = args.urls.iter().position(|it| !site::holds(rules, it.as_str())) {
                let message = "the page is not in the segment that the template is for";
                return Err(Fault::invalid(format!("/urls/{at}"), "url_not_in_segment", message));
            }
        }
        None => degraded.push(Degraded::new("segment", "the segment of the template is gone; every page was taken")),
    }
    let urls = args.urls.into_vec();
    let mut results = Vec::new();
    for (url, answer) in urls.iter().zip(live::pages(cx, &urls, Reach::bytes(FEWER_BYTES))) {
        results.push(match answer {
            Err(fault) => failed(url, fault.message),
            Ok(page) => rendered(&template, url, &page, cx.now().day()),
        });
    }
    let won = results.iter().filter(|it| !it.eligible_for.is_empty() && it.errors.is_empty()).count();
    let share =
        f64::from(u32::try_from(won).unwrap_or(0)) / f64::from(u32::try_from(results.len()).unwrap_or(1).max(1));
    let deploy = json!({ "site_id": template.site_id, "template_ref": template.id, "dry_run": true });
    Ok(Previewed {
        results,
        eligible_share: (share * 1_000.0).round() / 1_000.0,
        fetched_at: cx.now(),
        next: vec![
            Fix::new("schema.deploy", deploy).because("shows on which pages the template would put which markup"),
        ],
        degraded,
    })
}

fn failed(url: &Url, failure: String) -> Rendered {
    let url = url.to_string();
    Rendered {
        url,
        jsonld: None,
        errors: Vec::new(),
        not_found: Vec::new(),
        failure: Some(failure),
        eligible_for: Vec::new(),
    }
}

fn rendered(template: &Template, url: &Url, page: &live::Live, today: Day) -> Rendered {
    let made = render::render(&template.kind, &template.mapping, page);
    if !made.not_found.is_empty() {
        let failure = "a required property was not found on the page".to_owned();
        return Rendered { not_found: made.not_found, ..failed(url, failure) };
    }
    let item = Item { format: Format::JsonLd, line: 1, pointer: String::new(), value: made.node.clone() };
    let judged = judge::judge(&[item], Profile::Both, today, None, |_| None).pop();
    let (errors, eligible_for) = judged.map(|it| (it.errors, it.eligible_for)).unwrap_or_default();
    Rendered {
        url: url.to_string(),
        jsonld: Some(made.jsonld()),
        errors,
        not_found: Vec::new(),
        failure: None,
        eligible_for,
    }
}

#[cfg(test)]
pub(crate) mod tests;
