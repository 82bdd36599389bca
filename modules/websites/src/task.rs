//! `websites.task.*`, work items; here making one.

mod checks;
pub(crate) mod list;
pub(crate) mod source;
pub(crate) mod state;
pub(crate) mod stored;
pub(crate) mod update;
pub(crate) mod verify;

use std::collections::BTreeSet;

use sdk::prelude::*;

use crate::stored::Website;
use state::State;
use stored::{Finding, MOST_URLS, Source, Task};

/// The most work items of one website.
const MOST: u64 = 5_000;

#[args]
pub(crate) struct Create {
    /// The website, as listed.
    site_id: Id<Website>,
    /// What is to be done, in a few words.
    title: Text<1, 160>,
    /// The finding it comes from: an `opportunity_ref` of `audit.opportunities.list`, `<audit_ref>:<rule>` for an issue
    /// of `audit.issue.list`, or a `step_ref` of `websites.plan.get`.
    source_ref: Option<Id<Source>>,
    /// The pages it is about; with a finding, those of its pages that count, all of them when left out.
    urls: Option<List<Url, 0, 500>>,
    /// When it is to be done.
    due: Option<Day>,
    /// Who does it.
    assignee: Option<Text<0, 80>>,
    /// More about it.
    note: Option<Text<0, 2_000>>,
}

/// A new work item.
#[value]
pub(crate) struct Created {
    /// Its reference.
    task_ref: Id<Task>,
    /// Whether `websites.task.verify` can tell that it is done.
    verifiable: bool,
    /// Why it cannot.
    not_verifiable_because: Option<String>,
    /// Pages that it is about.
    urls: u32,
    /// Pages of the finding, when they are more.
    affected: Option<u32>,
}

/// Creates a work item, optionally from an issue, plan step or suggestion, and freezes the finding's evidence so the fix can be verified later.
///
/// Findings are those of audits and steps of plans; of a step, the finding that leads it. What is frozen is the rule, the number at which it speaks, and the evidence of at
/// most 500 pages. A task can be verified when its rule looks at one page alone: titles, descriptions, headings,
/// canonicals, alternative texts, robots directives and statuses.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["stores a work item"],
    phrasings = [
        "make a task to fix the missing titles",
        "turn this audit issue into a to-do",
        "add a work item for my website",
        "assign a fix to somebody",
    ],
    examples = [
        { "site_id": "4503599627370496", "title": "Write descriptions", "source_ref": "audit_01:description.missing", "assignee": "Ada", "due": "2026-10-15" },
        { "site_id": "4503599627370496", "title": "Ask for a new logo" },
    ]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let title = kit::text::collapse(args.title.as_str());
    if title.is_empty() {
        return Err(Fault::invalid("/title", "empty_title", "say in a few words what is to be done"));
    }
    if cx.records::<Task>().by("site_id").equals(&site.id).count() >= MOST {
        return Err(Fault::conflict("too_many_tasks", format!("a website has at most {MOST} work items")));
    }
    let given = own_urls(&site, args.urls.map(List::into_vec).unwrap_or_default(), "/urls")?;
    let frozen = match &args.source_ref {
        Some(source) => source::freeze(cx, &site, source.as_str(), &given)?,
        None => source::plain(given),
    };
    let source::Frozen { source, pages, threshold, unverifiable } = frozen;
    let now = cx.now();
    let urls = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    let affected = source.as_ref().map(|it| it.affected).filter(|affected| *affected > urls);
    let mut task = Task {
        site_id: site.id.clone(),
        title,
        state: State::Open,
        assignee: args.assignee.map_or_else(String::new, |it| it.as_str().trim().to_owned()),
        due: args.due,
        note: args.note.map(Text::into_string).filter(|it| !it.is_empty()),
        urls,
        source,
        verifiable: unverifiable.is_none(),
        last_verification: None,
        round: 0,
        history: Vec::new(),
        history_dropped: 0,
        created_at: now,
        updated_at: now,
    };
    task.remember(now, "state", "", State::Open.word());
    let stored = cx.records::<Task>().insert(task)?;
    let finding = Finding { site_id: site.id, threshold, pages, round: 0 };
    cx.records::<Finding>().insert_as(stored.id.cast(), finding)?;
    Ok(Created {
        verifiable: stored.verifiable,
        not_verifiable_because: unverifiable,
        urls,
        affected,
        task_ref: stored.id,
    })
}

/// The pages, each once and normalised, with their places in the argument `at`; 422 for one of another website.
pub(crate) fn own_urls(site: &Website, given: Vec<Url>, at: &str) -> Result<Vec<(usize, String)>> {
    let mut urls: Vec<(usize, String)> = Vec::with_capacity(given.len().min(MOST_URLS));
    let mut known = BTreeSet::new();
    for (position, url) in given.into_iter().enumerate() {
        let host = url.host_str().unwrap_or_default();
        let registrable = kit::url::registrable_domain(host).unwrap_or(host);
        if registrable != site.registrable_domain {
            let message = format!("this page is not on {}", site.registrable_domain);
            return Err(Fault::invalid(format!("{at}/{position}"), "foreign_url", message));
        }
        let url = kit::url::normal(&url).unwrap_or_else(|| url.as_str().to_owned());
        if known.insert(url.clone()) {
            urls.push((position, url));
        }
    }
    Ok(urls)
}

#[cfg(test)]
mod tests;
