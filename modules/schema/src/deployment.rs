//! The operations `schema.deployment.list` and `schema.deployment.rollback`.

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::deploy::{Deployment, State, block};
use site::Site;
use wordpress::{Installation, Patch, Reference, What, Why};

#[args(paged)]
pub(crate) struct Listing {
    site_id: Id<Site>,
    /// Only those in this state.
    state: Option<State>,
}

/// Markup on a page.
#[value]
pub(crate) struct Deployed {
    deployment_ref: Id<Deployment>,
    url: String,
    state: State,
    types: Vec<String>,
    deployed_at: Moment,
    /// When the live page was looked at last.
    verified_at: Option<Moment>,
    /// Seconds since then.
    age_seconds: Option<u64>,
    /// The call that checks it or takes it back.
    next: Vec<Next>,
}

/// Deployed markup.
#[page]
pub(crate) struct Deployments {
    deployments: Vec<Deployed>,
}

/// Lists deployed markup with live state (present, changed, removed, invalid) from the last verification.
///
/// The page is looked at when markup is put on it and when it is taken back.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = [
        "which pages got markup from you",
        "is my deployed schema still live",
        "list deployed structured data",
        "show markup that went missing",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "state": "missing" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Deployments> {
    let site = site::get(cx, &args.site_id)?;
    let all = cx.records::<Deployment>();
    let query = match args.state {
        Some(state) => all.by("site_id_state").equals(&site.id).equals(state),
        None => all.by("site_id").equals(&site.id),
    };
    let now = cx.now();
    let shown = |Stored { id, it, .. }: Stored<Deployment>| {
        let next = match it.state {
            State::Live => Fix::on("schema.page.validate", &it.url).because("validates the markup on the live page"),
            State::RolledBack => Fix::on("schema.type.suggest", &it.url).because("proposes types that fit the page"),
            State::Changed | State::Missing | State::Invalid => {
                Fix::new("schema.deployment.rollback", json!({ "deployment_ref": id })).because("takes the markup back")
            }
        };
        Deployed {
            deployment_ref: id,
            url: it.url,
            state: it.state,
            types: it.types,
            deployed_at: it.deployed_at,
            verified_at: it.verified_at,
            age_seconds: it.verified_at.map(|at| now.since(at) / 1_000),
            next: vec![next],
        }
    };
    Ok(query.page(args.limit, args.cursor)?.map(shown).into())
}

#[args]
pub(crate) struct Rollback {
    deployment_ref: Id<Deployment>,
    /// Takes the block out although the item was edited since; what was edited stays.
    #[default(false)]
    force: bool,
}

/// Markup that was taken back.
#[value]
pub(crate) struct RolledBack {
    deployment_ref: Id<Deployment>,
    /// Whether the content is, byte for byte, what it was before the first deployment.
    restored: bool,
    /// Whether the item was edited since, so that only the block was taken out.
    conflict: bool,
    state: State,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Removes a deployed markup block and restores the page content recorded before it, refusing when the page was edited since unless forced.
///
/// 409 `edited_since` without `force`. One that was taken back already stays as it is.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["changes the content of a post or page in your WordPress"],
    needs = ["web", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress GET /wp-json/wp/v2/posts/*/revisions",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress GET /wp-json/wp/v2/pages/*/revisions",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress GET /wp-json/wp/v2/product/*/revisions",
        "wordpress POST /wp-json/wp/v2/product/* change",
    ],
    phrasings = [
        "take the schema off my page again",
        "undo the markup you deployed",
        "remove the structured data block from wordpress",
        "restore my page as it was before the markup",
    ],
    examples = [{ "deployment_ref": "dep_0a1b2c3d4e5f" }]
)]
pub(crate) fn rollback(cx: &Cx, args: Rollback) -> Result<RolledBack> {
    let mut stored =
        cx.records::<Deployment>().get(&args.deployment_ref).map_err(|fault| fault.at("/deployment_ref"))?;
    let list = Fix::new("schema.deployment.list", json!({ "site_id": stored.site_id }))
        .because("shows the markup that is left on the pages");
    let (id, next) = (stored.id.clone(), vec![list]);
    let answer = |restored, conflict, degraded| {
        let (deployment_ref, state) = (id.clone(), State::RolledBack);
        RolledBack { deployment_ref, restored, conflict, state, next, degraded }
    };
    if stored.state == State::RolledBack {
        return Ok(answer(true, false, Vec::new()));
    }
    let item = item(cx, &stored)?;
    let edited = item.hash() != stored.after_hash;
    if edited && !args.force {
        let message = "the item was edited since the markup was deployed; with force only the block is taken out";
        return Err(Fault::conflict("edited_since", message).detail(json!({ "modified_gmt": item.modified_gmt })));
    }
    let mut degraded = Vec::new();
    let wanted = match block::without(&item.fields.content) {
        _ if !edited && !stored.before.is_empty() => Some(stored.before.clone()),
        Some(without) => Some(without),
        None => {
            degraded.push(Degraded::new("block", "the block was no longer in the item; nothing was written"));
            None
        }
    };
    let mut restored = false;
    if let Some(wanted) = &wanted {
        let patch = Patch { content: Some(wanted.clone()), ..Patch::default() };
        let why =
            Why::call(stored.site_id.as_str(), "schema.deployment.rollback", What::Content, &wordpress::batch(cx));
        let written = wordpress::write(cx, &item, &patch, &why)?;
        restored = match stored.before_hash.as_str() {
            "" => written.item.fields.content == stored.before,
            hash => written.item.hash() == hash,
        };
    }
    stored.it.state = State::RolledBack;
    stored.it.verified_at = Some(cx.now());
    cx.records::<Deployment>().save(stored)?;
    Ok(answer(restored, edited, degraded))
}

/// The item that a deployment changed, as it is now.
fn item(cx: &Cx, deployment: &Deployment) -> Result<wordpress::Item> {
    let gone = || Fault::conflict("item_gone", "the item is no longer there, or is in the trash");
    let (kind, number) = deployment.item.split_once('/').ok_or_else(gone)?;
    let id = number.parse().map_err(|_| gone())?;
    let connection = deployment.connection.clone();
    let at = Reference { connection: connection.clone(), base: kind.to_owned(), id };
    Installation { connection }.read(cx, &at)?.ok_or_else(gone)
}

#[cfg(test)]
mod tests;
