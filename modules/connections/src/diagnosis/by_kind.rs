//! The words in which each kind of provider says yes and no to a probe, from its own documentation.

use sdk::serde_json::Value;

use super::{Code, Quota};

/// What an editor is permitted (developer.wordpress.org, Roles and Capabilities).
const EDITOR: [&str; 4] = ["edit_posts", "edit_pages", "publish_posts", "upload_files"];
/// What mail is under in a JMAP session (RFC 8621, 1.3.1).
const JMAP_MAIL: &str = "urn:ietf:params:jmap:mail";

type Known = Option<(Code, &'static str)>;

const REFUSED: &str = "the provider does not accept the credential: make a new one there and enter it with \
                       connections.secret.rotate";
const TOO_OFTEN: &str =
    "the provider takes no more requests now: wait a while, or lower max_rps with connections.update";
const NO_CREDIT: &str = "the account at the provider has no credit left: top it up there";

/// What a body says in the provider's own words. The outer none: nothing that is known here. The inner none: the
/// credential is good, whatever the status.
pub(super) fn known(kind: &str, status: u16, body: &Value) -> Option<Known> {
    match kind {
        "bing_webmaster" => bing(body),
        "cloudflare" => cloudflare(status, body),
        "dataforseo" => dataforseo(body),
        "llm" => llm(status, body),
        "name_com" => (status == 403).then_some(Some((
            Code::WrongAccount,
            "Name.com refuses this address or this account: switch the IP restriction off at API tokens, or add ours",
        ))),
        "porkbun" => porkbun(status, body),
        "wordpress" => wordpress(status, body),
        _ if is_google(kind) => google(kind, status, body),
        _ => None,
    }
}

fn is_google(kind: &str) -> bool {
    kind.starts_with("google_") || matches!(kind, "pagespeed" | "ga4" | "gmail")
}

/// `ErrorCode` of Bing's `ApiErrorCode` enumeration, always with status 400.
fn bing(body: &Value) -> Option<Known> {
    Some(Some(match body["ErrorCode"].as_u64()? {
        3 => (Code::ExpiredCredential, REFUSED),
        4 | 5 => (Code::Quota, TOO_OFTEN),
        6 | 13 | 14 => (
            Code::WrongAccount,
            "this Bing account does not have the site: verify it there, or use the key of the account that has",
        ),
        _ => (Code::ProviderError, "Bing has a failure of its own: try again later"),
    }))
}

/// `errors[].code` of Cloudflare's API, and the state of a token.
fn cloudflare(status: u16, body: &Value) -> Option<Known> {
    if let Some(state @ ("disabled" | "expired")) = body["result"]["status"].as_str() {
        let hint = if state == "expired" { REFUSED } else { "the token is disabled: enable it at Cloudflare" };
        return Some(Some((Code::ExpiredCredential, hint)));
    }
    let code = body["errors"].as_array()?.first()?["code"].as_u64()?;
    match code {
        1_000 | 1_001 | 6_003 | 6_111 | 9_106 | 9_107 | 9_103 | 10_000 | 10_001 => {
            Some(Some((Code::ExpiredCredential, REFUSED)))
        }
        9_109 | 10_002 if status == 403 => Some(Some((
            Code::MissingPermission,
            "the token may not do this: give it Zone Read and DNS Edit for the zone, and check its IP filter",
        ))),
        971 | 10_100 => Some(Some((Code::Quota, TOO_OFTEN))),
        _ => None,
    }
}

/// `status_code` of DataForSEO: 2 is well, 4 is ours, 5 is theirs; also within HTTP 200.
fn dataforseo(body: &Value) -> Option<Known> {
    let code = body["status_code"].as_u64()?;
    Some(match code {
        20_000..=29_999 => return None,
        40_100..=40_103 => Some((Code::ExpiredCredential, REFUSED)),
        40_104 => Some((Code::WrongAccount, "DataForSEO wants this account to be verified first: do it there")),
        40_200 | 40_210 => Some((Code::Quota, NO_CREDIT)),
        40_202 | 40_203 | 40_209 => Some((Code::Quota, TOO_OFTEN)),
        40_204 => {
            Some((Code::MissingPermission, "the account has no access to this API: subscribe to it at DataForSEO"))
        }
        40_207 => Some((Code::WrongAccount, "DataForSEO refuses this address: add ours to the account's IP whitelist")),
        _ => Some((Code::ProviderError, "DataForSEO has a failure of its own: try again later")),
    })
}

/// `error.code` of OpenAI-compatible servers.
fn llm(status: u16, body: &Value) -> Option<Known> {
    match body["error"]["code"].as_str()? {
        "invalid_api_key" | "account_deactivated" => Some(Some((Code::ExpiredCredential, REFUSED))),
        "insufficient_quota" | "billing_hard_limit_reached" => Some(Some((Code::Quota, NO_CREDIT))),
        "rate_limit_exceeded" => Some(Some((Code::Quota, TOO_OFTEN))),
        "unsupported_country_region_territory" if status == 403 => {
            Some(Some((Code::ProviderError, "the provider does not serve this region: use another endpoint")))
        }
        _ => None,
    }
}

/// `status` and `message` of Porkbun; a wrong key is a 400.
fn porkbun(status: u16, body: &Value) -> Option<Known> {
    if body["status"] != "ERROR" {
        return None;
    }
    let message = body["message"].as_str().unwrap_or_default().to_ascii_lowercase();
    Some(Some(if message.contains("api key") || message.contains("apikey") {
        (Code::ExpiredCredential, REFUSED)
    } else if status == 503 || message.contains("too many") || message.contains("slow down") {
        (Code::Quota, TOO_OFTEN)
    } else if message.contains("not opted in") || message.contains("api access") {
        (Code::MissingPermission, "switch API access on for the domain at Porkbun, then test again")
    } else {
        (Code::ProviderError, "Porkbun refuses the request: see whether the account is in order there")
    }))
}

/// `code` of a WordPress error object.
fn wordpress(status: u16, body: &Value) -> Option<Known> {
    let code = body["code"].as_str()?;
    Some(Some(match code {
        "incorrect_password"
        | "invalid_username"
        | "invalid_email"
        | "rest_not_logged_in"
        | "application_passwords_disabled"
        | "application_passwords_disabled_for_user" => (Code::ExpiredCredential, REFUSED),
        "rest_no_route" => (
            Code::ProviderError,
            "the site's REST API is switched off or has no such route: check plugins that hide it, and permalinks",
        ),
        "rest_disabled" | "rest_login_required" => {
            (Code::MissingPermission, "a plugin closes the site's REST API: let it through for this user")
        }
        _ if status == 403 => {
            (Code::MissingPermission, "the user may not do this: use one with the role Editor or Administrator")
        }
        _ if status >= 500 => (Code::ProviderError, "the site has a failure of its own: look at its error log"),
        _ => return None,
    }))
}

/// `error.details[].reason` and `error.errors[].reason` of Google's APIs (AIP-193).
fn google(kind: &str, status: u16, body: &Value) -> Option<Known> {
    let error = body.get("error")?;
    let all = |list: &'static str| error[list].as_array().into_iter().flatten();
    let mut reasons: Vec<&str> = all("details").chain(all("errors")).filter_map(|it| it["reason"].as_str()).collect();
    reasons.extend(error["status"].as_str());
    let is = |any: &[&str]| reasons.iter().any(|reason| any.contains(reason));
    let message = error["message"].as_str().unwrap_or_default();
    Some(if is(&["API_KEY_INVALID", "keyInvalid", "keyExpired"]) || message.starts_with("API key") {
        Some((Code::ExpiredCredential, REFUSED))
    } else if is(&["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions"]) {
        Some((
            Code::MissingPermission,
            "the consent does not cover this: connect the account again and leave every permission ticked",
        ))
    } else if is(&["SERVICE_DISABLED", "accessNotConfigured", "API_KEY_SERVICE_BLOCKED"]) {
        Some((
            Code::MissingPermission,
            "the API is not enabled for the Google Cloud project, or the key is restricted to others: enable it there",
        ))
    } else if is(&[
        "RATE_LIMIT_EXCEEDED",
        "RESOURCE_EXHAUSTED",
        "rateLimitExceeded",
        "userRateLimitExceeded",
        "quotaExceeded",
        "dailyLimitExceeded",
    ]) {
        Some((Code::Quota, TOO_OFTEN))
    } else if is(&["UNAUTHENTICATED", "authError"]) {
        Some((Code::ExpiredCredential, REFUSED))
    } else if status == 403 {
        Some((
            Code::WrongAccount,
            "this Google account does not have access: use the account that owns it, or have it added there",
        ))
    } else if (kind == "pagespeed" && status == 400) || (kind == "google_indexing" && matches!(status, 400 | 404)) {
        // Only an accepted credential is told that the address is missing.
        None
    } else {
        return None;
    })
}

/// What a code of SMTP says of a login (RFC 4954, 6); none: it was taken.
pub(super) fn smtp(code: u16) -> Option<(Code, &'static str)> {
    match code {
        235 => None,
        530 | 534 | 538 => Some((
            Code::MissingPermission,
            "the server permits no login by password: permit it for this account, or make an app password",
        )),
        _ => Some((
            Code::ProviderError,
            "the server refuses this service: see whether the account is in order there, and whether it takes mail \
             from anywhere",
        )),
    }
}

/// Whether a body has the form that the provider documents for its probe.
pub(super) fn is_documented(kind: &str, body: &Value) -> bool {
    match kind {
        "wordpress" => body["id"].is_u64() && body["capabilities"].is_object(),
        // An account without properties answers an empty object.
        "google_search_console" => body["siteEntry"].is_array() || is_empty(body),
        "google_business_profile" => body["accounts"].is_array() || is_empty(body),
        "google_indexing" => body["url"].is_string() || is_empty(body),
        "pagespeed" => body["lighthouseResult"].is_object() || body["kind"].is_string(),
        "ga4" => body["dimensions"].is_array() || body["metrics"].is_array(),
        "gmail" => body["emailAddress"].is_string(),
        "bing_webmaster" => body["d"].is_array() || body["d"].is_null() && body.get("d").is_some(),
        "dataforseo" => body["status_code"].is_u64() && body["tasks"].is_array(),
        "llm" => body["data"].is_array(),
        "jmap" => body["capabilities"].is_object() && body["apiUrl"].is_string(),
        "cloudflare" => body["success"] == true && body["result"]["status"].is_string(),
        "powerdns" => body["type"] == "Server" && body["id"].is_string(),
        "name_com" => body["username"].is_string(),
        "porkbun" => body["status"] == "SUCCESS",
        "fulfilment" => body["tasks"].is_array(),
        _ => true,
    }
}

fn is_empty(body: &Value) -> bool {
    body.as_object().is_some_and(sdk::serde_json::Map::is_empty)
}

/// What the account may not do and should, as far as its probe tells.
pub(super) fn lacking(kind: &str, body: &Value) -> Vec<String> {
    match kind {
        "wordpress" => {
            let may = |name: &&str| body["capabilities"][*name] != true;
            EDITOR.iter().filter(|it| may(it)).map(|it| (*it).to_owned()).collect()
        }
        "jmap" if body["capabilities"].get(JMAP_MAIL).is_none() => vec![JMAP_MAIL.to_owned()],
        _ => Vec::new(),
    }
}

/// The credit of an account, where its probe tells.
pub(super) fn credit(kind: &str, body: &Value) -> Option<Quota> {
    let money = (kind == "dataforseo").then(|| &body["tasks"][0]["result"][0]["money"])?;
    let remaining = Some(money["balance"].as_f64()?);
    Some(Quota { limit: money["total"].as_f64(), remaining, unit: "usd".to_owned(), retry_after: None })
}
