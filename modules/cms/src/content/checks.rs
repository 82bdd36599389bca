//! Checks of an item before it is published.

use kit::page::PageFacts;
use sdk::prelude::*;
use sdk::{Fix, Severity, json};
use serde_json::Value;
use site::live::{self, Reach};
use wordpress::seo::{self, Seo};
use wordpress::{Item, Listing};

use crate::target::Target;

/// Pixels of a title at 20 px Arial, and of a description at 14 px, that a result of Google shows.
const TITLE_PX: f64 = 580.0;
const DESCRIPTION_PX: f64 = 920.0;
/// Links that are asked.
const LINKS: usize = 30;

/// What a check looks at.
#[value]
pub(crate) enum Check {
    TitlePresent,
    TitleWidth,
    TitleUnique,
    DescriptionPresent,
    DescriptionWidth,
    SlugReadable,
    OneH1,
    CanonicalItself,
    Indexable,
    LinksAnswer,
    ImagesHaveAlt,
    JsonLdReadable,
}

/// The result of a check.
#[value]
pub(crate) struct Checked {
    check: Check,
    /// Null where nobody could look.
    pub(crate) passed: Option<bool>,
    /// An `error` keeps an item from being published when `checks` is `block`.
    pub(crate) severity: Severity,
    /// What was found.
    evidence: String,
    /// The call that mends it; null when it passed, or only an editor can.
    fix: Option<Fix>,
}

/// An item that is checked.
pub(crate) struct Examined<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) target: &'a Target,
    pub(crate) seo: &'a Seo,
    pub(crate) item: &'a Item,
}

impl Examined<'_> {
    /// All checks, in the order of what a search engine sees first.
    pub(crate) fn all(&self) -> Vec<Checked> {
        let facts = self.facts();
        let held = seo::stored(self.seo, self.item);
        let template = |it: &Option<String>| {
            it.clone().filter(|text| self.seo.plugin.is_some_and(|plugin| seo::is_template(plugin, text)))
        };
        let reads_seo = !self.seo.reads(&self.item.at.base).is_empty();
        let title = held
            .title
            .clone()
            .filter(|it| template(&Some(it.clone())).is_none())
            .unwrap_or_else(|| self.item.fields.title.clone());
        let mut all = vec![self.is(
            Check::TitlePresent,
            Severity::Error,
            !title.trim().is_empty(),
            format!("{} characters", title.chars().count()),
            self.update(),
        )];
        let width = kit::glyphs::width(&title, 20.0);
        all.push(self.is(
            Check::TitleWidth,
            Severity::Warning,
            width <= TITLE_PX,
            format!("{width:.0} of {TITLE_PX:.0} px"),
            self.update(),
        ));
        all.push(self.unique(&title));
        let description = held.description.clone().filter(|it| !it.is_empty());
        if reads_seo {
            let is_there = description.is_some();
            let evidence = description.clone().unwrap_or_else(|| "none is held".to_owned());
            all.push(self.is(Check::DescriptionPresent, Severity::Warning, is_there, evidence, self.update()));
        } else {
            let why = "the SEO plugin does not show its fields over REST".to_owned();
            all.push(Checked {
                check: Check::DescriptionPresent,
                passed: None,
                severity: Severity::Warning,
                evidence: why,
                fix: None,
            });
        }
        if let Some(text) = description.filter(|it| template(&Some(it.clone())).is_none()) {
            let width = kit::glyphs::width(&text, 14.0);
            let evidence = format!("{width:.0} of {DESCRIPTION_PX:.0} px");
            all.push(self.is(
                Check::DescriptionWidth,
                Severity::Notice,
                width <= DESCRIPTION_PX,
                evidence,
                self.update(),
            ));
        }
        let slug = &self.item.fields.slug;
        let readable = slug.is_empty()
            || (slug.chars().count() <= 75 && !slug.bytes().all(|b| b.is_ascii_digit()) && !slug.contains('%'));
        all.push(self.is(Check::SlugReadable, Severity::Notice, readable, format!("`{slug}`"), self.get()));
        let h1 = facts.h1_count;
        all.push(self.is(
            Check::OneH1,
            Severity::Warning,
            h1 == 0,
            format!("{h1} in the content beside the title"),
            self.get(),
        ));
        let canonical = held.canonical.as_deref().filter(|it| !it.is_empty());
        let itself = canonical.is_none_or(|it| kit::url::normalize(it) == kit::url::normalize(&self.item.link));
        all.push(self.is(
            Check::CanonicalItself,
            Severity::Error,
            itself,
            canonical.unwrap_or("none is held").to_owned(),
            self.update(),
        ));
        let noindex = held.robots.as_ref().is_some_and(|it| it.iter().any(|word| word == "noindex"));
        all.push(self.is(
            Check::Indexable,
            Severity::Error,
            !noindex,
            if noindex { "noindex is held" } else { "no noindex is held" }.to_owned(),
            self.update(),
        ));
        all.push(self.links(&facts));
        let bare = facts.images_without_alt;
        all.push(self.is(
            Check::ImagesHaveAlt,
            Severity::Warning,
            bare == 0,
            format!("{bare} of {} without", facts.image_count),
            self.get(),
        ));
        let errors = self.broken_json();
        all.push(self.is(
            Check::JsonLdReadable,
            Severity::Error,
            errors.is_empty(),
            if errors.is_empty() { "no block is broken".to_owned() } else { errors.join("; ") },
            self.get(),
        ));
        all
    }

    /// The content as a page.
    fn facts(&self) -> PageFacts {
        let url: Url = self.item.link.parse().unwrap_or_else(|_| sdk::value::literal(self.target.site.origin.as_str()));
        let body = if self.item.rendered.is_empty() { &self.item.fields.content } else { &self.item.rendered };
        live::of_source(self.cx, &url, &format!("<!doctype html><html><body><main>{body}</main></body></html>")).facts
    }

    fn is(&self, check: Check, severity: Severity, passed: bool, evidence: String, fix: Fix) -> Checked {
        Checked {
            check,
            passed: Some(passed),
            severity,
            evidence,
            fix: (!passed).then_some(fix).and_then(Fix::if_served),
        }
    }

    fn arguments(&self) -> Value {
        json!({ "site_id": self.target.site.id, "item_ref": self.item.at.to_string() })
    }

    /// The call that proposes what is to be written.
    fn update(&self) -> Fix {
        Fix::new("cms.seo_meta.get", json!({ "site_id": self.target.site.id, "item_refs": [self.item.at.to_string()] }))
    }

    /// The call that shows the content with the hash that an edit needs.
    fn get(&self) -> Fix {
        Fix::new("cms.content.get", self.arguments())
    }

    /// Whether no other published item of the type has the title.
    fn unique(&self, title: &str) -> Checked {
        let wanted = Listing {
            status: vec!["publish".to_owned()],
            search: Some(title.to_owned()),
            per_page: 100,
            ..Listing::default()
        };
        let found = self.target.installation.list(self.cx, &self.item.at.base, &wanted);
        let folded = |it: &str| kit::text::collapse(it).to_lowercase();
        let (check, severity) = (Check::TitleUnique, Severity::Warning);
        let Ok(page) = found else {
            return Checked {
                check,
                passed: None,
                severity,
                evidence: "the other titles could not be read".to_owned(),
                fix: None,
            };
        };
        let other = page
            .items
            .iter()
            .find(|it| it.at != self.item.at && folded(&it.fields.title) == folded(&self.item.fields.title));
        let evidence = other.map_or_else(|| "no other item has it".to_owned(), |it| it.link.clone());
        self.is(check, severity, other.is_none(), evidence, self.update())
    }

    /// Whether the links of the content answer.
    fn links(&self, facts: &PageFacts) -> Checked {
        let (check, severity) = (Check::LinksAnswer, Severity::Error);
        let mut urls: Vec<Url> = facts.links.iter().filter_map(|it| it.url.parse().ok()).collect();
        urls.sort_by_key(Url::to_string);
        urls.dedup();
        let all = urls.len();
        urls.truncate(LINKS);
        let seen = live::fetch_many(self.cx, &urls, Reach::bytes(4 << 10));
        let broken: Vec<&str> = seen
            .iter()
            .filter(|it| matches!(it.status, 404 | 410) || it.failure.as_deref() == Some("unresolved"))
            .map(|it| it.url.as_str())
            .collect();
        let asked = seen.iter().filter(|it| it.status != 0).count()
            + broken.iter().filter(|url| seen.iter().any(|it| it.url == **url && it.status == 0)).count();
        if broken.is_empty() && asked == 0 && all > 0 {
            let evidence = format!("none of {all} links answered when they were asked");
            return Checked { check, passed: None, severity, evidence, fix: None };
        }
        let evidence = match broken.as_slice() {
            [] => format!("{asked} of {all} links answered, and none is broken"),
            some => format!("{} of {asked} do not answer: {}", some.len(), some[..some.len().min(5)].join(", ")),
        };
        self.is(check, severity, broken.is_empty(), evidence, self.get())
    }

    /// JSON-LD blocks of the content that are no JSON.
    fn broken_json(&self) -> Vec<String> {
        let dom = kit::dom::Dom::parse(&self.item.fields.content);
        let is_json =
            |it: &_| dom.attribute(*it, "type").is_some_and(|it| it.trim().eq_ignore_ascii_case("application/ld+json"));
        let texts = dom.elements("script").filter(is_json).map(|it| dom.own_text(it));
        texts.filter_map(|text| serde_json::from_str::<Value>(&text).err().map(|it| it.to_string())).collect()
    }
}
