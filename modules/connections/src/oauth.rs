//! The operations `connections.oauth.start` and `connections.oauth.status`.

use sdk::prelude::*;
use sdk::{Consent, ConsentError, ConsentState, json};

use crate::account;
use crate::stored::Connection;

/// A consent at a provider that was asked for.
pub(crate) enum Flow {}

/// The kinds that are connected by a consent.
#[value]
pub(crate) enum Kind {
    GoogleSearchConsole,
    GoogleBusinessProfile,
    Ga4,
    BingWebmaster,
    Gmail,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::GoogleSearchConsole => "google_search_console",
            Kind::GoogleBusinessProfile => "google_business_profile",
            Kind::Ga4 => "ga4",
            Kind::BingWebmaster => "bing_webmaster",
            Kind::Gmail => "gmail",
        }
    }
}

#[args]
pub(crate) struct Start {
    /// What kind of account.
    kind: Kind,
    /// What to call the connection; the kind's title when left out. An expired connection of this kind and name is
    /// renewed.
    name: Option<Text<1, 80>>,
    /// What to ask for, in the provider's words; what the kind needs when left out.
    scopes: Option<List<Text<1, 200>, 0, 20>>,
}

/// A consent that waits for the customer.
#[value]
pub(crate) struct Started {
    /// The reference for `connections.oauth.status`.
    flow_ref: Id<Flow>,
    /// For the customer's browser: a page of this service that says what will be connected, and then the provider's.
    authorize_url: String,
    /// Until when the consent can be given: ten minutes.
    expires_at: Moment,
}

/// Begins the provider's OAuth 2.0 authorization-code flow with PKCE for Google, Bing or mailbox kinds and returns the consent address.
///
/// Nobody but the customer can give the consent: the address leads to a page of this service, which wants them signed
/// in, names the kind, the account and the permissions, and goes on to the provider. `connections.oauth.status` says
/// what came of it. A kind at whose provider this service has no OAuth client is refused with 409.
#[operation(
    write,
    scope = "connections:manage",
    cost = write,
    needs = ["store", "connection:any"],
    side_effects = ["asks for a consent, which waits for ten minutes"],
    phrasings = [
        "connect Google Search Console",
        "link my Google Analytics account",
        "connect my Gmail mailbox",
        "sign in with Bing Webmaster Tools",
        "renew an expired Google connection",
    ],
    examples = [
        { "kind": "google_search_console" },
        { "kind": "gmail", "name": "Sales mailbox" }
    ]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Started> {
    let kind = args.kind.name();
    let title = account::described(cx, kind).map(|it| it.title).unwrap_or_default();
    let name = args.name.map_or(title, |name| name.trim().to_owned());
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(Fault::invalid("/name", "invalid_name", "a name has letters or digits and no control characters"));
    }
    let scopes: Vec<String> = args.scopes.into_iter().flat_map(List::into_vec).map(Text::into_string).collect();
    let consent = cx.vault().ask_consent(kind, &name, &scopes).map_err(|error| refusal(kind, error))?;
    Ok(Started {
        flow_ref: Id::new(consent.reference),
        authorize_url: consent.url,
        expires_at: Moment::from_millis(consent.expires),
    })
}

fn refusal(kind: &str, error: ConsentError) -> Fault {
    match error {
        ConsentError::NoSuchKind | ConsentError::NotByConsent => {
            let message = "accounts of this kind are not connected by a consent";
            Fault::invalid("/kind", "not_by_consent", message).detail(json!({ "add_with": "connections.add" }))
        }
        ConsentError::NoClient => {
            let message = "this service has no OAuth client at this provider: whoever runs it has to register one there \
                           and name it in the file of --connect-clients";
            Fault::conflict("no_provider_client", message).at("/kind").detail(json!({ "kind": kind }))
        }
        ConsentError::Invalid((part, why)) if part == "name" => Fault::invalid("/name", "invalid_name", why),
        ConsentError::Invalid((_, why)) => Fault::invalid("/scopes", "unknown_scope", why),
        ConsentError::Full => {
            let message = "too many consents wait, or no more connections can be added: let some pass or remove one";
            Fault::conflict("too_many_connections", message).detail(json!({ "remove_with": "connections.remove" }))
        }
    }
}

#[args]
pub(crate) struct Status {
    /// As `connections.oauth.start` gave it.
    flow_ref: Id<Flow>,
}

/// How far a consent is.
#[value]
pub(crate) enum State {
    /// The customer has not given it yet.
    Pending,
    /// There is a connection.
    Completed,
    /// The customer said no, here or at the provider.
    Refused,
    /// Its ten minutes are over.
    Expired,
    /// The provider was at fault.
    Failed,
}

/// What went wrong with a consent.
#[value]
pub(crate) enum Code {
    /// The customer said no on this service's page.
    Cancelled,
    /// The customer or the provider said no.
    AccessDenied,
    /// Nobody gave it in time.
    Expired,
    /// The provider refused the request or the code.
    ProviderRefused,
    /// The provider does not know this service as a client.
    InvalidClient,
    /// The provider did not answer as it documents.
    ProviderUnreachable,
    /// The answer was of another provider.
    WrongIssuer,
    /// There are as many connections as there can be.
    TooManyConnections,
    /// The connection that was to be renewed was changed or removed meanwhile.
    ConnectionChanged,
}

/// What went wrong and what to do.
#[value]
pub(crate) struct Trouble {
    /// One word for programs.
    code: Code,
    /// What a person does about it.
    hint: String,
}

/// A consent as it stands.
#[value]
pub(crate) struct Standing {
    state: State,
    /// The connection that came of it.
    connection_ref: Option<Id<Connection>>,
    /// What went wrong; none while it is pending or when nothing did.
    error: Option<Trouble>,
}

/// Reads whether a started provider consent was completed, refused or expired and which connection it produced.
///
/// It can be read for a day.
#[operation(
    read,
    scope = "account:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "did the Google connection work",
        "is the consent given yet",
        "what came of connecting my mailbox",
    ],
    examples = [{ "flow_ref": "flw_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn status(cx: &Cx, args: Status) -> Result<Standing> {
    let consent = cx.vault().get_consent(args.flow_ref.as_str()).ok_or_else(|| {
        let message = format!("there is no consent {:.64}; it can be read for a day", args.flow_ref.as_str());
        Fault::not_found("flow_not_found", message).at("/flow_ref")
    })?;
    Ok(standing(consent))
}

fn standing(consent: Consent) -> Standing {
    let said = consent.error.as_deref();
    let (state, error) = match consent.state {
        ConsentState::Pending => (State::Pending, None),
        ConsentState::Completed => (State::Completed, None),
        ConsentState::Refused => (State::Refused, Some(trouble(said.unwrap_or("access_denied")))),
        ConsentState::Expired => (State::Expired, Some(trouble("expired"))),
        ConsentState::Failed => (State::Failed, Some(trouble(said.unwrap_or_default()))),
    };
    let connection = consent.connection.filter(|_| consent.state == ConsentState::Completed);
    Standing { state, connection_ref: connection.map(Id::new), error }
}

fn trouble(word: &str) -> Trouble {
    let (code, hint) = match word {
        "cancelled" => (Code::Cancelled, "it was cancelled before the provider was asked: start again to connect it"),
        "access_denied" => {
            (Code::AccessDenied, "the permission was denied at the provider: start again and allow it there")
        }
        "expired" => (Code::Expired, "nobody gave the consent within ten minutes: start again"),
        "invalid_client" => (
            Code::InvalidClient,
            "the provider does not accept this service's OAuth client: whoever runs the service has to mend it",
        ),
        "provider_unreachable" => {
            (Code::ProviderUnreachable, "the provider did not answer as it documents: start again in a while")
        }
        "wrong_issuer" => (Code::WrongIssuer, "the answer came from another provider and was not taken: start again"),
        "too_many_connections" => {
            (Code::TooManyConnections, "there are as many connections as there can be: remove one, then start again")
        }
        "connection_changed" => {
            (Code::ConnectionChanged, "the connection was changed or removed meanwhile: start again")
        }
        _ => {
            (Code::ProviderRefused, "the provider refused: see whether the account may use this API, then start again")
        }
    };
    Trouble { code, hint: hint.to_owned() }
}
