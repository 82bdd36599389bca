//! The provider over HTTP: its discovery document, its keys, and the exchange of a code.

use std::pin::Pin;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use jsonwebtoken::jwk::Jwk;
use model::clock::Moment;
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AsyncHttpClient, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenUrl,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::id_token::{self, Person};
use super::{NotSignedIn, Upstream};

/// For one answer of the provider.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of one answer.
const LONGEST: usize = 512 * 1024;
/// How long what the provider says of itself is believed.
const KEPT: Duration = Duration::from_secs(60 * 60);
/// How often its keys are asked for anew, because of one that is not known.
const KEYS_ANEW: Duration = Duration::from_secs(60);

/// A provider, and what is known of it.
pub struct Provider {
    settings: Upstream,
    http: reqwest::Client,
    known: Mutex<Option<Known>>,
}

/// What a provider says of itself.
#[derive(Clone)]
struct Known {
    document: Document,
    keys: Vec<Jwk>,
    at: std::time::Instant,
}

/// The members of a discovery document that matter (OpenID Connect Discovery 1.0, 3).
#[derive(Clone, Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// What comes beside the tokens.
#[derive(Debug, Serialize, Deserialize)]
struct WithIdToken {
    id_token: String,
}

impl ExtraTokenFields for WithIdToken {}

type Client<Authorize = EndpointNotSet, Token = EndpointNotSet> = oauth2::Client<
    BasicErrorResponse,
    StandardTokenResponse<WithIdToken, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    Authorize,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    Token,
>;

/// Why the provider could not be asked, for the log; never with what it said.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    #[error("its answer is too long")]
    TooLong,
    #[error("its answer cannot be carried on")]
    Malformed,
}

impl Provider {
    /// A provider that is asked when somebody first signs in.
    ///
    /// # Errors
    /// When the issuer is not https (or http on this machine), or the TLS library refuses its own defaults.
    pub fn new(settings: Upstream) -> Result<Self, String> {
        if !is_safe(&settings.issuer) {
            return Err(format!("the issuer {} has to be https", settings.issuer));
        }
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(PATIENCE)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { settings, http, known: Mutex::default() })
    }

    /// As set up.
    pub fn settings(&self) -> &Upstream {
        &self.settings
    }

    /// Where a browser is sent.
    pub(super) async fn address(
        &self,
        state: String,
        verifier: String,
        nonce: String,
        redirect: &str,
    ) -> Result<String, NotSignedIn> {
        let client = self.client(&self.known().await?.document, redirect)?;
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(verifier));
        let request = client
            .authorize_url(|| CsrfToken::new(state))
            .add_scopes(["openid", "email"].map(|scope| Scope::new(scope.to_owned())))
            .add_extra_param("nonce", nonce)
            .set_pkce_challenge(challenge);
        Ok(request.url().0.into())
    }

    /// RFC 9207 2.4: an answer of another provider is not taken for this one's.
    pub(super) async fn check_issuer(&self, said: Option<&str>) -> Result<(), NotSignedIn> {
        let document = self.known().await?.document;
        match said {
            Some(issuer) if issuer == document.issuer => Ok(()),
            None if !document.authorization_response_iss_parameter_supported => Ok(()),
            Some(_) | None => Err(unverified("the answer is of another issuer")),
        }
    }

    /// Exchanges a code, and verifies who came with it.
    pub(super) async fn person(
        &self,
        code: &str,
        verifier: String,
        nonce: &str,
        redirect: &str,
        now: Moment,
    ) -> Result<Person, NotSignedIn> {
        let client = self.client(&self.known().await?.document, redirect)?;
        let http = Http(self.http.clone());
        let exchange = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier))
            .request_async(&http);
        let answer = exchange.await.map_err(|_| unverified("the code could not be exchanged"))?;
        let token = &answer.extra_fields().id_token;
        let expected =
            id_token::Expected { issuer: &self.settings.issuer, client_id: &self.settings.client_id, nonce, now };
        let keys = self.keys_for(token).await?;
        id_token::verify(token, &keys, &expected).map_err(unverified)
    }

    /// The keys, asked for anew when none of them signed this token: providers rotate theirs.
    async fn keys_for(&self, token: &str) -> Result<Vec<Jwk>, NotSignedIn> {
        let known = self.known().await?;
        if id_token::key(token, &known.keys).is_some() || known.at.elapsed() < KEYS_ANEW {
            return Ok(known.keys);
        }
        Ok(self.discover().await?.keys)
    }

    async fn known(&self) -> Result<Known, NotSignedIn> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known.filter(|known| known.at.elapsed() < KEPT) {
            Some(known) => Ok(known),
            None => self.discover().await,
        }
    }

    async fn discover(&self) -> Result<Known, NotSignedIn> {
        let address = format!("{}/.well-known/openid-configuration", self.settings.issuer.trim_end_matches('/'));
        let document: Document = self.get(&address).await?;
        if document.issuer != self.settings.issuer {
            return Err(unverified("the discovery document is of another issuer"));
        }
        for endpoint in [&document.authorization_endpoint, &document.token_endpoint, &document.jwks_uri] {
            if !is_safe(endpoint) {
                return Err(unverified("the discovery document names an address that is not https"));
            }
        }
        let set: Value = self.get(&document.jwks_uri).await?;
        let keys = set["keys"].as_array().into_iter().flatten();
        // A key of a kind that is not known here is not needed either.
        let keys = keys.filter_map(|key| serde_json::from_value(key.clone()).ok()).collect();
        let known = Known { document, keys, at: std::time::Instant::now() };
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(known.clone());
        Ok(known)
    }

    fn client(&self, document: &Document, redirect: &str) -> Result<Client<EndpointSet, EndpointSet>, NotSignedIn> {
        let wrong = |_| unverified("an address of the discovery document is not one");
        let mut client = <Client>::new(ClientId::new(self.settings.client_id.clone()))
            .set_auth_uri(AuthUrl::new(document.authorization_endpoint.clone()).map_err(wrong)?)
            .set_token_uri(TokenUrl::new(document.token_endpoint.clone()).map_err(wrong)?)
            .set_redirect_uri(RedirectUrl::new(redirect.to_owned()).map_err(wrong)?);
        if let Some(secret) = &self.settings.client_secret {
            client = client.set_client_secret(ClientSecret::new(secret.reveal().to_owned()));
        }
        Ok(client)
    }

    async fn get<T: serde::de::DeserializeOwned>(&self, address: &str) -> Result<T, NotSignedIn> {
        let request = http::Request::get(address).header("accept", "application/json").body(Vec::new());
        let request = request.map_err(|_| unverified("an address of the provider is not one"))?;
        let answer = ask(self.http.clone(), request).await.map_err(|trouble| {
            tracing::warn!(error = %trouble, "the OpenID provider could not be asked");
            NotSignedIn::Unverified
        })?;
        if !answer.status().is_success() {
            return Err(unverified("a document of the provider was refused"));
        }
        serde_json::from_slice(answer.body()).map_err(|_| unverified("a document of the provider is not one"))
    }
}

/// How the OAuth client asks.
struct Http(reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Trouble;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Trouble>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(ask(self.0.clone(), request))
    }
}

async fn ask(http: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, Trouble> {
    let mut answer = http.execute(request.try_into()?).await.map_err(reqwest::Error::without_url)?;
    let mut response = http::Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        response = response.header(name, value);
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST {
            return Err(Trouble::TooLong);
        }
    }
    response.body(body).map_err(|_| Trouble::Malformed)
}

/// Logs what was wrong, in words of ours, and says that nobody is signed in.
fn unverified(what: &'static str) -> NotSignedIn {
    tracing::warn!(what, "a sign-in with the OpenID provider was refused");
    NotSignedIn::Unverified
}

/// https, or http on this machine for development.
fn is_safe(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    match (url.scheme(), url.host()) {
        ("https", Some(_)) => true,
        ("http", Some(url::Host::Domain(name))) => name == "localhost",
        ("http", Some(url::Host::Ipv4(ip))) => ip.is_loopback(),
        ("http", Some(url::Host::Ipv6(ip))) => ip.is_loopback(),
        _ => false,
    }
}
