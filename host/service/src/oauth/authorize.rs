//! Reading an authorization request: one pure function with every way it can end.

use model::id::ClientId;
use model::scope::ScopeSet;
use store::identity::clients::Client;
use url::Url;

use crate::oauth::fault::{Code, Fault};
use crate::oauth::form::Parameters;
use crate::oauth::pkce::Challenge;
use crate::oauth::redirect::RedirectUri;

/// What to do with an authorization request.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Show an error and redirect nowhere: who asks, or where the answer belongs, is not certain (RFC 9700 4.11).
    Page(PageFault),
    /// Send the browser back to the client with an error.
    Back(Back),
    /// Ask the customer.
    Ask(Box<AuthorizationRequest>),
}

/// Why no redirect is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFault {
    /// `client_id` is missing or came twice.
    ClientUnclear,
    /// No such client is registered, or not any more.
    ClientUnknown,
    /// `redirect_uri` came twice, or is missing and the client has several.
    RedirectUnclear,
    /// `redirect_uri` is not one of the client's.
    RedirectUnknown,
}

impl PageFault {
    /// What the page says.
    pub fn words(self) -> &'static str {
        match self {
            PageFault::ClientUnclear => "The request does not say which application it comes from.",
            PageFault::ClientUnknown => {
                "The application is not registered here, or its registration has lapsed. \
                 Remove the connection in the application and connect again."
            }
            PageFault::RedirectUnclear => "The request does not say where to return to.",
            PageFault::RedirectUnknown => {
                "The request wants to return to an address that the application has not registered. \
                 Do not continue: the link may not come from the application it names."
            }
        }
    }
}

/// An error on its way to the client.
#[derive(Clone, Debug)]
pub struct Back {
    /// Where to.
    pub redirect_uri: RedirectUri,
    /// As sent.
    pub state: Option<String>,
    /// What is wrong.
    pub fault: Fault,
}

/// A request that may be put before the customer.
#[derive(Clone, Debug)]
pub struct AuthorizationRequest {
    /// Who asks.
    pub client: Client,
    /// Where the answer goes.
    pub redirect_uri: RedirectUri,
    /// Whether the request named it; then the token request has to name it too (RFC 6749 4.1.3).
    pub redirect_given: bool,
    /// As sent.
    pub state: Option<String>,
    /// What is asked for.
    pub scopes: ScopeSet,
    /// What the verifier has to answer.
    pub challenge: Challenge,
    /// The audience.
    pub resource: String,
}

/// The client that a query names, to be looked up before [`decide`].
pub fn named_client(query: &str) -> Option<ClientId> {
    Parameters::read(query).one("client_id").ok().flatten().map(ClientId::from)
}

/// Reads a query. `client` is the registered client it names, `audience` the one resource that tokens are for.
pub fn decide(query: &str, client: Option<Client>, audience: &str) -> Decision {
    let parameters = Parameters::read(query);
    if !matches!(parameters.one("client_id"), Ok(Some(_))) {
        return Decision::Page(PageFault::ClientUnclear);
    }
    let Some(client) = client else { return Decision::Page(PageFault::ClientUnknown) };
    let (redirect_uri, redirect_given) = match destination(&parameters, &client) {
        Ok(found) => found,
        Err(fault) => return Decision::Page(fault),
    };
    let state = parameters.one("state").ok().flatten().map(str::to_owned);
    match ask(&parameters, audience) {
        Ok((challenge, scopes)) => Decision::Ask(Box::new(AuthorizationRequest {
            client,
            redirect_uri,
            redirect_given,
            state,
            scopes,
            challenge,
            resource: audience.to_owned(),
        })),
        Err(fault) => Decision::Back(Back { redirect_uri, state, fault }),
    }
}

fn destination(parameters: &Parameters, client: &Client) -> Result<(RedirectUri, bool), PageFault> {
    let registered = client.metadata.redirect_uris.iter().filter_map(|text| RedirectUri::read(text).ok());
    match parameters.one("redirect_uri").map_err(|_| PageFault::RedirectUnclear)? {
        Some(text) => {
            let asked = RedirectUri::read(text).map_err(|_| PageFault::RedirectUnknown)?;
            let mut registered = registered;
            match registered.any(|known| known.admits(&asked)) {
                true => Ok((asked, true)),
                false => Err(PageFault::RedirectUnknown),
            }
        }
        None => match registered.collect::<Vec<_>>().as_slice() {
            [only] => Ok((only.clone(), false)),
            _ => Err(PageFault::RedirectUnclear),
        },
    }
}

fn ask(parameters: &Parameters, audience: &str) -> Result<(Challenge, ScopeSet), Fault> {
    if let Some(name) = parameters.repeated() {
        return Err(Fault::new(Code::InvalidRequest, format!("{name} is given more than once")));
    }
    match parameters.required("response_type")? {
        "code" => {}
        _ => return Err(Fault::new(Code::UnsupportedResponseType, "response_type has to be code")),
    }
    match parameters.one("response_mode")? {
        None | Some("query") => {}
        Some(_) => return Err(Fault::new(Code::InvalidRequest, "response_mode has to be query")),
    }
    let challenge = parameters
        .one("code_challenge")?
        .ok_or_else(|| Fault::new(Code::InvalidRequest, "code_challenge is missing: PKCE is required"))?;
    match parameters.one("code_challenge_method")? {
        Some("S256") => {}
        _ => return Err(Fault::new(Code::InvalidRequest, "code_challenge_method has to be S256")),
    }
    let challenge = Challenge::read(challenge).ok_or_else(|| {
        Fault::new(Code::InvalidRequest, "code_challenge has to be 43 characters, the base64url of a SHA-256")
    })?;
    check_resource(parameters, audience)?;
    Ok((challenge, scopes(parameters)?))
}

/// Checks `resource` against the one audience; absent means that one (RFC 8707 2).
///
/// # Errors
/// `invalid_target` for any other.
pub fn check_resource(parameters: &Parameters, audience: &str) -> Result<(), Fault> {
    match parameters.same("resource")? {
        None => Ok(()),
        Some(text) if is_same_resource(text, audience) => Ok(()),
        Some(_) => Err(Fault::new(Code::InvalidTarget, format!("resource has to be {audience}"))),
    }
}

/// Equal but for the case of scheme and host, and a port that the scheme implies.
fn is_same_resource(text: &str, audience: &str) -> bool {
    match (Url::parse(text), Url::parse(audience)) {
        (Ok(one), Ok(other)) => one == other && one.fragment().is_none() && !text.ends_with('#'),
        _ => false,
    }
}

fn scopes(parameters: &Parameters) -> Result<ScopeSet, Fault> {
    let Some(text) = parameters.one("scope")? else { return Ok(ScopeSet::default_grant()) };
    let scopes: ScopeSet = text.parse().map_err(|unknown| Fault::new(Code::InvalidScope, format!("{unknown}")))?;
    Ok(if scopes.is_empty() { ScopeSet::default_grant() } else { scopes })
}

#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;
