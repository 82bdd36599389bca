//! The operation `backlinks.watch.set`.

use sdk::prelude::*;
use sdk::{Every, Planned, Watch, json};
use site::Site;

use super::stored::{self, MOST, Rel, Watched};
use crate::cadence;
use crate::link::{bare, is_own};

/// A link to watch.
#[value]
pub(crate) struct Added {
    /// The page that links.
    source: Url,
    /// The own page that it leads to.
    target: Url,
    /// The text that was agreed; any when left out.
    anchor: Option<Text<1, 300>>,
    /// What its `rel` must hold, all of it; anything when left out.
    rel: Option<List<Rel, 0, 3>>,
    /// The last day that was agreed; for ever when left out.
    until: Option<Day>,
}

#[args]
pub(crate) struct Set {
    /// The website.
    site_id: Id<Site>,
    /// Links to watch; one that is watched already gets the new expectation.
    add: Option<List<Added, 0, 200>>,
    /// Links that are no longer watched, by `watch_id`.
    remove: Option<List<Id<Watched>, 0, 200>>,
}

/// What is watched now.
#[value]
pub(crate) struct Watching {
    /// Links that are watched.
    watched: u64,
    added: u64,
    changed: u64,
    removed: u64,
    /// When they are looked at next; null when none is watched.
    next_check_at: Option<Moment>,
}

/// Adds or removes earned or agreed links to the watch list with expected anchor, rel and end date so losses raise alerts.
///
/// Once a week backlinks.verify.run looks at their pages, charged like any other. When fewer of them are as agreed than the week
/// before, you are told in the way that you chose with account.notification.update. A link need not be imported to be watched.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["a verification of the watched links begins every week and is charged like any other"],
    needs = ["store", "jobs"],
    phrasings = ["watch my earned links", "tell me when a backlink is removed", "monitor paid links", "stop watching a link"],
    examples = [
        { "site_id": "4503599627370496", "add": [{ "source": "https://blog.example/best-lamps", "target": "https://shop.example/lamps", "anchor": "desk lamps", "rel": ["follow"], "until": "2027-06-30" }] },
        { "site_id": "4503599627370496", "remove": ["4503599627370497"] },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Watching> {
    let site = site::get(cx, &args.site_id)?;
    let records = cx.records::<Watched>();
    let kept = stored::of(cx, &site.id);
    for (at, id) in args.remove.iter().flat_map(|it| it.iter()).enumerate() {
        let pointer = format!("/remove/{at}");
        if !kept.iter().any(|it| it.id == *id) {
            return Err(Fault::not_found("watch_not_found", "this website has no such watched link").at(&pointer));
        }
    }
    let (removed, rest): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|it| args.remove.iter().flat_map(|it| it.iter()).any(|id| it.id == *id));
    let kept = rest;
    let (mut new, mut changed): (Vec<Watched>, Vec<Stored<Watched>>) = (Vec::new(), Vec::new());
    let today = cx.now().day();
    for (at, it) in args.add.iter().flat_map(|it| it.iter()).enumerate() {
        let watched = checked(cx, &site, it, today, &format!("/add/{at}"))?;
        let same = |other: &Watched| {
            bare(&other.source) == bare(&watched.source) && bare(&other.target) == bare(&watched.target)
        };
        if let Some(found) = kept.iter().find(|it| same(it)) {
            let mut found = found.clone();
            found.it = Watched { created_ms: found.created_ms, ..watched };
            changed.retain(|it| it.id != found.id);
            changed.push(found);
        } else {
            new.retain(|it| !same(it));
            new.push(watched);
        }
    }
    let watched = kept.len() + new.len();
    if watched > MOST {
        let message = format!("a website has at most {MOST} watched links, and these would be {watched}");
        return Err(Fault::conflict("too_many_watched", message).at("/add"));
    }
    for it in &removed {
        records.remove(it)?;
    }
    let counts = (new.len() as u64, changed.len() as u64);
    records.put_many(&new)?;
    for it in changed {
        records.save(it)?;
    }
    let name = format!("watched:{}", site.id);
    let next_check_at = if watched == 0 {
        cx.schedules().remove(&name);
        None
    } else {
        let planned = |operation: &str, arguments: sdk::serde_json::Value| Planned {
            operation: operation.to_owned(),
            arguments: arguments.to_string(),
        };
        let verify = planned("backlinks.verify.run", json!({ "site_id": site.id, "only": "watched", "max": MOST }));
        let watch = Watch {
            read: planned("backlinks.watch.list", json!({ "site_id": site.id, "limit": 1 })),
            pointer: "/standing".to_owned(),
            falls_by: 1,
            title: format!("watched links of {:.60}", site.domain),
        };
        cx.schedules()
            .put(&name, cadence::of(&name, Every::Week), &[verify], Some(&watch))?
            .next
            .map(Moment::from_millis)
    };
    Ok(Watching {
        watched: watched as u64,
        added: counts.0,
        changed: counts.1,
        removed: removed.len() as u64,
        next_check_at,
    })
}

/// One link, checked.
fn checked(cx: &Cx, site: &Stored<Site>, it: &Added, today: Day, pointer: &str) -> Result<Watched> {
    let normal = |url: &Url| kit::url::normalize(url.as_str()).unwrap_or_else(|| url.to_string());
    let (source, target) = (normal(&it.source), normal(&it.target));
    if is_own(site, &source) {
        let message = "the page that links is one of the website itself";
        return Err(Fault::invalid(format!("{pointer}/source"), "own_page", message));
    }
    if !is_own(site, &target) {
        let message = format!("a watched link leads to {}", site.domain);
        return Err(Fault::invalid(format!("{pointer}/target"), "other_target", message));
    }
    if it.until.is_some_and(|until| until < today) {
        let message = format!("this day has passed; today is {today}");
        return Err(Fault::invalid(format!("{pointer}/until"), "day_passed", message));
    }
    let rel: Vec<Rel> = it.rel.iter().flat_map(|it| it.iter().copied()).collect();
    if rel.contains(&Rel::Follow) && rel.len() > 1 {
        let message = "`follow` is the absence of the others";
        return Err(Fault::invalid(format!("{pointer}/rel"), "rel_contradicts", message));
    }
    Ok(Watched {
        site_id: site.id.to_string(),
        source,
        target,
        anchor: it.anchor.as_ref().map(|it| it.as_str().to_owned()),
        rel,
        until: it.until,
        created_ms: cx.now().millis(),
    })
}
