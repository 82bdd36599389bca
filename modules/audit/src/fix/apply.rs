//! What a page is once a proposal stands in it, and the operation that puts it there.

use kit::page::{Canonical, Heading, PageFacts, Place};
use sdk::serde_json::{Value, json};

use super::Proposal;
use super::draft::{Field, Proven};

/// Puts a proposal in its place on the page. Links are no part of what is stored of a page.
pub(super) fn change(facts: &mut PageFacts, field: Field, target: Option<&str>, text: &str) {
    match field {
        Field::Title => facts.titles = vec![text.to_owned()],
        Field::Description => facts.descriptions = vec![text.to_owned()],
        Field::H1 => {
            facts.headings.retain(|it| it.level != 1);
            facts.headings.insert(0, Heading { level: 1, text: text.to_owned() });
            facts.h1_count = 1;
        }
        Field::Canonical => {
            // A canonical of a header stays: no operation on the page reaches it.
            facts.canonicals.retain(|it| it.place == Place::Header);
            let url = kit::url::normalize(text);
            facts.canonicals.insert(0, Canonical { href: text.to_owned(), url, place: Place::Head, restricted: None });
        }
        Field::Alt => {
            for image in facts.images.iter_mut().filter(|it| Some(it.src.as_str()) == target) {
                facts.images_without_alt -= u32::from(image.alt.is_none()).min(facts.images_without_alt);
                image.alt = Some(text.to_owned());
            }
        }
        Field::Redirect => (facts.status, facts.redirect_to) = (301, kit::url::normalize(text)),
        Field::Lang => facts.lang = Some(text.to_owned()),
        Field::Viewport => facts.viewport = Some(text.to_owned()),
        Field::Link => {}
    }
}

/// What a call changes: the page, and there the target, now and then.
pub(super) struct Change<'a> {
    pub(super) url: &'a str,
    pub(super) field: Field,
    pub(super) target: Option<&'a str>,
    pub(super) current: Option<&'a str>,
    pub(super) text: &'a str,
}

/// The operation that makes a change, its arguments, those that only the customer knows, and whether it makes the
/// change itself.
pub(super) fn call(one: &Change<'_>, site_id: &str) -> (&'static str, Value, &'static [&'static str], bool) {
    let text = one.text;
    let meta = |member: &str| {
        let mut arguments = json!({ "site_id": site_id, "item_ref": one.url });
        arguments[member] = json!(text);
        ("cms.seo_meta.update", arguments, &[][..], true)
    };
    match one.field {
        Field::Title => meta("title"),
        Field::Description => meta("description"),
        Field::Canonical => meta("canonical"),
        // In a CMS the main heading is the title of the item.
        Field::H1 => (
            "cms.content.update",
            json!({ "site_id": site_id, "item_ref": one.url, "changes": { "title": text } }),
            &["edit_hash"],
            true,
        ),
        Field::Alt => {
            let item = json!({ "src": one.target, "alt": text });
            ("cms.alt_text.bulk_update", json!({ "site_id": site_id, "items": [item] }), &[], true)
        }
        Field::Link => {
            let pair = json!({ "from": one.current, "to": text });
            ("cms.link.replace", json!({ "site_id": site_id, "pairs": [pair] }), &[], true)
        }
        Field::Redirect => {
            let redirect = json!({ "from": one.url, "to": text, "code": 301 });
            ("cms.redirect.upsert", json!({ "site_id": site_id, "redirects": [redirect] }), &[], true)
        }
        Field::Lang => ("onpage.language.detect", json!({ "url": one.url }), &[], false),
        Field::Viewport => ("onpage.markup.validate", json!({ "url": one.url }), &[], false),
    }
}

/// A proven proposal with the operation that makes the change.
pub(super) fn fix(one: Proven, site_id: &str) -> Proposal {
    let text = one.choice.text;
    let (target, current) = (one.target.as_deref(), one.current.as_deref());
    let change = Change { url: &one.url, field: one.field, target, current, text: &text };
    let (operation, arguments, missing, applies) = call(&change, site_id);
    Proposal {
        apply_operation: sdk::served(operation).then(|| operation.to_owned()),
        apply_args: arguments,
        apply_missing: missing.iter().map(|it| (*it).to_owned()).collect(),
        applies,
        url: one.url,
        field: one.field,
        target: one.target,
        current: one.current,
        proposed: text,
        confidence: (one.choice.confidence * 100.0).round() / 100.0,
        source: one.choice.source,
    }
}
