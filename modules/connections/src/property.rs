//! The operation `connections.property.list`.

mod remote;

use sdk::prelude::*;

use crate::account;
use crate::domain::{Scope, has_properties};
use crate::stored::{Connection, Site};

/// Seconds for which the domain of a listed property is remembered, for those whose identifier does not tell it.
const REMEMBERED: u32 = 86_400;
/// Bytes of a key of the host's cache.
const LONGEST_KEY: usize = 256;

#[args(paged)]
pub(crate) struct List {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
}

/// Properties of a provider.
#[page]
pub(crate) struct Properties {
    properties: Vec<Property>,
}

/// Something that an account can reach.
#[value]
pub(crate) struct Property {
    /// What `connections.property.map` and other operations know it by.
    pub(crate) remote_id: String,
    /// For people.
    pub(crate) label: String,
    /// What the account may do with it, in the provider's own word; none where it does not say.
    pub(crate) permission: Option<String>,
    /// The domain that it is of; none where it has none or it cannot be told.
    pub(crate) domain: Option<String>,
    /// The website that fits best; none when none is of the same domain.
    pub(crate) suggested_site_id: Option<Id<Site>>,
}

/// Lists the remote properties a connection can reach (Search Console sites, business locations, WordPress site, DNS zones, mailboxes, LLM models) and suggests the matching website by registrable domain.
///
/// Kinds whose accounts have no properties, such as `dataforseo` or `smtp`, answer an empty list. Of several websites of
/// one registrable domain the one of the same host is suggested.
#[operation(
    read,
    scope = "account:read",
    cost = live(most = 8),
    needs = ["store", "connection:any"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_business_profile.accounts GET /v1/accounts",
        "google_business_profile GET /v1/accounts/*/locations",
        "ga4.admin GET /v1beta/accountSummaries",
        "bing_webmaster GET /webmaster/api.svc/json/GetUserSites",
        "wordpress GET /wp-json",
        "llm GET /models",
        "gmail GET /gmail/v1/users/me/profile",
        "jmap GET /.well-known/jmap",
        jmap_session,
        "cloudflare GET /client/v4/zones",
        "powerdns GET /api/v1/servers/localhost/zones",
        "name_com GET /core/v1/domains",
        "porkbun POST /api/json/v3/domain/listAll query",
    ],
    phrasings = [
        "which Search Console properties can you see",
        "list my DNS zones",
        "which business locations are in this account",
        "which models does my LLM key have",
        "which domains does my registrar hold",
    ],
    examples = [{ "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba", "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Properties> {
    let connection = account::found(cx, &args.connection_ref)?;
    if !has_properties(&connection.kind) {
        return Ok(Properties { properties: Vec::new(), next_cursor: None });
    }
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let found = remote::list(cx, &connection, limit, args.cursor.as_ref())?;
    let sites: Vec<Stored<Site>> =
        if found.items.is_empty() { Vec::new() } else { cx.records::<Site>().all().scan().collect() };
    let shown = |it: remote::Remote| Property {
        domain: it.scope.name().map(|name| name.as_str().to_owned()),
        suggested_site_id: suggested(&it.scope, &sites),
        remote_id: it.remote_id,
        label: it.label,
        permission: it.permission,
    };
    let properties: Vec<Property> = found.items.into_iter().map(shown).collect();
    if connection.kind == "google_business_profile" {
        for (property, domain) in properties.iter().filter_map(|it| Some((it, it.domain.as_ref()?))) {
            let key = remembered(&args.connection_ref, &property.remote_id);
            if key.len() <= LONGEST_KEY {
                cx.cache().put(&key, domain, REMEMBERED);
            }
        }
    }
    Ok(Properties { properties, next_cursor: found.more })
}

/// The domain of a property that was listed within a day, for those whose identifier does not tell it.
pub(crate) fn known_domain(cx: &Cx, connection: &Id<Connection>, remote_id: &str) -> Option<Domain> {
    let key = remembered(connection, remote_id);
    if key.len() > LONGEST_KEY { None } else { cx.cache().get(&key) }
}

fn remembered(connection: &Id<Connection>, remote_id: &str) -> String {
    format!("property/{connection}/{remote_id}")
}

/// The website that fits best; the older one of two that fit alike.
fn suggested(scope: &Scope, sites: &[Stored<Site>]) -> Option<Id<Site>> {
    let ranked = sites.iter().filter_map(|site| Some((scope.rank(&site.domain)?, site)));
    let best = ranked.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, site)| site.id.clone())
}
