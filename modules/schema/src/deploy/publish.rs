//! One page getting its markup: checked, put into its item under the edit guard, and looked at live.

use kit::dom::Dom;
use sdk::prelude::*;
use sdk::{Request, serde_json};
use serde_json::{Map, Value};

use super::{Deployment, Given, State, block};
use crate::extract::{Extracted, Format, Item, json, types};
use crate::judge::{self, Profile};
use crate::template::{Template, render};
use site::Site;
use wordpress::{Installation, Patch, What, Why};

/// Bytes that are read of a page to see whether it shows its markup.
const BYTES: u32 = 2 << 20;

/// A page that got its markup.
pub(super) struct Published {
    /// None in a dry run.
    pub(super) id: Option<Id<Deployment>>,
    pub(super) verified: bool,
}

/// The markup of items, read and checked.
///
/// # Errors
/// 422 at the item at fault: no page of the website, no JSON-LD object, or an error in it.
pub(super) fn ready(site: &Site, items: &[Given], today: Day) -> Result<Vec<(Url, Map<String, Value>)>> {
    let mut out = Vec::new();
    for (at, given) in items.iter().enumerate() {
        if !site.has(given.url.as_str()) {
            let message = "the address is not one of this website";
            return Err(Fault::invalid(format!("/items/{at}/url"), "url_not_of_site", message));
        }
        let pointer = format!("/items/{at}/jsonld");
        let Ok(Value::Object(jsonld)) = serde_json::from_str(&given.jsonld) else {
            return Err(Fault::invalid(
                pointer,
                "not_json_ld",
                "the markup is one JSON object, as schema.markup.generate gives it",
            ));
        };
        check(&given.jsonld, today).map_err(|why| Fault::invalid(pointer, "invalid_markup", why))?;
        out.push((given.url.clone(), jsonld));
    }
    Ok(out)
}

/// The first error of a markup.
fn check(text: &str, today: Day) -> Result<(), String> {
    let mut found = Extracted::default();
    json::read(text, 1, &mut found);
    if let Some(error) = found.errors.first() {
        return Err(error.message.clone());
    }
    if found.items.is_empty() {
        return Err("there is no item in it".to_owned());
    }
    let judged = judge::judge(&found.items, Profile::Both, today, None, |_| None);
    match judged.iter().flat_map(|it| &it.errors).next() {
        Some(error) => Err(format!("{} at {}/{}", error.message, error.pointer, error.properties.join("|"))),
        None => Ok(()),
    }
}

/// The id of the deployment at an address.
fn reference(site: &Id<Site>, url: &str) -> Id<Deployment> {
    let normal = kit::url::normalize(url).unwrap_or_else(|| url.to_owned());
    let hash = kit::text::sha256(format!("{site}\n{normal}").as_bytes());
    Id::new(format!("dep_{}", kit::text::hex(&hash[..12])))
}

/// Publishes one page.
pub(super) fn publish(
    cx: &Cx,
    site: &Stored<Site>,
    (installation, batch): (&Installation, &str),
    url: &str,
    given: Option<&Map<String, Value>>,
    template: Option<&Stored<Template>>,
    dry_run: bool,
) -> Result<Published> {
    let address: Url = url.parse().map_err(|why: String| Fault::invalid("/url", "no_url", why))?;
    let jsonld = match (given, template) {
        (Some(given), _) => given.clone(),
        (None, Some(template)) => rendered(cx, &address, template)?,
        (None, None) => return Err(Fault::refused("no_markup", "there is no markup for the page")),
    };
    let item = installation.find(cx, url)?.ok_or_else(|| {
        let message = "no published post or page of the connected WordPress has this address";
        Fault::not_found("item_not_found", message)
    })?;
    wordpress::plain(&item)?;
    if !item.rights.unfiltered_html {
        let message =
            "the user of the connection lacks the right `unfiltered_html`: WordPress would show the markup as text";
        return Err(Fault::conflict("unfiltered_html_missing", message));
    }
    if dry_run {
        return Ok(Published { id: None, verified: false });
    }
    let id = reference(&site.id, url);
    let block = block::written(id.as_str(), &jsonld);
    let raw = &item.fields.content;
    let patch = Patch { content: Some(block::put(raw, &block)), ..Patch::default() };
    let before = block::without(raw).unwrap_or_else(|| raw.clone());
    let why = Why::call(site.id.as_str(), "schema.deploy", What::Content, batch);
    let stored = wordpress::write(cx, &item, &patch, &why)?.item;
    let state = look(cx, &address, id.as_str(), &jsonld);
    let verified = state == State::Live;
    let it = Deployment {
        site_id: site.id.clone(),
        url: url.to_owned(),
        state,
        types: named(&jsonld),
        template_ref: template.map(|it| it.id.clone()),
        connection: stored.at.connection.clone(),
        item: format!("{}/{}", stored.at.base, stored.at.id),
        before: String::new(),
        before_hash: kit::text::hex(&kit::text::sha256(before.as_bytes())),
        after_hash: stored.hash(),
        block,
        deployed_at: cx.now(),
        verified_at: Some(cx.now()),
    };
    let deployments = cx.records::<Deployment>();
    match deployments.find(&id) {
        Some(mut known) => {
            known.it = it;
            deployments.save(known)?;
        }
        None => {
            deployments.insert_as(id.clone(), it)?;
        }
    }
    Ok(Published { id: Some(id), verified })
}

fn rendered(cx: &Cx, url: &Url, template: &Template) -> Result<Map<String, Value>> {
    let page = site::live::page(cx, url, "/url")?;
    let made = render::render(&template.kind, &template.mapping, &page);
    if !made.not_found.is_empty() {
        let message = format!("the page lacks {}", made.not_found.join(", "));
        return Err(Fault::conflict("property_not_found", message));
    }
    let jsonld = made.jsonld();
    check(&Value::Object(jsonld.clone()).to_string(), cx.now().day())
        .map_err(|why| Fault::conflict("invalid_markup", why))?;
    Ok(jsonld)
}

/// What the live page shows of a markup.
fn look(cx: &Cx, url: &Url, id: &str, jsonld: &Map<String, Value>) -> State {
    match cx.web().fetch(&Request::get(url).max_bytes(BYTES)) {
        Ok(response) if response.is_success() => seen(&response.text(), id, jsonld),
        _ => State::Missing,
    }
}

/// What a page's source shows of a markup.
pub(crate) fn seen(html: &str, id: &str, jsonld: &Map<String, Value>) -> State {
    if held(html, jsonld) {
        return State::Live;
    }
    let Some(block) = block::found(html).filter(|it| it.contains(id)) else { return State::Missing };
    // A filter of the site may have spoiled the script: then it is no JSON any more.
    let mut found = Extracted::default();
    for script in Dom::parse(block).elements("script").collect::<Vec<_>>() {
        json::read(&Dom::parse(block).own_text(script), 1, &mut found);
    }
    if found.items.is_empty() || !found.errors.is_empty() { State::Invalid } else { State::Changed }
}

/// Whether a page's source has the items of a markup.
fn held(html: &str, jsonld: &Map<String, Value>) -> bool {
    let mut wanted = Extracted::default();
    json::read(&Value::Object(jsonld.clone()).to_string(), 1, &mut wanted);
    let dom = Dom::parse(html);
    let mut found = Extracted::default();
    for script in dom.elements("script") {
        if dom.attribute(script, "type").is_some_and(|it| it.trim().starts_with("application/ld+json")) {
            json::read(&dom.own_text(script), 1, &mut found);
        }
    }
    !wanted.items.is_empty() && wanted.items.iter().all(|item| found.items.iter().any(|it| it.value == item.value))
}

fn named(jsonld: &Map<String, Value>) -> Vec<String> {
    let mut found = Extracted::default();
    json::read(&Value::Object(jsonld.clone()).to_string(), 1, &mut found);
    let of = |it: &Item| types(&it.value).iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let mut all: Vec<String> = found.items.iter().filter(|it| it.format == Format::JsonLd).flat_map(of).collect();
    all.dedup();
    all
}
