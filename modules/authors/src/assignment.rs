//! Which pages and drafts an author stands for.

use std::collections::{BTreeMap, BTreeSet};

use sdk::{Query, prelude::*};

use crate::crawled;
use crate::{Author, Status};

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

/// A named part of a website.
pub(crate) enum Segment {}

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
}

#[value]
struct Replaced {
    /// A page's address or a draft's reference.
    subject: String,
    author_ref: Id<Author>,
}

/// Assigns an author or reviewer to pages and drafts by list or URL segment.
///
/// A page or draft has one author and one reviewer: assigning replaces whoever was there, and says whom.
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
    let pages: BTreeSet<String> = args.urls.iter().flatten().map(crawled::normal).collect();
    if let Some(segment) = &args.segment_ref {
        // Segments belong to the websites module, which keeps none before `websites.segment.set` stands.
        let message = format!("there is no segment {segment}");
        return Err(Fault::not_found("segment_not_found", message).at("/segment_ref"));
    }
    let drafts: BTreeSet<String> = args.drafts.iter().flatten().map(|it| it.to_string()).collect();
    if pages.is_empty() && drafts.is_empty() {
        return Err(Fault::invalid("", "nothing_to_assign", "name pages by urls or segment_ref, or drafts"));
    }
    if pages.len() > 1_000 {
        return Err(Fault::invalid(
            "/urls",
            "too_many_pages",
            "at most 1,000 pages at once, urls and segment together",
        ));
    }
    let subjects = pages.into_iter().map(|it| (Kind::Page, it)).chain(drafts.into_iter().map(|it| (Kind::Draft, it)));
    let rows: Vec<_> = subjects
        .map(|(kind, subject)| {
            let id = place(kind, &subject, args.capacity);
            let author_ref = author.id.clone();
            (id, Assignment { author_ref, kind, subject, capacity: args.capacity, since: cx.now() })
        })
        .collect();
    let assignments = cx.records::<Assignment>();
    let before = rows.iter().filter_map(|(id, _)| assignments.find(id));
    let replaced = before.filter(|it| it.author_ref != author.id).map(Stored::into_inner);
    let replaced = replaced.map(|it| Replaced { subject: it.subject, author_ref: it.author_ref }).collect();
    let assigned = assignments.put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
    Ok(Assigned { assigned: u64::from(assigned), replaced })
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
