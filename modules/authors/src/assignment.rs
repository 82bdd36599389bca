//! Which pages and drafts an author stands for.

use std::collections::{BTreeMap, BTreeSet};

use sdk::{Query, prelude::*};

use sdk::Degraded;
use site::{Segment, Site};

use crate::crawled;
use crate::{Author, Status};

/// Addresses of a crawl that a segment is held against, of the 2,000 rows that a write may read.
const IN_A_SEGMENT: usize = 1_500;
/// Pages that one call assigns.
const MOST: usize = 1_000;

/// An author or reviewer of one page or draft. One author and one reviewer each: the id says which.
#[record(collection = "assignments", index(author_ref, kind, subject))]
pub(crate) struct Assignment {
    pub(crate) author_ref: Id<Author>,
    pub(crate) kind: Kind,
    /// The page's address, normalised as the crawl does, or the draft's reference.
    pub(crate) subject: String,
    #[serde(rename = "as")]
    pub(crate) capacity: Capacity,
    pub(crate) since: Moment,
}

#[value]
pub(crate) enum Kind {
    Page,
    Draft,
}

#[value]
pub(crate) enum Capacity {
    Author,
    Reviewer,
}

/// So many assignments are read and counted here; of more, each author's are counted where they are stored.
const FEW: u64 = 100;

/// How many pages an author has, for many authors: one question for all of them where a customer has assigned few pages.
pub(crate) fn counts(cx: &Cx) -> Result<impl Fn(&Id<Author>) -> u64> {
    let first = cx.records::<Assignment>().by("author_ref_kind_subject").page(FEW, None)?;
    let mut few = BTreeMap::<Id<Author>, u64>::new();
    for stored in first.items.into_iter().filter(|stored| matches!(stored.it.kind, Kind::Page)) {
        *few.entry(stored.it.author_ref).or_default() += 1;
    }
    let all = first.next.is_none();
    Ok(move |author: &Id<Author>| if all { few.get(author).copied().unwrap_or(0) } else { pages(cx, author).count() })
}

/// The pages of an author.
pub(crate) fn pages<'a>(cx: &'a Cx, author: &Id<Author>) -> Query<'a, Assignment> {
    cx.records::<Assignment>().by("author_ref_kind_subject").equals(author).equals(Kind::Page)
}

/// Everything of an author.
pub(crate) fn all<'a>(cx: &'a Cx, author: &Id<Author>) -> Query<'a, Assignment> {
    cx.records::<Assignment>().by("author_ref_kind_subject").equals(author)
}

#[args]
pub(crate) struct Assign {
    pub(crate) author_ref: Id<Author>,
    /// Pages by address.
    pub(crate) urls: Option<List<Url, 0, 1_000>>,
    /// Pages by segment, as `websites.segment.set` named it.
    pub(crate) segment_ref: Option<Id<Segment>>,
    /// Drafts by reference.
    pub(crate) drafts: Option<List<Text<1, 128>, 0, 100>>,
    #[serde(rename = "as")]
    #[default("author")]
    pub(crate) capacity: Capacity,
}

#[value]
pub(crate) struct Assigned {
    /// Pages and drafts that the author now stands for by this call.
    assigned: u64,
    /// What stood for somebody else before.
    replaced: Vec<Replaced>,
    /// What was not looked at, such as the end of a crawl that is longer than one call reads.
    degraded: Vec<Degraded>,
}

#[value]
struct Replaced {
    /// A page's address or a draft's reference.
    subject: String,
    author_ref: Id<Author>,
}

/// Assigns an author or reviewer to pages and drafts by list or URL segment.
///
/// A page or draft has one author and one reviewer, who are two people: assigning replaces whoever was there, and says
/// whom. Pages are of the author's website, or of any website of the account where the author has none. A segment stands
/// for the pages that its website's newest crawl found in it.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["replaces the author or reviewer of the pages and drafts"],
    phrasings = ["put an author on these pages", "set the byline of a section", "assign a reviewer"],
    examples = [{ "author_ref": "0000000000000001", "urls": ["https://shop.example/guide"], "as": "reviewer" }]
)]
pub(crate) fn assign(cx: &Cx, args: Assign) -> Result<Assigned> {
    let author = cx.records::<Author>().get(&args.author_ref)?;
    if author.status == Status::Archived {
        return Err(Fault::conflict("author_archived", "an archived author takes no new pages").at("/author_ref"));
    }
    let own = own_sites(cx, &author)?;
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    for (at, url) in args.urls.iter().flatten().enumerate() {
        if !own.iter().any(|site| site.has(url.as_str())) {
            let message = "the page is not of a website that this author writes for; websites.list shows yours";
            return Err(Fault::invalid(format!("/urls/{at}"), "url_not_of_site", message));
        }
        pages.entry(crawled::normal(url)).or_insert_with(|| format!("/urls/{at}"));
    }
    let mut degraded = Vec::new();
    if let Some(segment) = &args.segment_ref {
        for url in in_segment(cx, segment, &own, &mut degraded)? {
            pages.entry(url).or_insert_with(|| "/segment_ref".to_owned());
        }
    }
    let drafts: BTreeSet<String> = args.drafts.iter().flatten().map(|it| it.to_string()).collect();
    if pages.is_empty() && drafts.is_empty() {
        return Err(Fault::invalid("", "nothing_to_assign", "name pages by urls or segment_ref, or drafts"));
    }
    if pages.len() > MOST {
        let message = format!("{} pages, and one call assigns at most {MOST}, urls and segment together", pages.len());
        return Err(Fault::invalid("/urls", "too_many_pages", message));
    }
    let assignments = cx.records::<Assignment>();
    let subjects = pages.into_iter().map(|(page, from)| (Kind::Page, page, from));
    let subjects = subjects.chain(drafts.into_iter().map(|draft| (Kind::Draft, draft, "/drafts".to_owned())));
    let mut rows = Vec::new();
    for (kind, subject, from) in subjects {
        let other = assignments.find(&place(kind, &subject, args.capacity.other()));
        if other.is_some_and(|it| it.author_ref == author.id) {
            let message = format!("nobody reviews what they wrote: {subject:.200} has this person in the other part");
            return Err(Fault::conflict("own_reviewer", message).at(from));
        }
        let id = place(kind, &subject, args.capacity);
        let author_ref = author.id.clone();
        rows.push((id, Assignment { author_ref, kind, subject, capacity: args.capacity, since: cx.now() }));
    }
    let before = rows.iter().filter_map(|(id, _)| assignments.find(id));
    let replaced = before.filter(|it| it.author_ref != author.id).map(Stored::into_inner);
    let replaced = replaced.map(|it| Replaced { subject: it.subject, author_ref: it.author_ref }).collect();
    let assigned = assignments.put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
    Ok(Assigned { assigned: u64::from(assigned), replaced, degraded })
}

impl Capacity {
    fn other(self) -> Self {
        match self {
            Self::Author => Self::Reviewer,
            Self::Reviewer => Self::Author,
        }
    }
}

/// The websites whose pages an author may stand for.
fn own_sites(cx: &Cx, author: &Author) -> Result<Vec<Stored<Site>>> {
    match &author.site_id {
        Some(site) => Ok(cx.records::<Site>().find(site).into_iter().collect()),
        None => Ok(cx.records::<Site>().all().page(200_u64, None)?.items),
    }
}

/// The pages of a segment, as the newest crawl of its website found them.
fn in_segment(
    cx: &Cx,
    segment: &Id<Segment>,
    own: &[Stored<Site>],
    degraded: &mut Vec<Degraded>,
) -> Result<Vec<String>> {
    let found = cx.records::<Segment>().get(segment).map_err(|fault| fault.at("/segment_ref"))?;
    if !own.iter().any(|site| site.id == found.site_id) {
        let message = "this segment is of a website that the author does not write for";
        return Err(Fault::not_found("segment_not_found", message).at("/segment_ref"));
    }
    let Some(rules) = site::rules(cx, found.site_id.as_str(), Some(segment))? else { return Ok(Vec::new()) };
    let run = site::required(cx, &found.site_id).map_err(|fault| fault.at("/segment_ref"))?;
    let mut rows = crawled::from(cx, &run.id, 0);
    let read = rows.by_ref().take(IN_A_SEGMENT);
    let pages = read.filter(|it| it.is_html && it.status == 200 && site::holds(&rules, &it.url));
    let pages = pages.map(|it| it.url).collect();
    if rows.next().is_some() {
        let why = format!("only the first {IN_A_SEGMENT} addresses of the crawl were held against the segment");
        degraded.push(Degraded::new("crawl", why));
    }
    Ok(pages)
}

/// The id of the one assignment that a subject has in a capacity.
fn place(kind: Kind, subject: &str, capacity: Capacity) -> Id<Assignment> {
    let kind = match kind {
        Kind::Page => "page",
        Kind::Draft => "draft",
    };
    let capacity = match capacity {
        Capacity::Author => "author",
        Capacity::Reviewer => "reviewer",
    };
    Id::new(format!("{kind}-{capacity}-{}", kit::text::hex(&kit::text::sha256(subject.as_bytes())[..16])))
}
