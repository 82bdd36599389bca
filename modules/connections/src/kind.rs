//! The operation `connections.kind.list`.

use sdk::prelude::*;
use sdk::{ConnectionKind, EndpointPlace};

use crate::account;
use crate::unlocks::unlocks;

#[args]
pub(crate) struct List {
    /// Only kinds that unlock operations of this module, such as `cms`.
    module: Option<Text<1, 64>>,
}

/// The kinds of accounts that can be connected.
#[value]
pub(crate) struct Kinds {
    kinds: Vec<Kind>,
}

/// A kind of account at a provider.
#[value]
pub(crate) struct Kind {
    /// The value of the argument `kind` of `connections.add`.
    kind: String,
    /// For people.
    title: String,
    /// What it stands in for where an operation takes any of several, such as `dns_provider`.
    group: Option<String>,
    /// How requests say who they are from, the usual way first: `bearer`, `basic`, `header`, `query`, `body`, `oauth`,
    /// `service_account`, `smtp`, `hmac`.
    auth: Vec<String>,
    /// The members of `credentials`.
    fields: Vec<Field>,
    /// Whether an endpoint is needed.
    endpoint: Endpoint,
    /// The least that the account must be permitted at the provider.
    min_permissions: Vec<String>,
    /// Where the provider describes its API or its credentials.
    documentation: String,
    /// How to connect one: by what a person enters, or by a consent at the provider.
    add_with: String,
    /// Whether it can be connected by a consent, with `connections.oauth.start`.
    by_consent: bool,
    /// Whether `connections.test` has something to ask.
    can_be_tested: bool,
    /// Operations that need such a connection, or do more with one.
    unlocks: Vec<String>,
}

/// A member of `credentials`.
#[value]
pub(crate) struct Field {
    /// Its name.
    name: String,
    /// Whether it is never shown again.
    secret: bool,
    /// Whether it may be left out.
    optional: bool,
    /// What it is and where it is found.
    description: String,
}

/// Whether a connection says where the API is.
#[value]
pub(crate) enum Endpoint {
    /// No: the provider has one for everybody.
    Provider,
    /// Only for one that speaks alike.
    Optional,
    /// Yes: each customer has an own one.
    Required,
}

/// Lists supported provider kinds with auth method, fields, minimum provider permissions, documentation address and which operations each unlocks.
///
/// `unlocks` names the operations of the whole catalog; one that the revision in use does not have yet is not found.
/// A kind whose `by_consent` is true can be connected on the provider's own consent page.
#[operation(
    read,
    scope = "account:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "which providers can I connect",
        "what do I need to connect WordPress",
        "which integrations are supported",
        "what permissions does the API key need",
    ],
    examples = [{}, { "module": "cms" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Kinds> {
    let module = args.module.map(|it| format!("{it}."));
    let fits = |it: &Kind| {
        module.as_ref().is_none_or(|module| it.unlocks.iter().any(|operation| operation.starts_with(module.as_str())))
    };
    Ok(Kinds { kinds: cx.vault().kinds().into_iter().map(kind).filter(fits).collect() })
}

fn kind(it: ConnectionKind) -> Kind {
    let field = |it: sdk::ConnectionField| Field {
        name: it.name,
        secret: it.secret,
        optional: it.optional,
        description: it.words,
    };
    Kind {
        unlocks: unlocks(&it.name, it.group.as_deref()).into_iter().map(str::to_owned).collect(),
        add_with: if account::is_entered(&it) { "connections.add" } else { "connections.oauth.start" }.to_owned(),
        by_consent: account::is_consented(&it),
        kind: it.name,
        title: it.title,
        group: it.group,
        auth: it.auth,
        fields: it.fields.into_iter().map(field).collect(),
        endpoint: match it.endpoint {
            EndpointPlace::Provider => Endpoint::Provider,
            EndpointPlace::Either => Endpoint::Optional,
            EndpointPlace::Own => Endpoint::Required,
        },
        min_permissions: it.permissions,
        documentation: it.documentation,
        can_be_tested: it.can_be_probed,
    }
}
