//! The operation `cms.content.list`.

use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;
use wordpress::Listing;
use wordpress::seo;

use crate::shown::{Shown, shown};
use crate::target::Target;

/// What `any` means: WordPress' own word leaves private items out for some users.
const ANY: [&str; 5] = ["publish", "draft", "future", "private", "pending"];

/// A status to list.
#[value]
pub(crate) enum Status {
    Publish,
    Draft,
    Future,
    Private,
    Any,
}

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// `post`, `page` or another type of `cms.site.inspect`.
    #[default("post")]
    r#type: Text<1, 60>,
    /// Only items of this status.
    #[default("any")]
    status: Status,
    /// Words that title, content or excerpt have.
    search: Option<Text<1, 120>>,
    /// Only those that were changed after this day.
    modified_after: Option<Day>,
}

/// Items of a type.
#[page]
pub(crate) struct Listed {
    /// The newest first.
    items: Vec<Shown>,
    /// Items in all.
    total: u64,
    degraded: Vec<Degraded>,
}

/// Lists posts, pages or custom types from the CMS with status, author, dates, terms and SEO fields.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 6),
    needs = ["store", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/types",
        "wordpress GET /wp-json/wp/v2/*",
        "wordpress GET /wp-json/rankmath/v1",
    ],
    phrasings = [
        "list the posts of my wordpress",
        "which pages and drafts are in my cms",
        "show posts that missed their schedule",
        "search my wordpress posts",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "type": "page", "status": "draft", "search": "lamp" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Listed> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let kind = at.kind(cx, args.r#type.as_str())?;
    let seo = seo::detect(cx, at)?;
    let (from, limit) = (args.start()? as u64, args.limit() as u64);
    // Pages of WordPress are of one size: a limit that changed would skip items.
    if from % limit != 0 {
        return Err(Fault::invalid(
            "/limit",
            "limit_changed",
            "keep the limit of the first page, or start without a cursor",
        ));
    }
    let status = match args.status {
        Status::Publish => vec!["publish"],
        Status::Draft => vec!["draft"],
        Status::Future => vec!["future"],
        Status::Private => vec!["private"],
        Status::Any => ANY.to_vec(),
    };
    let wanted = Listing {
        status: status.into_iter().map(str::to_owned).collect(),
        search: args.search.as_ref().map(|it| it.as_str().to_owned()),
        modified_after: args.modified_after.map(|day| format!("{day}T23:59:59Z")),
        per_page: limit,
        page: from / limit + 1,
        ..Listing::default()
    };
    let page = at.list(cx, &kind.base, &wanted)?;
    let next = from + limit;
    let next_cursor = (next < page.total).then(|| Cursor::new(next.to_string()));
    let mut degraded: Vec<Degraded> = seo.degraded(&kind.base).into_iter().collect();
    for it in &mut degraded {
        *it = it.clone().supplied_by("cms.site.inspect", json!({ "site_id": target.site.id }));
    }
    let items = page.items.iter().map(|it| shown(cx, &seo, it)).collect();
    Ok(Listed { items, total: page.total, degraded, next_cursor })
}
