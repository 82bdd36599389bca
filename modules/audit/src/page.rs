//! The operation `audit.page.check`, every page rule on one live page.

use kit::page::PageFacts;
use sdk::Fix;
use sdk::prelude::*;

use crate::act::Known;
use crate::engine::{self, Tally};
use crate::evidence::Evidence;
use crate::rule::{Area, Rule, Severity, SiteContext};
use crate::rules;
use crate::settings::Settings;
use site::Site;
use site::live::{self, Reach};

/// The first 2 MiB of the page, within 8 seconds: more than 99 of 100 pages have at most.
const REACH: Reach = Reach { bytes: 2 << 20, time: 8_000 };

#[args]
pub(crate) struct CheckPage {
    /// The page, on any public website.
    url: Url,
    /// The website it belongs to, when it is one of yours; its rule settings are then in force.
    site_id: Option<Id<Site>>,
    /// Rules to ask, by id; all page rules when left out.
    #[serde(default)]
    rules: List<Text<1, 64>, 0, 50>,
}

/// One rule that the page breaks.
#[value]
pub(crate) struct Failed {
    /// The rule.
    rule: String,
    /// The fault in a few words.
    title: String,
    /// Where it belongs.
    area: Area,
    /// What it costs.
    severity: Severity,
    /// The element, its exact value, and what was expected.
    evidence: Evidence,
    /// Why it matters.
    explanation: String,
    /// What to do.
    advice: String,
    /// The call that acts on it.
    fix: Fix,
    /// The operation that makes the change in the end; null while the catalog does not serve it.
    fix_operation: Option<String>,
    /// The guideline or standard behind it.
    reference: String,
}

/// What the rules say of a page.
#[value]
pub(crate) struct Checked {
    /// The address that answered.
    url: String,
    /// Its status; 0 when there was no answer.
    status: u16,
    /// Rules that the page breaks, the worst first.
    failed: Vec<Failed>,
    /// How many rules it keeps.
    passed: u32,
    /// How many rules were asked; rules that do not apply to such a page are not.
    asked: u32,
    /// From 0 to 100, by the formula of `audit.run.get` over this one page.
    score: f64,
    /// The page was longer than what is read; rules then speak of its beginning.
    truncated: bool,
}

/// Evaluates every page-level rule on one live URL and returns failures with the exact element, value and fix.
///
/// One outside request; the first 2 MiB of the page are read. Redirects are followed and judged.
#[operation(
    read,
    scope = "seo:audit",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "check one page for seo problems",
        "what is wrong with this url",
        "is my title and description ok",
        "audit this page",
    ],
    examples = [{ "url": "https://shop.example/lamps" }]
)]
pub(crate) fn check(cx: &Cx, args: CheckPage) -> Result<Checked> {
    let settings = match &args.site_id {
        Some(id) => Settings::of(cx, &site::get(cx, id)?.id),
        None => Settings::default(),
    };
    for (position, id) in args.rules.iter().enumerate() {
        let known = rules::find(id).is_some_and(Rule::is_of_page);
        if !known {
            let message = format!("{id} is no page rule; audit.rule.list names them all");
            return Err(Fault::invalid(format!("/rules/{position}"), "unknown_rule", message));
        }
    }
    let facts = live::fetch(cx, &args.url, REACH)?;
    let ids: Vec<String> = args.rules.iter().map(|id| id.as_str().to_owned()).collect();
    Ok(checked(&facts, &ids, &settings, args.site_id.as_ref().map(Id::as_str)))
}

fn checked(facts: &PageFacts, ids: &[String], settings: &Settings, site: Option<&str>) -> Checked {
    let choice = settings.choice(Rule::is_of_page).only(ids);
    let context = SiteContext { origin: origin(&facts.final_url), limits: settings.limits() };
    let mut hits = engine::judge_page(&choice, facts, &context);
    hits.sort_by_key(|hit| hit.rule.severity);
    let mut tally = Tally::default();
    tally.asked(&choice, engine::reach(facts));
    tally.found(&hits);
    let asked = u32::try_from(tally.counts(&choice).count()).unwrap_or(u32::MAX);
    let known = Known { site, origin: &context.origin, ..Known::default() };
    let url = [facts.final_url.clone()];
    let failed: Vec<Failed> = hits
        .into_iter()
        .map(|hit| Failed {
            rule: hit.rule.id.to_owned(),
            title: hit.rule.title.to_owned(),
            area: hit.rule.area,
            severity: hit.rule.severity,
            evidence: hit.evidence,
            explanation: hit.rule.explanation.to_owned(),
            advice: hit.rule.advice.to_owned(),
            fix: known.act(&hit.rule, &url),
            fix_operation: hit.rule.served_operation(),
            reference: hit.rule.reference.to_owned(),
        })
        .collect();
    Checked {
        url: facts.final_url.clone(),
        status: facts.status,
        passed: asked - u32::try_from(failed.len()).unwrap_or(asked),
        asked,
        score: tally.score(&choice).0,
        truncated: facts.truncated,
        failed,
    }
}

/// Scheme, host and port of an address.
pub(crate) fn origin(url: &str) -> String {
    kit::url::Url::parse(url).map_or_else(|_| String::new(), |url| kit::url::origin(&url))
}

#[cfg(test)]
mod tests;
