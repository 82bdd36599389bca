//! The operation `audit.fix.suggest`.
//!
//! `registry` names the rules that have a fixer. A fixer is a file that proposes replacements, the best first; `proof`
//! takes the first that the rule accepts, and `apply` names the operation that writes it.

mod alt;
mod apply;
mod canonical;
mod document;
mod draft;
mod link;
mod model;
mod proof;
mod registry;
mod site;
mod text;

use kit::crawled::page_id;
use sdk::Degraded;
use sdk::Llm;
use sdk::prelude::*;
use sdk::serde_json::Value;

use self::draft::{Draft, Field, Page, Source};
pub(crate) use self::registry::mends;
use self::site::Site;
use crate::issue;
use crate::rule::SiteContext;
use crate::settings::Settings;
use crate::stored::{Audit, IssueUrl};
use ::site::{Crawled, Linked};

/// Links that one call reads of all its pages together.
const LINKS: usize = 6_000;

#[args]
pub(crate) struct Suggest {
    /// The audit.
    audit_ref: Id<Audit>,
    /// The rule, by id.
    rule: Text<1, 64>,
    /// Pages at fault, as listed by audit.issue.url.list; the first 50 of them when left out.
    urls: Option<List<Url, 1, 50>>,
    /// Lets the customer's language model write titles, descriptions, headings and alternative texts.
    #[default(false)]
    use_llm: bool,
    /// Which of the language model's models; one that fits when it is left out.
    model: Option<Text<1, 128>>,
}

/// A value that mends one fault.
#[value]
pub(crate) struct Proposal {
    /// The page.
    url: String,
    /// What is changed.
    field: Field,
    /// The picture that the text belongs to.
    target: Option<String>,
    /// What is there now; null when nothing is.
    current: Option<String>,
    /// What should be there; the rule accepts it.
    proposed: String,
    /// How sure it is that this is what an editor would choose, from 0 to 1.
    confidence: f64,
    /// Where it comes from.
    source: Source,
    /// The operation that makes the change, or shows where it belongs; null while the catalog does not serve it: then the
    /// change is made by hand.
    apply_operation: Option<String>,
    /// Its arguments, as far as an audit knows them.
    apply_args: Value,
    /// Arguments that the operation needs beside them, such as the `edit_hash` that `cms.content.get` gives.
    apply_missing: Vec<String>,
    /// Whether the operation makes the change; else it belongs into a template, and the operation shows the page.
    applies: bool,
}

/// Pages of one call.
const PAGES: usize = 50;
/// Places, such as pictures, that one call looks for texts for; the page that reaches it is still done.
const PLACES: usize = 600;
/// Bytes of proposals that one answer has room for; the host allows 1 MiB.
const ROOM: usize = 600 << 10;

/// Why a page has no proposal.
#[value]
pub(crate) enum Why {
    /// The audit did not find this fault there.
    NotAffected,
    /// The crawl no longer has the page.
    Gone,
    /// The answer has no room left for it; ask for it alone.
    AnswerFull,
    /// Neither the page nor the site says what could stand there, or the rule accepts none of it.
    NothingFits,
}

/// A page without a proposal.
#[value]
pub(crate) struct Skipped {
    /// The page.
    url: String,
    /// Why.
    why: Why,
}

/// What mends the faults.
#[value]
pub(crate) struct Fixes {
    /// In the order of the addresses asked for; a page with several pictures or links has several.
    fixes: Vec<Proposal>,
    /// Pages without a proposal.
    skipped: Vec<Skipped>,
    /// The language model that was asked.
    model: Option<String>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Produces concrete fix values for affected URLs of one issue (new title, canonical, alt, redirect target, link target)
/// from site data and templates, or from the LLM connection when asked.
///
/// Every proposal was put in its place and judged again by the rule that it mends, with the site's other titles, canonicals and
/// redirects around it, and breaks none of the rules next to it. Templates join what the page and its address say and invent
/// nothing. What a language model writes is kept only when the rule accepts it and it names no address and no number that
/// the page does not. Nothing is changed: `apply_operation` with `apply_args` and what `apply_missing` names does that.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["connection:llm?"],
    outside = [llm],
    phrasings = [
        "suggest fixes for this issue",
        "propose new titles for the pages with duplicate titles",
        "what should the missing alt texts say",
        "where should these broken links point",
        "write the missing meta descriptions",
    ],
    examples = [
        { "audit_ref": "audit_01", "rule": "title.too_long" },
        { "audit_ref": "audit_01", "rule": "description.missing", "urls": ["https://shop.example/lamps"], "use_llm": true }
    ]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Fixes> {
    let audit = cx.records::<Audit>().get(&args.audit_ref)?;
    let fixer = registry::fixer(&args.rule)?;
    let issue = issue::find(cx, &audit.id, &args.rule).ok_or_else(|| issue::missing(&args.rule))?;
    let settings = Settings::of(cx, &Id::new(audit.site_id.as_str()));
    let context = SiteContext { origin: audit.origin.clone(), limits: settings.limits() };
    let llm = (args.use_llm && fixer.written)
        .then(|| Llm::connect(cx, "/use_llm", "use_llm asks your language model", args.model.as_deref()))
        .transpose()?;
    let mut degraded = Vec::new();
    if args.use_llm && !fixer.written {
        degraded.push(Degraded::new(
            "suggestions",
            format!("{} is mended from the site's own data; no language model was asked", fixer.rule.id),
        ));
    }
    let mut skipped = Vec::new();
    let urls = match &args.urls {
        Some(urls) => {
            urls.iter().map(|url| kit::url::normalize(url.as_str()).unwrap_or_else(|| url.to_string())).collect()
        }
        None => {
            let urls = first(cx, &audit.id, &args.rule);
            if issue.affected as usize > urls.len() {
                degraded.push(Degraded::new(
                    "pages",
                    format!("the first {} of {} pages at fault; name others in `urls`", urls.len(), issue.affected),
                ));
            }
            urls
        }
    };
    let pages = pages(cx, &audit, &args.rule, urls, &mut skipped);
    let mut site = Site::read(cx, &audit.id, context, &mut degraded);
    let mut left = LINKS;
    let mut drafts: Vec<Draft> = Vec::new();
    for page in pages {
        if drafts.iter().map(|draft| draft.parts.len()).sum::<usize>() >= PLACES {
            skipped.push(Skipped { url: page.record.url, why: Why::AnswerFull });
            continue;
        }
        let links = if fixer.links { links(cx, &audit.run_ref, &page.record.url, &mut left) } else { Vec::new() };
        let page = Page { links, ..page };
        drafts.push(Draft { parts: (fixer.parts)(fixer.rule, &page, &site), page });
    }
    if left == 0 {
        degraded.push(Degraded::new("links", format!("only the first {LINKS} links of these pages were read")));
    }
    if let Some(llm) = &llm {
        degraded.extend(model::write(cx, llm, &mut drafts)?);
    }
    let asked: Vec<String> = drafts.iter().map(|draft| draft.page.record.url.clone()).collect();
    let proven = proof::prove(fixer.rule, drafts, &mut site, &settings);
    let mut fixes = Vec::new();
    let mut room = ROOM;
    for url in asked {
        let own = proven.iter().filter(|one| one.url == url);
        let own: Vec<Proposal> = own.map(|one| apply::fix(one.clone(), &audit.site_id)).collect();
        let size: usize = own.iter().map(weight).sum();
        match own.is_empty() {
            true => skipped.push(Skipped { url, why: Why::NothingFits }),
            false if size > room => skipped.push(Skipped { url, why: Why::AnswerFull }),
            false => {
                room -= size;
                fixes.extend(own);
            }
        }
    }
    Ok(Fixes { fixes, skipped, model: llm.map(|it| it.model), degraded })
}

/// Bytes of a fix in an answer, about: what is proposed stands in its arguments once more.
fn weight(fix: &Proposal) -> usize {
    let twice = [Some(&fix.url), Some(&fix.proposed), fix.target.as_ref(), fix.current.as_ref()];
    400 + 2 * twice.into_iter().flatten().map(String::len).sum::<usize>()
}

/// The first pages at fault that nobody has suppressed.
fn first(cx: &Cx, audit: &Id<Audit>, rule: &str) -> Vec<String> {
    let rows = cx.records::<IssueUrl>().by("audit_rule_url").equals(audit).equals(rule).scan();
    rows.filter(|row| !row.suppressed).take(PAGES).map(|row| row.into_inner().url).collect()
}

/// The stored pages at fault.
fn pages(cx: &Cx, audit: &Stored<Audit>, rule: &str, urls: Vec<String>, skipped: &mut Vec<Skipped>) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for url in urls {
        if pages.iter().any(|page| page.record.url == url) {
            continue;
        }
        let found = cx.records::<IssueUrl>().by("audit_rule_url").equals(&audit.id);
        if found.equals(rule).equals(url.as_str()).first().is_none() {
            skipped.push(Skipped { url, why: Why::NotAffected });
            continue;
        }
        match cx.records::<Crawled>().find(&Id::new(page_id(&audit.run_ref, &url))) {
            Some(page) => pages.push(Page { record: page.into_inner().0, links: Vec::new() }),
            None => skipped.push(Skipped { url, why: Why::Gone }),
        }
    }
    pages
}

/// Where the links of a page lead, each address once.
fn links(cx: &Cx, run: &str, url: &str, left: &mut usize) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for link in cx.records::<Linked>().by("run_source").equals(run).equals(url).scan().take(*left) {
        *left = left.saturating_sub(1);
        let link = link.into_inner().0;
        if link.internal && !found.iter().any(|(target, _)| *target == link.target) {
            found.push((link.target, link.anchor));
        }
    }
    found
}

#[cfg(test)]
mod tests;
