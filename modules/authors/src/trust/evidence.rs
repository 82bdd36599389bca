//! The weights: what was seen becomes points, and what was not becomes an action.

use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use super::Profile;
use crate::Author;
use crate::crawled::Page;
use crate::name::{self, Agreement};

/// What a call has seen of an author.
pub(super) struct Seen<'a> {
    /// Assigned pages that a crawl knows.
    pub(super) pages: &'a [Page],
    /// The address of the author's own page.
    pub(super) own: Option<&'a str>,
    /// Profiles elsewhere, as visited.
    pub(super) profiles: &'a [Profile],
}

/// One signal with its weight.
#[value]
pub(super) struct Evidence {
    signal: Signal,
    found: bool,
    pub(super) points: u8,
    /// The most points that the signal gives.
    of: u8,
    /// Addresses, or members of the profile: of what was found, or of what stands against it.
    #[serde(rename = "where")]
    places: Vec<String>,
}

#[value]
pub(super) enum Signal {
    ProfilePage,
    ConsistentBylines,
    OutsideProfiles,
    Credentials,
    TopicFocus,
    PersonMarkup,
}

/// Turns what was seen into points. The sum of all `of` is 100.
pub(super) fn weigh(author: &Author, seen: &Seen<'_>) -> Vec<Evidence> {
    let name = author.name();
    let agrees = |byline: Option<&String>| byline.and_then(|it| name::agreement(it, &name));
    let consistent = |page: &Page| agrees(page.byline_visible.as_ref()) == Some(Agreement::Exact);
    let marked = |page: &Page| agrees(page.byline_markup.as_ref()).is_some();
    let verified: Vec<_> =
        seen.profiles.iter().filter(|it| it.name_found && it.links_back).map(|it| it.url.to_string()).collect();
    let outside = match verified.len() {
        0 => 0,
        1 => 15,
        _ => 25,
    };
    let credentials = (0..author.credentials.len()).map(|at| format!("/credentials/{at}")).collect::<Vec<_>>();
    vec![
        Evidence::of(Signal::ProfilePage, if seen.own.is_some() { 20 } else { 0 }, 20, seen.own.map(str::to_owned)),
        share(Signal::ConsistentBylines, 20, seen.pages, consistent),
        Evidence::of(Signal::OutsideProfiles, outside, 25, verified),
        Evidence::of(Signal::Credentials, if credentials.is_empty() { 0 } else { 10 }, 10, credentials),
        share(Signal::TopicFocus, 10, seen.pages, |page| is_on_topic(page, author)),
        share(Signal::PersonMarkup, 15, seen.pages, marked),
    ]
}

/// Calls for what is not at its most, the most points to gain first. Without a crawl the first is to make one.
pub(super) fn next(author: &Stored<Author>, evidence: &[Evidence], crawled: bool) -> Vec<Next> {
    let mut short: Vec<_> = evidence.iter().filter(|it| it.points < it.of).collect();
    short.sort_by_key(|it| it.points.cast_signed() - it.of.cast_signed());
    let crawl = (!crawled).then(|| {
        let site = author.site_id.as_ref().map_or_else(|| json!({}), |it| json!({ "site_id": it }));
        Next::new("crawl.run.start", site, "crawls the website, so that its pages can be judged")
    });
    crawl.into_iter().chain(short.into_iter().map(|it| action(author, it.signal))).collect()
}

fn action(author: &Stored<Author>, signal: Signal) -> Next {
    let own = json!({ "author_ref": author.id });
    let site = author.site_id.as_ref().map_or_else(|| json!({}), |it| json!({ "site_id": it }));
    let (what, operation_id, arguments) = match signal {
        Signal::ProfilePage => {
            ("publish a page about the author with this markup, and crawl it", "authors.markup.generate", own)
        }
        Signal::ConsistentBylines => {
            ("find the pages whose byline differs and correct them", "authors.byline.audit", site)
        }
        Signal::OutsideProfiles => {
            ("list profiles elsewhere that name the author and link to the website", "authors.update", own)
        }
        Signal::Credentials => ("enter degrees, licences or memberships", "authors.update", own),
        Signal::TopicFocus => ("assign pages on the author's topics, or correct the topics", "authors.assign", own),
        Signal::PersonMarkup => ("put the Person markup on the author's pages", "authors.markup.generate", own),
    };
    Next::new(operation_id, arguments, what)
}

impl Evidence {
    fn of(signal: Signal, points: u8, of: u8, places: impl IntoIterator<Item = String>) -> Self {
        Self { signal, found: points > 0, points, of, places: places.into_iter().take(20).collect() }
    }
}

/// Points by the share of pages that pass; `where` are the pages that do not.
fn share(signal: Signal, of: u8, pages: &[Page], passes: impl Fn(&Page) -> bool) -> Evidence {
    let (good, bad): (Vec<_>, Vec<_>) = pages.iter().partition(|it| passes(it));
    let points = usize::from(of) * good.len() / pages.len().max(1);
    let places = if bad.is_empty() { good } else { bad };
    let points = u8::try_from(points).expect("a share of at most 100 points fits");
    Evidence::of(signal, points, of, places.into_iter().map(|it| it.url.clone()))
}

/// Whether a title or heading speaks of one of the topics: all words of the topic, in order.
fn is_on_topic(page: &Page, author: &Author) -> bool {
    let lines = [name::words(&page.title), name::words(&page.h1)];
    author.topics.iter().any(|topic| {
        let topic = name::words(topic);
        !topic.is_empty() && lines.iter().any(|line| line.windows(topic.len()).any(|it| it == topic))
    })
}
