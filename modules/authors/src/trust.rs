//! How well an author's standing can be seen from outside.
//!
//! Only what the customer published or entered is looked at: nothing is inferred about the person.

mod evidence;
mod outside;

use std::collections::{BTreeMap, BTreeSet};

use sdk::Next;
use sdk::prelude::*;

pub(crate) use outside::Profile;

use crate::Author;
use crate::assignment::{self, Capacity};
use crate::crawled::{Newest, Page};
use crate::name;
use crate::profile::LOOKED_UP;
use evidence::{Evidence, Seen};

/// Scores and verified profiles are kept for a week.
const KEPT: u32 = 7 * 86_400;
/// The most profiles that one call visits.
const VISITED: usize = 8;
/// The most pages that are searched for the author's own.
const SEARCHED: usize = 3_000;

#[args]
pub(crate) struct Score {
    author_ref: Id<Author>,
}

#[value]
pub(crate) struct Scored {
    /// From 0 to 100: the sum of the evidence's points.
    score: u8,
    evidence: Vec<Evidence>,
    /// What would raise it, the most points first.
    next: Vec<Next>,
}

/// Scores an author's public evidence: profile page, consistent bylines, outside profiles verified by name match and link
/// back, credentials, topic focus of their pages and Person markup.
///
/// Points: profile page 20, bylines 20, outside profiles 25, credentials 10, topic focus 10, Person markup 15.
/// At most eight outside profiles are visited, in the order of `same_as`. Pages are judged as the newest crawl saw them.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 8),
    needs = ["web"],
    phrasings = ["is this author credible", "E-E-A-T of our author", "check an author's profiles"],
    examples = [{ "author_ref": "0000000000000001" }]
)]
pub(crate) fn score(cx: &Cx, args: Score) -> Result<Scored> {
    let author = cx.records::<Author>().get(&args.author_ref)?;
    let newest = Newest::of(cx, author.site_id.as_ref());
    let pages: Vec<Page> = assignment::pages(cx, &author.id)
        .scan()
        .filter(|it| it.capacity == Capacity::Author)
        .take(LOOKED_UP)
        .filter_map(|it| newest.page(cx, &it.subject))
        .collect();
    let own = newest.pages(cx).take(SEARCHED).find(|page| is_profile(page, &author.name())).map(|it| it.url);
    let hosts: BTreeSet<String> = newest.hosts().collect();
    let profiles = outside::visit(cx, &author, &hosts, VISITED);
    let evidence = evidence::weigh(&author, &Seen { pages: &pages, own: own.as_deref(), profiles: &profiles });
    let score = evidence.iter().map(|it| it.points).sum();
    let next = evidence::next(&author, &evidence, !hosts.is_empty());
    let verified: Vec<_> = profiles.into_iter().filter(|it| it.name_found && it.links_back).collect();
    cx.cache().put(&profiles_key(&author.id), &verified, KEPT);
    let mut scores = scores(cx);
    scores.insert(author.id.to_string(), score);
    cx.cache().put(SCORES, &scores, KEPT);
    Ok(Scored { score, evidence, next })
}

const SCORES: &str = "trust/scores";

fn profiles_key(author: &Id<Author>) -> String {
    format!("trust/profiles/{author}")
}

/// The scores found within a week, by author.
pub(crate) fn scores(cx: &Cx) -> BTreeMap<String, u8> {
    cx.cache().get(SCORES).unwrap_or_default()
}

/// The profiles verified within a week.
pub(crate) fn verified(cx: &Cx, author: &Id<Author>) -> Vec<Profile> {
    cx.cache().get(&profiles_key(author)).unwrap_or_default()
}

/// Whether a page is the author's own: its title or first heading is about the name, and it is a profile by its type or
/// stands where profiles stand.
fn is_profile(page: &Page, author: &str) -> bool {
    const PLACES: &[&str] = &[
        "about",
        "author",
        "authors",
        "autor",
        "autoren",
        "bio",
        "contributor",
        "contributors",
        "editors",
        "experts",
        "member",
        "members",
        "people",
        "profile",
        "profiles",
        "redaktion",
        "staff",
        "team",
        "ueber-uns",
        "writers",
    ];
    let wanted = name::words(author).join(" ");
    let named = [&page.title, &page.h1].iter().any(|it| name::words(it).join(" ").contains(&wanted));
    let path = kit::url::path_and_query(&page.url);
    let placed = path.split(['/', '?']).any(|it| PLACES.contains(&it));
    page.status == 200 && named && (placed || page.declares(&["ProfilePage"]))
}
