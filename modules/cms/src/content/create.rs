//! The operation `cms.content.create`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use serde_json::Value;
use site::Site;
use wordpress::seo;
use wordpress::{Change, Patch, What, Why};

use super::blocks::{cleaned, of_html, of_markdown};
use crate::seo_meta::{SeoChanges, writable};
use crate::shown::{Shown, shown};
use crate::target::{Target, Thing, reference};
use crate::terms::Terms;

/// How a body is written.
#[value]
pub(crate) enum Format {
    Html,
    Markdown,
}

#[args]
pub(crate) struct Create {
    /// The website, as listed.
    site_id: Id<Site>,
    /// `post`, `page` or another type of `cms.site.inspect`.
    #[default("post")]
    r#type: Text<1, 60>,
    /// The title.
    title: Text<1, 300>,
    /// The content. Scripts, styles and forms are left out.
    body: Text<1, 300_000>,
    /// How the content is written.
    #[default("html")]
    format: Format,
    /// Whether HTML becomes blocks of the editor; Markdown always does.
    #[default(true)]
    as_blocks: bool,
    /// The last part of the address; WordPress makes one of the title without it.
    slug: Option<Text<1, 200>>,
    /// Categories and tags.
    terms: Option<Terms>,
    /// SEO fields.
    seo: Option<SeoChanges>,
    /// An author as `authors.list` gives it: the user of WordPress with the same name writes it.
    author_ref: Option<Id<Author>>,
}

/// An author of the customer.
#[foreign(collection = "authors.authors", thing = "author", reference = "author_ref", may_be_missing)]
pub(crate) struct Author {
    pub(crate) firstname: String,
    pub(crate) lastname: String,
}

/// A draft that was made.
#[value]
pub(crate) struct Created {
    item_ref: Id<Thing>,
    item: Shown,
    /// Where it is edited.
    edit_url: String,
    /// Where it is seen by who is signed in there.
    preview_url: String,
    /// The record of the change.
    change_ref: Option<Id<Change>>,
    /// What was changed on the way into the editor.
    #[own]
    warnings: Vec<String>,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Creates a draft post or page with sanitised content, terms, featured image and SEO fields.
///
/// It is a draft, whatever it is about; `cms.content.publish` publishes it after its checks. The same call again under its
/// idempotency key makes nothing twice, also when an answer was lost.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 40),
    side_effects = ["makes a draft in your WordPress, and the categories and tags that it names"],
    needs = ["store", "connection:wordpress"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/wp/v2/types",
        "wordpress GET /wp-json/wp/v2/users",
        "wordpress GET /wp-json/wp/v2/categories",
        "wordpress POST /wp-json/wp/v2/categories change",
        "wordpress GET /wp-json/wp/v2/tags",
        "wordpress POST /wp-json/wp/v2/tags change",
        "wordpress GET /wp-json/wp/v2/posts",
        "wordpress POST /wp-json/wp/v2/posts change",
        "wordpress GET /wp-json/wp/v2/posts/*",
        "wordpress POST /wp-json/wp/v2/posts/* change",
        "wordpress GET /wp-json/wp/v2/pages",
        "wordpress POST /wp-json/wp/v2/pages change",
        "wordpress GET /wp-json/wp/v2/pages/*",
        "wordpress POST /wp-json/wp/v2/pages/* change",
        "wordpress GET /wp-json/wp/v2/product",
        "wordpress POST /wp-json/wp/v2/product change",
        "wordpress GET /wp-json/wp/v2/product/*",
        "wordpress POST /wp-json/wp/v2/product/* change",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress POST /wp-json/rankmath/v1/updateMeta change",
    ],
    phrasings = [
        "create a draft post in wordpress",
        "put this article into my cms",
        "make a new page from this markdown",
        "add a blog post with tags and a meta description",
    ],
    examples = [
        { "site_id": "4503599627370496", "title": "How to clean brass lamps", "body": "# Clean brass\n\nSalt and a soft cloth bring back the shine.", "format": "markdown", "terms": { "categories": ["Guides"], "tags": ["brass"] } }
    ]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let target = Target::of(cx, &args.site_id)?;
    let at = &target.installation;
    let kind = at.kind(cx, args.r#type.as_str())?;
    let seo = seo::detect(cx, at)?;
    let values = args.seo.as_ref().map(|it| it.values("/seo")).transpose()?;
    let author = args
        .author_ref
        .as_ref()
        .map(|id| cx.records::<Author>().get(id).map_err(|it| it.at("/author_ref")))
        .transpose()?;
    let made = match (args.format, args.as_blocks) {
        (Format::Markdown, _) => of_html(&of_markdown(args.body.as_str())),
        (Format::Html, true) => of_html(args.body.as_str()),
        (Format::Html, false) => cleaned(args.body.as_str()),
    };
    let mut warnings = made.warnings;
    let mut degraded = Vec::new();
    let user = match &author {
        Some(author) => {
            let found = user(cx, &target, author)?;
            if found.is_none() {
                warnings.push(
                    "author_unmapped: no user of WordPress has the name of the author; the connection's user writes it"
                        .to_owned(),
                );
            }
            found
        }
        None => None,
    };
    let terms = args.terms.as_ref().map(|it| it.resolved(cx, at)).transpose()?.unwrap_or_default();
    let patch = Patch {
        title: Some(args.title.into_string()),
        content: Some(made.content),
        slug: args.slug.map(Text::into_string),
        author: user,
        terms,
        ..Patch::default()
    };
    let key = kit::text::hex(&cx.random::<4>());
    let why = Why::call(target.site.id.as_str(), "cms.content.create", What::Created, &wordpress::batch(cx));
    let written = wordpress::create(cx, at, &kind.base, &patch, &key, &why)?;
    if let Some(values) = &values {
        let put = writable(&seo, &written.item, values, target.site.id.as_str())
            .and_then(|()| seo::put(cx, &seo, &written.item, values, &Why { what: What::Seo, seq: 1, ..why }));
        if let Err(fault) = put {
            degraded.push(Degraded::new("seo", format!("{}: {}", fault.code, fault.message)));
        }
    }
    if !written.exact {
        warnings.push("the site changed some of what was sent while it stored it".to_owned());
    }
    let home = written.item.link.parse::<Url>().map_or_else(|_| target.site.origin.clone(), |it| kit::url::origin(&it));
    let id = written.item.at.id;
    let item_ref = reference(&written.item);
    let publish = Fix::new("cms.content.publish", json!({ "site_id": target.site.id, "item_ref": item_ref.as_str() }));
    Ok(Created {
        edit_url: format!("{home}/wp-admin/post.php?post={id}&action=edit"),
        preview_url: format!("{home}/?p={id}&preview=true"),
        item: shown(cx, &seo, &written.item),
        item_ref,
        change_ref: written.change,
        warnings,
        next: vec![publish.because("publishes it after its checks")],
        degraded,
    })
}

/// The user of WordPress with the name of an author.
pub(crate) fn user(cx: &Cx, target: &Target, author: &Author) -> Result<Option<u64>> {
    let name = format!("{} {}", author.firstname, author.lastname);
    let request = sdk::Send::get(&target.installation.connection, "/wp-json/wp/v2/users")
        .query("search", &author.lastname)
        .query("per_page", 100)
        .query("_fields", "id,name,slug");
    let found: Vec<Value> = cx.connections().send(&request)?.accepted()?.json()?;
    let slug = name.to_lowercase().replace(' ', "-");
    let is = |it: &&Value| {
        it["name"].as_str().is_some_and(|it| it.eq_ignore_ascii_case(&name)) || it["slug"] == slug.as_str()
    };
    Ok(found.iter().find(is).and_then(|it| it["id"].as_u64()))
}
