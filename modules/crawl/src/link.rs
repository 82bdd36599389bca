//! The links of a crawl.

mod selection;

use kit::page::Placement;
use sdk::prelude::*;

use self::selection::{Statuses, Wish};
use crate::run;
use crate::stored::{Linked, Run};

#[args(paged)]
pub(crate) struct ListArgs {
    /// The crawl.
    run_ref: Id<Run>,
    /// Only links of this page.
    source: Option<Url>,
    /// Only links to this address.
    target: Option<Url>,
    /// Only links to addresses that answered with this status; 0 is no answer.
    status: Option<Count<0, 599>>,
    /// Only links with this token in `rel`, such as `nofollow`.
    rel: Option<Text<1, 40>>,
    /// Only links that stand here.
    placement: Option<Wanted>,
    /// Only links that stay on the website, or that leave it.
    scope: Option<Scope>,
}

/// Where a link stands.
#[value]
pub(crate) enum Wanted {
    Nav,
    Header,
    Main,
    Aside,
    Footer,
}

/// Which side of the website's border a link leads to.
#[value]
pub(crate) enum Scope {
    Internal,
    External,
}

/// One link.
#[value]
pub(crate) struct LinkView {
    /// The page that links.
    source: String,
    /// Where it leads.
    target: String,
    /// Its text.
    anchor: String,
    /// The `rel` tokens.
    rel: String,
    /// Where on the page it stands.
    placement: Placement,
    /// Which side of the border it leads to.
    scope: Scope,
    /// What the target answered; null when it was not asked for, 0 without an answer.
    status: Option<u64>,
    /// Whether its text is that of a picture.
    image: bool,
    /// The fragment it leads to.
    fragment: Option<String>,
}

/// Links of a crawl.
#[page]
pub(crate) struct Links {
    /// The links, in the order of pages and of their place on the page.
    links: Vec<LinkView>,
    /// How many there are in all; null when there are too many to be looked through in one call.
    total: Option<u64>,
}

/// Lists links of a crawl by source, target, anchor, rel, placement and target status.
///
/// By source, target, placement or scope alone it is answered at any size. With `status` and neither source nor
/// target, the links to the first 200 addresses of that status are listed. Other selections look through 5,000 links
/// in one call and go on with the cursor.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["which pages link to this url", "list broken links", "external links of the site", "nofollow links in the footer"],
    examples = [{ "run_ref": "run_01", "status": 404 }, { "run_ref": "run_01", "scope": "external", "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Links> {
    let run = run::live(cx, &args.run_ref)?;
    let limit = u64::from(args.limit);
    let wish = Wish {
        source: args.source.as_ref().map(run::normal),
        target: args.target.as_ref().map(run::normal),
        status: args.status.map(u64::from),
        rel: args.rel.map(|rel| rel.as_str().to_ascii_lowercase()),
        placement: args.placement,
        scope: args.scope,
    };
    let (links, total, next_cursor) = if wish.status.is_some() && wish.source.is_none() && wish.target.is_none() {
        selection::by_status(cx, &run.id, &wish, limit, args.cursor)?
    } else if wish.is_indexed() {
        // All links of a large crawl are not counted again for each page of them.
        let total = wish.counted(&run).or_else(|| Some(wish.query(cx, &run.id).count()));
        let page = wish.query(cx, &run.id).page(limit, args.cursor)?;
        (page.items.into_iter().map(Stored::into_inner).collect(), total, page.next)
    } else {
        let known = wish.counted(&run);
        let (links, counted, next) =
            selection::looked_through(cx, &run.id, &wish, limit, args.cursor, known.is_none())?;
        (links, known.or(counted), next)
    };
    let mut statuses = Statuses::default();
    let links = links.into_iter().map(|link| view(cx, run.id.as_str(), link, &mut statuses)).collect();
    Ok(Links { links, total, next_cursor })
}

fn view(cx: &Cx, run: &str, link: Linked, statuses: &mut Statuses) -> LinkView {
    let link = link.0;
    LinkView {
        status: statuses.of(cx, run, &link.target, link.internal),
        source: link.source,
        target: link.target,
        anchor: link.anchor,
        rel: link.rel,
        placement: link.placement,
        scope: if link.internal { Scope::Internal } else { Scope::External },
        image: link.image,
        fragment: link.fragment,
    }
}
