//! Bylines on pages against the authors on record.

use sdk::prelude::*;

use crate::Author;
use crate::crawled::{self, Page};
use crate::name::{self, Agreement};
use site::{Run, Site};

/// The most pages that one call compares.
const COMPARED: usize = 3_000;
/// Types of pages that people expect to say who wrote them.
const ARTICLES: &[&str] = &[
    "Article",
    "AdvertiserContentArticle",
    "AnalysisNewsArticle",
    "AskPublicNewsArticle",
    "BackgroundNewsArticle",
    "BlogPosting",
    "LiveBlogPosting",
    "MedicalScholarlyArticle",
    "NewsArticle",
    "OpinionNewsArticle",
    "Report",
    "ReportageNewsArticle",
    "ReviewNewsArticle",
    "ScholarlyArticle",
    "TechArticle",
];

#[args(paged)]
pub(crate) struct Audit {
    site_id: Id<Site>,
    /// A crawl of the website; its newest complete one when left out.
    run_ref: Option<Id<Run>>,
}

#[value]
pub(crate) struct Audited {
    /// Of all compared pages, on the first page of rows only.
    summary: Option<Summary>,
    rows: Vec<Row>,
    /// Give this back as `cursor` for the next page; absent on the last.
    next_cursor: Option<Cursor>,
}

#[value]
#[derive(Default)]
struct Summary {
    /// The crawl that was read.
    run_ref: Option<Id<Run>>,
    /// Pages compared: HTML, answered 200, and an article or with a byline.
    compared: u64,
    /// Whether all pages of the crawl were read; one call reads at most 3,000.
    complete: bool,
    correct: u64,
    missing: u64,
    unknown: u64,
    inconsistent: u64,
    markup_differs: u64,
    generic: u64,
}

#[value]
struct Row {
    url: String,
    /// The byline that readers see.
    visible: Option<String>,
    /// The author that the markup names.
    markup: Option<String>,
    matched: Option<Matched>,
    problem: Problem,
}

#[value]
struct Matched {
    author_ref: Id<Author>,
    name: String,
    /// From 0.92 to 1.
    similarity: f64,
}

#[value]
enum Problem {
    /// No byline that readers see.
    Missing,
    /// A byline of nobody on record.
    Unknown,
    /// An author on record, spelled differently.
    Inconsistent,
    /// Markup that names somebody else than the page does.
    MarkupDiffers,
    /// A byline that names nobody, such as admin.
    Generic,
}

/// Compares bylines found on crawled pages with author records: missing, unknown, inconsistent spelling (Jaro-Winkler),
/// markup differing from visible name, generic admin bylines.
///
/// A page is compared when it is an article (by its structured data or a publication date) or has a byline.
/// Names agree from a Jaro-Winkler similarity of 0.92, in either word order.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "pages", most = 3000),
    phrasings = ["are our bylines consistent", "find pages without an author", "which pages are written by admin"],
    examples = [{ "site_id": "4711", "limit": 50 }]
)]
pub(crate) fn audit(cx: &Cx, args: Audit) -> Result<Answer<Audited>> {
    let from = args.start()? as u64;
    site::get(cx, &args.site_id)?;
    let run = match args.run_ref {
        Some(run) => {
            let run = site::readable(cx, &run)?;
            if run.0.site_id != args.site_id.as_str() {
                return Err(Fault::not_found("run_not_found", "the crawl is of another website").at("/run_ref"));
            }
            run.id
        }
        None => site::required(cx, &args.site_id)?.id,
    };
    let known: Vec<Known> = cx.records::<Author>().all().scan().map(Known::of).collect();
    let limit = usize::from(args.limit);
    let first = args.cursor.is_none();
    let mut summary = Summary { run_ref: Some(run.clone()), complete: true, ..Summary::default() };
    let (mut rows, mut next_cursor) = (Vec::new(), None);
    for (read, page) in crawled::from(cx, &run, from).enumerate() {
        if read == COMPARED {
            summary.complete = false;
            next_cursor.get_or_insert_with(|| Cursor::new(page.seq.to_string()));
            break;
        }
        let Some(finding) = judge(&page, &known) else { continue };
        summary.compared += 1;
        summary.count(finding.as_ref().map(|it| it.problem));
        let Some(row) = finding else { continue };
        if rows.len() < limit {
            rows.push(row);
            continue;
        }
        next_cursor.get_or_insert_with(|| Cursor::new(page.seq.to_string()));
        if !first {
            break;
        }
    }
    let compared = summary.compared;
    Ok(Answer::new(Audited { summary: first.then_some(summary), rows, next_cursor }).units(compared))
}

/// An author on record.
struct Known {
    author_ref: Id<Author>,
    name: String,
}

impl Known {
    fn of(author: Stored<Author>) -> Self {
        Self { name: author.name(), author_ref: author.id }
    }

    /// The author that a byline means: one spelled exactly so, or the most similar.
    fn find<'a>(known: &'a [Self], byline: &str) -> Option<(&'a Self, f64)> {
        let similarity = |it: &Self| match name::agreement(byline, &it.name)? {
            Agreement::Exact => Some(1.0),
            // Close is below exact even when only case or accents differ.
            Agreement::Close(similarity) => Some(similarity.min(0.999)),
        };
        let all = known.iter().filter_map(|it| Some((it, similarity(it)?)));
        all.max_by(|(_, one), (_, other)| one.total_cmp(other))
    }
}

/// What is wrong with a page; nothing when it is none to compare, `Some(None)` when it is right.
fn judge(page: &Page, known: &[Known]) -> Option<Option<Row>> {
    let article = page.declares(ARTICLES) || page.published.is_some();
    let (visible, markup) = (page.byline_visible.as_deref(), page.byline_markup.as_deref());
    if page.status != 200 || !page.is_html || !(article || visible.is_some() || markup.is_some()) {
        return None;
    }
    let people: Vec<Person<'_>> = visible
        .or(markup)
        .map(|names| kit::page::people(names).map(|name| Person { name, found: Known::find(known, name) }).collect())
        .unwrap_or_default();
    let markup_differs = || markup.is_some_and(|markup| differs(&people, markup));
    let of_one = |problem: Problem| people.iter().find(|it| it.problem() == Some(problem)).map(|it| (problem, it));
    // Of several people the one with the gravest problem is shown, and otherwise the first.
    let (problem, person) = match visible {
        None => (Some(Problem::Missing), people.first()),
        Some(_) => match of_one(Problem::Generic) {
            Some((problem, person)) => (Some(problem), Some(person)),
            None if markup_differs() => (Some(Problem::MarkupDiffers), people.first()),
            None => match of_one(Problem::Unknown).or_else(|| of_one(Problem::Inconsistent)) {
                Some((problem, person)) => (Some(problem), Some(person)),
                None => (None, people.first()),
            },
        },
    };
    let found = person.and_then(|it| it.found);
    let matched = found.map(|(it, similarity)| Matched {
        author_ref: it.author_ref.clone(),
        name: it.name.clone(),
        similarity: (similarity * 1_000.0).round() / 1_000.0,
    });
    Some(problem.map(|problem| Row {
        url: page.url.clone(),
        visible: page.byline_visible.clone(),
        markup: page.byline_markup.clone(),
        matched,
        problem,
    }))
}

/// Somebody whom a byline names, and the author that this means.
struct Person<'a> {
    name: &'a str,
    found: Option<(&'a Known, f64)>,
}

impl Person<'_> {
    fn problem(&self) -> Option<Problem> {
        match self.found {
            _ if name::is_generic(self.name) => Some(Problem::Generic),
            None => Some(Problem::Unknown),
            Some((known, _)) if name::agreement(self.name, &known.name) != Some(Agreement::Exact) => {
                Some(Problem::Inconsistent)
            }
            Some(_) => None,
        }
    }
}

/// Whether the markup names somebody else: nobody of the byline, and no author that it means.
fn differs(people: &[Person<'_>], markup: &str) -> bool {
    let same = |name: &str| {
        people.iter().any(|it| {
            let means = it.found.map(|(known, _)| known.name.as_str());
            name::agreement(it.name, name).is_some()
                || means.is_some_and(|known| name::agreement(name, known).is_some())
        })
    };
    !kit::page::people(markup).any(same)
}

impl Summary {
    fn count(&mut self, problem: Option<Problem>) {
        let counter = match problem {
            None => &mut self.correct,
            Some(Problem::Missing) => &mut self.missing,
            Some(Problem::Unknown) => &mut self.unknown,
            Some(Problem::Inconsistent) => &mut self.inconsistent,
            Some(Problem::MarkupDiffers) => &mut self.markup_differs,
            Some(Problem::Generic) => &mut self.generic,
        };
        *counter += 1;
    }
}

#[cfg(test)]
mod tests;
