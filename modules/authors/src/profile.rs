//! One author: everything about the profile, and changing it.

use std::collections::BTreeMap;

use sdk::prelude::*;
use search::Clicks;

use crate::assignment::{self, Assignment, Capacity, Kind};
use crate::crawled::Newest;
use crate::name::{self, Agreement};
use crate::trust::{self, Profile};
use crate::{Author, Status, markup};

/// The most assigned pages that are looked up in a crawl by one call.
pub(crate) const LOOKED_UP: usize = 400;

#[args]
pub(crate) struct Get {
    author_ref: Id<Author>,
}

#[value]
pub(crate) struct Whole {
    author: Stored<Author>,
    pages: Pages,
    /// Profiles elsewhere that `authors.trust.score` found to name the author and link back, within the last week.
    verified_profiles: Vec<Profile>,
    markup: State,
    /// Clicks from searches on the listed pages in 28 days; null when no search figures are stored for them.
    clicks_28d: Option<u64>,
}

#[value]
struct Pages {
    /// Pages as their author.
    authored: u64,
    /// Pages as their reviewer.
    reviewed: u64,
    /// Drafts, either way.
    drafts: u64,
    /// The first 50 pages by address.
    urls: Vec<String>,
}

#[value]
struct State {
    /// Whether the Person markup is complete enough to publish.
    valid: bool,
    /// What would make it say more.
    missing: Vec<String>,
}

/// Returns one author with assigned pages, drafts, verified profiles, markup and performance of their content.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["show an author", "which pages does this author have"],
    examples = [{ "author_ref": "0000000000000001" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Whole> {
    let author = cx.records::<Author>().get(&args.author_ref)?;
    let mut pages = Pages { authored: 0, reviewed: 0, drafts: 0, urls: Vec::new() };
    for assignment in assignment::all(cx, &author.id).scan() {
        match (assignment.kind, assignment.capacity) {
            (Kind::Draft, _) => pages.drafts += 1,
            (Kind::Page, Capacity::Author) => pages.authored += 1,
            (Kind::Page, Capacity::Reviewer) => pages.reviewed += 1,
        }
        if assignment.kind == Kind::Page && pages.urls.len() < 50 {
            pages.urls.push(assignment.it.subject);
        }
    }
    let made = markup::of(cx, &author, None);
    let markup = State { valid: made.valid, missing: made.missing };
    let clicks_28d = clicks(cx, &pages.urls);
    Ok(Whole { verified_profiles: trust::verified(cx, &author.id), pages, markup, clicks_28d, author })
}

/// The clicks of the pages that are listed, each by the website that it is of; null when no figures are stored for any.
fn clicks(cx: &Cx, urls: &[String]) -> Option<u64> {
    let mut sites: BTreeMap<Id<site::Site>, Option<Clicks>> = BTreeMap::new();
    let mut sum = None;
    for url in urls {
        let Some(site) = site::of(cx, url) else { continue };
        let known = sites.entry(site.id.clone()).or_insert_with(|| Clicks::newest(cx, &site.id));
        if let Some(known) = known {
            *sum.get_or_insert(0) += known.of(url);
        }
    }
    sum
}

#[args]
pub(crate) struct Update {
    author_ref: Id<Author>,
    firstname: Option<Text<1, 80>>,
    lastname: Option<Text<1, 80>>,
    /// What the author is; an empty text clears it.
    role: Option<Text<0, 120>>,
    /// An empty text clears it.
    bio: Option<Text<0, 3_000>>,
    /// Replaces the whole list.
    credentials: Option<List<Text<1, 200>, 0, 20>>,
    /// Replaces the whole list.
    same_as: Option<List<Url, 0, 20>>,
    /// Replaces the whole list.
    topics: Option<List<Text<1, 80>, 0, 20>>,
    status: Option<Status>,
}

#[value]
pub(crate) struct Updated {
    author: Stored<Author>,
    /// Assigned pages whose published markup names the author, as the newest crawl saw them, when the change alters that
    /// markup. At most 400 pages are looked up.
    stale_markup: Vec<String>,
}

/// Updates an author profile and lists the pages whose Person markup becomes stale.
///
/// Members that are left out stay as they are.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes the author profile; published pages keep their old markup until it is deployed again"],
    phrasings = ["change an author", "archive an author", "edit a writer's bio"],
    examples = [{ "author_ref": "0000000000000001", "status": "archived" }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let before = cx.records::<Author>().get(&args.author_ref)?;
    let after = cx.records::<Author>().update(&args.author_ref, |author| {
        let optional = |text: Text<0, 120>| (!text.is_empty()).then_some(text);
        author.firstname = args.firstname.unwrap_or_else(|| author.firstname.clone());
        author.lastname = args.lastname.unwrap_or_else(|| author.lastname.clone());
        author.role = args.role.map_or_else(|| author.role.clone(), optional);
        author.bio = args.bio.map_or_else(|| author.bio.clone(), |bio| (!bio.is_empty()).then_some(bio));
        author.credentials = args.credentials.unwrap_or_else(|| author.credentials.clone());
        author.same_as = args.same_as.unwrap_or_else(|| author.same_as.clone());
        author.topics = args.topics.unwrap_or_else(|| author.topics.clone());
        author.status = args.status.unwrap_or(author.status);
        author.updated_at = cx.now();
    })?;
    let shown = |author: &Author| Author { status: Status::Active, updated_at: author.created_at, ..author.clone() };
    let stale_markup = if shown(&before) == shown(&after) { Vec::new() } else { published(cx, &before) };
    Ok(Updated { author: after, stale_markup })
}

/// The assigned pages whose markup names the author, as the newest crawls saw them.
pub(crate) fn published(cx: &Cx, author: &Stored<Author>) -> Vec<String> {
    let newest = Newest::of(cx, author.site_id.as_ref());
    let names = |url: &String| {
        let markup = newest.page(cx, url).and_then(|page| page.byline_markup);
        markup.is_some_and(|it| agrees(&it, author))
    };
    let pages = assignment::pages(cx, &author.id).scan().take(LOOKED_UP);
    pages.map(|it: Stored<Assignment>| it.it.subject).filter(names).collect()
}

fn agrees(markup: &str, author: &Author) -> bool {
    matches!(name::agreement(markup, &author.name()), Some(Agreement::Exact | Agreement::Close(_)))
}
