//! The operation `cms.site.inspect`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Send, json};
use serde_json::Value;
use site::Site;
use site::live::{self, Reach};
use wordpress::seo::{self, How, Name, Plugin};
use wordpress::{Item, Listing};

use crate::target::Target;

#[args]
pub(crate) struct Inspect {
    /// The website, as listed.
    site_id: Id<Site>,
}

/// A type of items.
#[value]
pub(crate) struct PostType {
    /// What `cms.content.list` takes as `type`.
    #[own]
    r#type: String,
    name: String,
    /// Whether an item can be below another.
    hierarchical: bool,
    taxonomies: Vec<String>,
    /// SEO fields of it that can be read over REST.
    readable_fields: Vec<Name>,
    /// SEO fields of it that can be written over REST.
    writable_fields: Vec<Name>,
}

/// What the user of the connection may do.
#[value]
pub(crate) struct Rights {
    publish: bool,
    upload_media: bool,
    /// Whether scripts stay in a content that the user writes, such as JSON-LD.
    unfiltered_html: bool,
    /// Whether the user can change items of others.
    edit_others: bool,
}

/// The WordPress of a website.
#[value]
pub(crate) struct Inspected {
    /// Its version as the home page names it; null where it does not.
    version: Option<String>,
    /// Its title.
    name: String,
    post_types: Vec<PostType>,
    /// The SEO plugin; null without one that is known.
    seo_plugin: Option<Plugin>,
    /// How its fields are written; null without a plugin.
    seo_how: Option<How>,
    /// SEO fields of posts that can be written.
    writable_fields: Vec<Name>,
    rights: Rights,
    /// Roles of the connection's user.
    #[own]
    roles: Vec<String>,
    /// Whether the Redirection plugin holds redirects.
    has_redirection: bool,
    /// Page builders among the newest items; the content of such items is refused `page_builder`.
    #[own]
    page_builders: Vec<String>,
    /// The text of a small plugin that shows the missing SEO fields over REST; null where none is missing. You install it
    /// under `wp-content/mu-plugins/`.
    #[own]
    bridge: Option<String>,
    /// What stands in the way, the worst first.
    #[own]
    warnings: Vec<String>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Inspects the connected WordPress site over REST: version, post types, taxonomies, rights of the user, SEO plugin and which SEO fields can be written.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 10),
    needs = ["store", "web", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/types",
        "wordpress GET /wp-json/wp/v2/users/me",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress GET /wp-json/rankmath/v1",
    ],
    phrasings = [
        "what can you change on my wordpress",
        "which seo plugin does my wordpress use",
        "can you edit titles and descriptions on my site",
        "check the wordpress connection of my website",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn inspect(cx: &Cx, args: Inspect) -> Result<Inspected> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let seo = seo::detect(cx, at)?;
    let me = Send::get(&at.connection, "/wp-json/wp/v2/users/me").query("context", "edit");
    let me: Value = cx.connections().send(&me)?.accepted()?.json()?;
    let may = |name: &str| me["capabilities"][name] == true;
    let (mut warnings, mut degraded) = (Vec::new(), Vec::new());
    let kinds = at.kinds(cx)?;
    let post_types: Vec<PostType> = kinds
        .into_iter()
        .map(|it| PostType {
            readable_fields: seo.reads(&it.base).to_vec(),
            writable_fields: seo.writes(&it.base).to_vec(),
            r#type: it.slug,
            name: it.name,
            hierarchical: it.hierarchical,
            taxonomies: it.taxonomies,
        })
        .collect();
    let page = |base: &str| at.list(cx, base, &Listing { per_page: 20, with_content: true, ..Listing::default() });
    let (posts, pages) = (page("posts")?, page("pages")?);
    let newest: Vec<Item> = posts.items.into_iter().chain(pages.items).collect();
    let mut page_builders: Vec<String> = newest.iter().filter_map(|it| it.page_builder()).map(str::to_owned).collect();
    page_builders.sort();
    page_builders.dedup();
    // What WordPress says of an item is what counts; the capability of the user alone is not told by every site.
    let unfiltered_html = newest.first().map_or_else(|| may("unfiltered_html"), |it| it.rights.unfiltered_html);
    let rights = Rights {
        publish: may("publish_posts"),
        upload_media: may("upload_files"),
        unfiltered_html,
        edit_others: may("edit_others_posts"),
    };
    let version = match live::fetch(
        cx,
        &target.site.origin.parse().map_err(|_| Fault::conflict("no_origin", "the website has no address"))?,
        Reach::bytes(512 << 10),
    ) {
        Ok(facts) => facts.generator.and_then(|it| it.strip_prefix("WordPress ").map(str::to_owned)),
        Err(_) => None,
    };
    if version.is_none() {
        degraded.push(Degraded::new(
            "version",
            "the home page does not name the version, and the REST interface does not say it",
        ));
    }
    if seo.plugin.is_none() {
        warnings
            .push("no known SEO plugin is active: titles and descriptions of search results cannot be set".to_owned());
    }
    if !rights.edit_others {
        warnings.push("the user cannot change items of others; connect a user with the role Editor".to_owned());
    }
    if !rights.unfiltered_html {
        warnings.push("the user lacks the right `unfiltered_html`: markup in contents is refused".to_owned());
    }
    for builder in &page_builders {
        warnings.push(format!("{builder} makes the content of some items; edits of their content are refused"));
    }
    let has_bridge_to_give = seo.degraded("posts").is_some() || seo.degraded("pages").is_some();
    let bridge = seo.plugin.filter(|_| has_bridge_to_give).and_then(seo::bridge);
    if bridge.is_some() {
        warnings.push(
            "the SEO plugin does not show all of its fields over REST; `bridge` is a plugin that does".to_owned(),
        );
    }
    let list = Fix::new("cms.content.list", json!({ "site_id": target.site.id }))
        .because("lists the posts with their SEO fields");
    Ok(Inspected {
        version,
        name: seo.site.clone(),
        post_types,
        seo_plugin: seo.plugin,
        seo_how: seo.how,
        writable_fields: seo.writes("posts").to_vec(),
        rights,
        roles: me["roles"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
        has_redirection: seo.namespaces.iter().any(|it| it == "redirection/v1"),
        page_builders,
        bridge,
        warnings,
        next: vec![list],
        degraded,
    })
}
