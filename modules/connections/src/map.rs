//! The operation `connections.property.map`.

use sdk::prelude::*;
use sdk::{ConnectionDetails, Next, json};

use crate::account;
use crate::domain::{self, Fit, Scope};
use crate::property::known_domain;
use crate::stored::{Connection, Mapping, Site};

#[args]
pub(crate) struct Map {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
    /// The property, as `connections.property.list` names it.
    remote_id: Text<1, 300>,
    /// The website, as listed.
    site_id: Id<Site>,
    /// Whether to bind it although the domains differ or cannot be compared.
    #[default(false)]
    force: bool,
}

/// What is bound now.
#[value]
pub(crate) struct Mapped {
    mapping: Stored<Mapping>,
    /// What is odd about it, in words.
    warnings: Vec<String>,
    /// What is worth doing next.
    next: Vec<Next>,
}

/// Binds a remote property to a website so that modules use it by default, refusing a property whose domain does not match unless forced.
///
/// A website has one property of each kind; business locations are the exception, of which it may have many. Binding
/// another one replaces the one before. Domains are compared by the Public Suffix List, with `sc-domain:` and names in
/// any script; a property without a domain, such as a language model, goes with every website.
#[operation(
    write,
    scope = "connections:manage",
    cost = write,
    needs = ["store"],
    side_effects = ["binds a property of a provider to a website, in the place of the one before"],
    phrasings = [
        "use this Search Console property for my website",
        "link a business location to a site",
        "which model should my site use",
        "assign the DNS zone to my website",
    ],
    examples = [{
        "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba",
        "remote_id": "sc-domain:shop.example",
        "site_id": "4503599627370496"
    }]
)]
pub(crate) fn map(cx: &Cx, args: Map) -> Result<Mapped> {
    let connection = account::found(cx, &args.connection_ref)?;
    let site = cx.records::<Site>().get(&args.site_id).map_err(|fault| fault.at("/site_id"))?;
    if !domain::has_properties(&connection.kind) {
        let message = "accounts of this kind have no properties";
        return Err(Fault::conflict("no_properties", message).detail(json!({ "kind": connection.kind })));
    }
    let mut warnings = judged(cx, &connection, &args, &site)?;
    let id = place(&connection.kind, &args);
    let before = cx.records::<Mapping>().find(&id);
    if let Some(before) = before.filter(|it| it.remote_id != args.remote_id.as_str()) {
        warnings.push(format!("it replaces {:.300}", before.remote_id));
    }
    let mapping = Mapping {
        connection_ref: args.connection_ref,
        kind: connection.kind,
        remote_id: args.remote_id.into_string(),
        site_id: args.site_id,
        forced: args.force,
        created_at: cx.now(),
    };
    let mappings = cx.records::<Mapping>();
    mappings.put_many_as([(&id, &mapping)])?;
    let mut next = Vec::new();
    if mapping.kind == "google_search_console" {
        let import = json!({ "site_id": mapping.site_id });
        next.push(Next::new("search_console.sync.run", import, "imports clicks and queries, and goes on every day"));
    }
    Ok(Mapped { mapping: mappings.get(&id)?, warnings, next })
}

/// Whether the property may be bound to the website, and what is odd about it.
fn judged(cx: &Cx, connection: &ConnectionDetails, args: &Map, site: &Stored<Site>) -> Result<Vec<String>> {
    let scope = match domain::scope(&connection.kind, &args.remote_id) {
        Scope::Unknown => known_domain(cx, &args.connection_ref, &args.remote_id).map_or(Scope::Unknown, Scope::Domain),
        scope => scope,
    };
    let differs = match (&scope, scope.fits(&site.domain)) {
        (Scope::Nothing, _) => return Ok(Vec::new()),
        (_, Fit::Same(odd)) => return Ok(odd),
        (Scope::Unknown, Fit::Different) => {
            let message =
                "the domain of this property is not known: list the connection's properties first, or force it";
            Fault::conflict("property_domain_unknown", message)
        }
        (_, Fit::Different) => {
            let name = scope.name().map_or("", Domain::as_str);
            let message = format!("the property is of {name}, the website of {}", site.domain);
            Fault::conflict("domain_mismatch", message).detail(json!({ "property": name, "website": site.domain }))
        }
    };
    if args.force { Ok(vec![format!("forced: {}", differs.message)]) } else { Err(differs.at("/remote_id")) }
}

/// One property of a kind for a website; of business locations as many as there are.
fn place(kind: &str, args: &Map) -> Id<Mapping> {
    let site = args.site_id.as_str();
    if kind == "google_business_profile" {
        // `locations/` and a number, at most 30 characters; what is longer shares a place with its like.
        let location: String = args.remote_id.rsplit('/').next().unwrap_or_default().chars().take(30).collect();
        return Id::new(format!("{kind}-{site:.60}-{location}"));
    }
    Id::new(format!("{kind}-{site:.60}"))
}
