//! The operation `cms.alt_text.bulk_update`, and its job.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Fix, IsQueued, Progress, json};
use site::Site;
use wordpress::{Item, Listing, Patch, What};

use crate::batch::{Edit, Editing, Outcome, Queue, Skipped, Started};
use crate::markup::alts::{Picture, described, whole_file};
use crate::target::{Target, Thing};

/// Pictures of one step that are looked for: for each the library and three types are searched.
const PICTURES: usize = 12;
/// Items of one search.
const FOUND: u64 = 100;
/// Types that are searched.
const TYPES: [&str; 3] = ["posts", "pages", "product"];

/// A picture with its text. Either reference or address, or both.
#[args]
pub(crate) struct Wanted {
    /// A picture of the media library, as `cms.media.upload` and this job name it.
    media_ref: Option<Id<Thing>>,
    /// The address of its file; sizes such as `-300x200` are of the same picture.
    src: Option<Url>,
    /// What the picture shows; an empty text for one that only decorates.
    alt: Text<0, 300>,
}

#[args]
pub(crate) struct BulkUpdate {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Pictures with their texts.
    items: List<Wanted, 1, 500>,
    /// Whether pictures in contents get the text too. One that has a text of its own there keeps it.
    #[default(true)]
    in_content: bool,
    /// With it the job only shows what it would change.
    #[serde(default)]
    dry_run: bool,
}

/// What the job is given.
#[value]
pub(crate) struct Payload {
    site_id: Id<Site>,
    batch: String,
    /// Reference, address and text of each picture.
    items: Vec<(Option<String>, Option<String>, String)>,
    in_content: bool,
    dry_run: bool,
}

/// A picture that was looked for.
#[value]
pub(crate) struct Seen {
    media: Option<u64>,
    files: Vec<String>,
    known: Option<String>,
    alt: String,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Pictures that were looked for.
    looked: u64,
    seen: Vec<Seen>,
    /// Media and items that are to be edited.
    found: BTreeSet<String>,
    queue: Queue,
    outcome: Outcome,
}

/// Writes alt text to media items and to images inside content in one reversible batch.
///
/// In a content only the value of `alt` changes, and every other byte stays. A picture there whose text is neither empty nor the
/// one of the media library keeps it. With `dry_run` it only shows.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pictures", every = 50, most = 10_000),
    queued(step = "alts"),
    result_operation = "account.job.get",
    side_effects = ["changes the media library, posts and pages of your WordPress, unless it is a dry run"],
    needs = ["store", "jobs", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2/media",
        "wordpress GET /wp-json/wp/v2/media/*",
        "wordpress POST /wp-json/wp/v2/media/* change",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress GET /wp-json/wp/v2/posts/*/revisions",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress GET /wp-json/wp/v2/pages/*/revisions",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress GET /wp-json/wp/v2/product/*/revisions",
        "wordpress POST /wp-json/wp/v2/product/* change",
    ],
    phrasings = [
        "add alt text to these images",
        "fill missing alt attributes in wordpress",
        "describe the pictures of my posts",
        "show what writing these alt texts would change",
    ],
    examples = [
        { "site_id": "4503599627370496", "items": [{ "src": "https://shop.example/wp-content/uploads/2026/10/lamp.jpg", "alt": "Brass lamp on an oak desk" }], "dry_run": true }
    ]
)]
pub(crate) fn bulk_update(cx: &Cx, args: BulkUpdate) -> Result<Started> {
    let target = Target::of(cx, &args.site_id)?;
    let mut items = Vec::new();
    for (at, it) in args.items.into_iter().enumerate() {
        if it.media_ref.is_none() && it.src.is_none() {
            let message = "name the picture by media_ref or src";
            return Err(Fault::invalid(format!("/items/{at}"), "picture_not_named", message));
        }
        items.push((it.media_ref.map(String::from), it.src.map(|it| it.to_string()), it.alt.into_string()));
    }
    let (batch, dry_run, in_content) = (wordpress::batch(cx), args.dry_run, args.in_content);
    let payload = Payload { site_id: target.site.id.clone(), batch: batch.clone(), items, in_content, dry_run };
    let job_ref = cx.jobs().enqueue("alts", &payload)?;
    let next = Fix::new("account.job.get", json!({ "job_ref": job_ref }))
        .because("says how far the job is and what it changed");
    Ok(Started { job_ref, batch_ref: Id::new(batch), state: IsQueued::Queued, dry_run, next: vec![next] })
}

/// Looks for pictures and the items that show them first, then edits some in each step.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let target = Target::of(cx, &payload.site_id)?;
    let first = Outcome { dry_run: payload.dry_run, batch_ref: payload.batch.clone(), ..Outcome::default() };
    let mut state = checkpoint.unwrap_or_else(|| Checkpoint { outcome: first, ..Checkpoint::default() });
    let before = state.outcome.replacements;
    let all = payload.items.len() as u64;
    if state.looked < all {
        look(cx, &target, &payload, &mut state)?;
        if state.looked == all {
            state.queue.waiting = std::mem::take(&mut state.found).into_iter().rev().collect();
        }
        let progress = Progress::new(state.looked, all, "looking for pictures");
        if state.looked < all || !state.queue.waiting.is_empty() {
            return Ok(Step::next(state, progress));
        }
        return Ok(Step::done(state.outcome, progress));
    }
    let pictures: Vec<Picture> = state
        .seen
        .iter()
        .map(|it| Picture { media: it.media, files: it.files.clone(), known: it.known.clone(), alt: it.alt.clone() })
        .collect();
    let own = std::cell::RefCell::new(Vec::new());
    let editing = Editing {
        cx,
        target: &target,
        operation: "cms.alt_text.bulk_update",
        what: What::Content,
        batch: &payload.batch,
        dry_run: payload.dry_run,
    };
    let edit = |item: &Item| {
        if item.at.base == "media" {
            let picture = pictures.iter().find(|it| it.media == Some(item.at.id));
            let alt = picture.map(|it| it.alt.clone()).filter(|alt| item.alt_text.as_ref() != Some(alt));
            return Ok(alt.map(|alt| Edit { patch: Patch { alt_text: Some(alt), ..Patch::default() }, places: 1 }));
        }
        let Ok(page) = kit::url::Url::parse(&item.link) else { return Ok(None) };
        let Some(done) = described(&item.fields.content, &page, &pictures) else { return Ok(None) };
        if done.own > 0 {
            own.borrow_mut().push((item.link.clone(), done.own));
        }
        let patch = Patch { content: Some(done.text), ..Patch::default() };
        Ok((done.places > 0).then_some(Edit { patch, places: done.places }))
    };
    let is_look = state.queue.intended.is_empty();
    let goes_on = editing.turn(&mut state.queue, &mut state.outcome, edit)?;
    // An item is looked at once, and written once.
    for (url, own) in own.into_inner().into_iter().filter(|_| is_look) {
        let why = format!("{own} pictures have a text of their own there");
        state.outcome.skipped.push(Skipped { what: url, code: "has_own_alt".to_owned(), why });
    }
    let left = (state.queue.waiting.len() + state.queue.intended.len()) as u64;
    let progress = Progress::new(state.outcome.items, state.outcome.items + left, "writing alternative texts");
    let units = if payload.dry_run { 0 } else { state.outcome.replacements - before };
    if goes_on {
        return Ok(Step::next(state, progress).units(units));
    }
    Ok(Step::done(state.outcome, progress).units(units))
}

/// Looks for some pictures in the library, and for the items that show them.
fn look(cx: &Cx, target: &Target, payload: &Payload, state: &mut Checkpoint) -> Result<()> {
    let at = &target.installation;
    let from = usize::try_from(state.looked).unwrap_or(usize::MAX);
    for (reference, src, alt) in payload.items.iter().skip(from).take(PICTURES) {
        state.looked += 1;
        let src = src.as_deref().and_then(kit::url::normalize).map(|it| whole_file(&it));
        let file = |url: &String| kit::url::normalize(url).map(|it| whole_file(&it));
        let stem = src.as_deref().map(stem);
        let medium = match (reference, &stem) {
            (Some(text), _) => wordpress::Reference::read(text)
                .filter(|it| it.base == "media" && it.connection == at.connection)
                .map(|it| at.medium(cx, it.id))
                .transpose()?
                .flatten(),
            (None, Some(stem)) => at
                .media(cx, stem)?
                .into_iter()
                .find(|it| it.files.iter().filter_map(file).any(|it| Some(&it) == src.as_ref())),
            (None, None) => None,
        };
        if medium.is_none() && (reference.is_some() || src.as_ref().is_none_or(|it| !target.site.has(it))) {
            let code = "media_not_found".to_owned();
            let why = "the media library has no such picture".to_owned();
            state.outcome.skipped.push(Skipped { what: reference.clone().or(src).unwrap_or_default(), code, why });
            continue;
        }
        let files: BTreeSet<String> =
            medium.iter().flat_map(|it| it.files.iter().filter_map(file)).chain(src.clone()).collect();
        if let Some(medium) = &medium {
            state.found.insert(medium.at.to_string());
        }
        let stem = files.iter().next().map(|it| self::stem(it));
        state.seen.push(Seen {
            media: medium.as_ref().map(|it| it.at.id),
            known: medium.and_then(|it| it.alt_text),
            files: files.into_iter().collect(),
            alt: alt.clone(),
        });
        let Some(stem) = stem.filter(|it| payload.in_content && it.len() > 1) else { continue };
        for base in TYPES {
            let status = ["publish", "draft", "future", "private", "pending"].map(str::to_owned).to_vec();
            let wanted = Listing { status, search: Some(stem.clone()), per_page: FOUND, ..Listing::default() };
            match at.list(cx, base, &wanted) {
                Ok(page) => state.found.extend(page.items.iter().map(|it| it.at.to_string())),
                Err(fault) if fault.code == "type_not_found" => {}
                Err(fault) => return Err(fault),
            }
        }
    }
    Ok(())
}

/// The name of a file without its ending: what it is searched by.
fn stem(url: &str) -> String {
    let name = url.rsplit('/').next().unwrap_or(url);
    kit::url::decoded(name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}
