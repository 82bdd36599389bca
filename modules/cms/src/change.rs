//! Changes to items: of this module, and of those that put links and markup into contents.

pub(crate) mod list;
pub(crate) mod rollback;

use sdk::json;
use sdk::prelude::*;
use site::Site;
use wordpress::{Change, Field, Rollback, What, Why};

use crate::redirect::held::{Held, Redirects};

/// A change that the module `links` made.
#[foreign(
    collection = "links.wordpress_changes",
    thing = "change",
    index(site_id, at_ms),
    index(site_id, item, at_ms),
    index(batch, seq),
    may_be_missing
)]
pub(crate) struct OfLinks(pub(crate) Change);

/// A change that the module `schema` made.
#[foreign(
    collection = "schema.wordpress_changes",
    thing = "change",
    index(site_id, at_ms),
    index(site_id, item, at_ms),
    index(batch, seq),
    may_be_missing
)]
pub(crate) struct OfSchema(pub(crate) Change);

/// The module that keeps a change.
#[value]
pub(crate) enum Owner {
    Cms,
    Links,
    Schema,
}

impl Owner {
    /// The name of the module.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cms => "cms",
            Self::Links => "links",
            Self::Schema => "schema",
        }
    }

    /// The module that its blobs are read from; none for this one.
    pub(crate) fn of_blobs(self) -> Option<&'static str> {
        (self != Self::Cms).then(|| self.name())
    }
}

/// A change with the module that keeps it.
pub(crate) struct Owned {
    pub(crate) owner: Owner,
    pub(crate) id: Id<Change>,
    pub(crate) change: Change,
}

/// Which changes are looked for.
pub(crate) enum Wanted<'a> {
    /// Of a website, newest first, before a moment.
    Site { site: &'a str, before_ms: u64 },
    /// Of an item, newest first, before a moment.
    Item { site: &'a str, item: &'a str, before_ms: u64 },
    /// Of a batch, the last first.
    Batch(&'a str),
}

/// Changes of all modules as they are asked for, not in one order: each module's own are.
fn streams<'a>(cx: &'a Cx, wanted: &Wanted<'_>) -> Vec<Box<dyn Iterator<Item = Owned> + 'a>> {
    macro_rules! stream {
        ($record:ty, $owner:expr, $change:expr) => {{
            let all = cx.records::<$record>();
            let query = match wanted {
                Wanted::Site { site, before_ms } => all.by("site_id_at_ms").equals(site).below(before_ms),
                Wanted::Item { site, item, before_ms } => {
                    all.by("site_id_item_at_ms").equals(site).equals(item).below(before_ms)
                }
                Wanted::Batch(batch) => all.by("batch_seq").equals(batch),
            };
            let owned = |it: Stored<$record>| Owned { owner: $owner, id: it.id.cast(), change: $change(it.it) };
            Box::new(query.descending().scan().map(owned)) as Box<dyn Iterator<Item = Owned> + 'a>
        }};
    }
    vec![
        stream!(Change, Owner::Cms, |it| it),
        stream!(OfLinks, Owner::Links, |it: OfLinks| it.0),
        stream!(OfSchema, Owner::Schema, |it: OfSchema| it.0),
    ]
}

/// Changes of all modules, newest first; those that are only intended are left out.
pub(crate) fn newest_first<'a>(cx: &'a Cx, wanted: &Wanted<'_>) -> impl Iterator<Item = Owned> + use<'a> {
    let mut streams: Vec<_> = streams(cx, wanted).into_iter().map(Iterator::peekable).collect();
    std::iter::from_fn(move || {
        let at = |stream: &mut std::iter::Peekable<Box<dyn Iterator<Item = Owned> + 'a>>| {
            stream.peek().map(|it| it.change.at_ms)
        };
        let moments: Vec<Option<u64>> = streams.iter_mut().map(at).collect();
        let newest = moments.iter().max().copied().flatten()?;
        let place = moments.iter().position(|it| *it == Some(newest))?;
        streams.get_mut(place)?.next()
    })
    .filter(|it| !it.change.pending)
}

/// Keeps a change of a redirect.
#[expect(clippy::too_many_arguments, reason = "a change has as many sides")]
pub(crate) fn redirect_change(
    cx: &Cx,
    site: &Stored<Site>,
    redirects: &Redirects<'_>,
    operation: &'static str,
    batch: &str,
    seq: u64,
    before: Option<&Held>,
    after: Option<&Held>,
    undoes: Option<&str>,
) -> Result<Id<Change>> {
    let source = before.or(after).map(|it| it.from.as_str()).unwrap_or_default();
    let url = kit::url::resolve(&redirects.origin, source).map_or_else(|| source.to_owned(), |it| it.to_string());
    let why =
        Why { seq, undoes: undoes.map(str::to_owned), ..Why::call(site.id.as_str(), operation, What::Redirect, batch) };
    let field = Field::of(cx, "redirect", &json!(before), &json!(after))?;
    why.keep(cx, source, &url, vec![field], Rollback::Exact)
}

/// A change by its reference, of whichever module; 404 `change_not_found` at `/change_ref`.
pub(crate) fn found(cx: &Cx, id: &Id<Change>, site: &str) -> Result<Owned> {
    let own = cx.records::<Change>().find(id).map(|it| (Owner::Cms, it.it));
    let links = || cx.records::<OfLinks>().find(&id.cast()).map(|it| (Owner::Links, it.it.0));
    let schema = || cx.records::<OfSchema>().find(&id.cast()).map(|it| (Owner::Schema, it.it.0));
    let found = own.or_else(links).or_else(schema).filter(|(_, it)| it.site_id == site && !it.pending);
    let (owner, change) = found.ok_or_else(|| {
        let message = "there is no such change of this website; cms.change.list shows them";
        Fault::not_found("change_not_found", message).at("/change_ref")
    })?;
    Ok(Owned { owner, id: id.clone(), change })
}
