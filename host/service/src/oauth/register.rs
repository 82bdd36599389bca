//! Dynamic client registration, RFC 7591: public clients that use a code with PKCE, and no others.

use model::canonical;
use model::id::ClientId;
use serde_json::{Map, Value};
use store::identity::clients::{Client, ClientMetadata};

use crate::oauth::Authority;
use crate::oauth::fault::{Code, Fault};
use crate::oauth::redirect::RedirectUri;
use crate::oauth::throttle::Door;
use crate::oauth::token_request::GrantType;

/// Bytes of a registration, at most.
pub const LONGEST_BODY: usize = 64 * 1024;
const MOST_REDIRECTS: usize = 10;
const LONGEST_NAME: usize = 200;

impl Authority {
    /// Registers a client, or finds the one that has registered the same before, which counts as no try.
    /// `address` is where the request came from; it is counted, not stored.
    ///
    /// # Errors
    /// The faults of RFC 7591 3.2.2, or a wait.
    pub async fn register(&self, body: &[u8], address: &str) -> Result<Client, Fault> {
        let metadata = read(body)?;
        let now = self.clock().now();
        if let Some(client) = self.store().identity.client_like(&metadata, now).await? {
            return Ok(client);
        }
        self.admit(Door::Registration { address }, now).await?;
        self.store().identity.reap_clients(now).await?;
        let id = ClientId::new(self.entropy());
        Ok(self.store().identity.register_client(id, metadata, now).await?)
    }
}

/// Reads a registration. Members that are not ours are ignored (RFC 7591 2).
///
/// # Errors
/// `invalid_redirect_uri` or `invalid_client_metadata`, with what is wrong.
pub fn read(body: &[u8]) -> Result<ClientMetadata, Fault> {
    if body.len() > LONGEST_BODY {
        return Err(Fault::new(Code::TooLarge, "a registration is at most 64 KiB"));
    }
    let members = canonical::read_object(body).map_err(|what| Fault::new(Code::InvalidClientMetadata, what))?;
    let redirect_uris = redirect_uris(&members)?;
    let grant_types = words(&members, "grant_types", &GrantType::names(), &GrantType::names())?;
    let response_types = words(&members, "response_types", &["code"], &["code"])?;
    if !grant_types.iter().any(|name| name == GrantType::AuthorizationCode.name()) {
        return Err(bad("grant_types has to name authorization_code, the only way to a refresh_token"));
    }
    match members.get("token_endpoint_auth_method") {
        None | Some(Value::Null) => {}
        Some(Value::String(method)) if method == "none" => {}
        Some(_) => return Err(bad("token_endpoint_auth_method has to be none: there are no client secrets here")),
    }
    let application_type = text(&members, "application_type")?;
    if !matches!(application_type.as_deref(), None | Some("native" | "web")) {
        return Err(bad("application_type is native or web"));
    }
    let client_name = text(&members, "client_name")?;
    if client_name.as_ref().is_some_and(|name| name.chars().count() > LONGEST_NAME) {
        return Err(bad("client_name is at most 200 characters"));
    }
    Ok(ClientMetadata {
        client_name,
        redirect_uris,
        application_type,
        grant_types,
        response_types,
        token_endpoint_auth_method: "none".to_owned(),
        scope: text(&members, "scope")?,
    })
}

fn redirect_uris(members: &Map<String, Value>) -> Result<Vec<String>, Fault> {
    let fault = |what: &'static str| Fault::new(Code::InvalidRedirectUri, what);
    let Some(Value::Array(items)) = members.get("redirect_uris") else {
        return Err(fault("redirect_uris has to be an array of addresses"));
    };
    if items.is_empty() {
        return Err(fault("redirect_uris has to hold at least one address"));
    }
    if items.len() > MOST_REDIRECTS {
        return Err(bad("redirect_uris holds at most 10 addresses"));
    }
    let read = |item: &Value| {
        let text = item.as_str().ok_or_else(|| fault("a redirect URI has to be a string"))?;
        RedirectUri::read(text).map_err(fault)?;
        Ok(text.to_owned())
    };
    items.iter().map(read).collect()
}

fn words(members: &Map<String, Value>, name: &str, known: &[&str], otherwise: &[&str]) -> Result<Vec<String>, Fault> {
    let items = match members.get(name) {
        None | Some(Value::Null) => return Ok(otherwise.iter().map(|&word| word.to_owned()).collect()),
        Some(Value::Array(items)) if !items.is_empty() => items,
        Some(_) => return Err(bad(format!("{name} has to be an array of {}", known.join(", ")))),
    };
    let read = |item: &Value| match item.as_str() {
        Some(word) if known.contains(&word) => Ok(word.to_owned()),
        _ => Err(bad(format!("{name} may hold {} only", known.join(", ")))),
    };
    items.iter().map(read).collect()
}

fn text(members: &Map<String, Value>, name: &str) -> Result<Option<String>, Fault> {
    match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(bad(format!("{name} has to be a string"))),
    }
}

fn bad(what: impl Into<std::borrow::Cow<'static, str>>) -> Fault {
    Fault::new(Code::InvalidClientMetadata, what)
}

#[cfg(test)]
mod tests;
