//! How to tell a challenge for people from a page. A crawler that meets one stops; it never gets around it.

/// Headers that say so outright: name, and the beginning of the value in lower case.
const HEADERS: &[(&str, &str, &str)] = &[
    ("cf-mitigated", "challenge", "cloudflare"),
    ("x-amzn-waf-action", "", "aws_waf"),
    ("x-datadome", "", "datadome"),
    ("x-dd-b", "", "datadome"),
    ("x-vercel-mitigated", "challenge", "vercel"),
    ("x-sucuri-block", "", "sucuri"),
    ("x-px-block", "", "human"),
];

/// Marks of challenge pages, in lower case. They count only in short or refused answers.
const MARKS: &[(&str, &str)] = &[
    ("/cdn-cgi/challenge-platform/", "cloudflare"),
    ("_cf_chl_opt", "cloudflare"),
    ("captcha-delivery.com", "datadome"),
    ("_incapsula_resource", "imperva"),
    ("px-captcha", "human"),
    ("awswafcookiedomainlist", "aws_waf"),
    ("gokuprops", "aws_waf"),
    ("anubis_challenge", "anubis"),
    ("ddos-guard/js-challenge", "ddos_guard"),
    ("/.well-known/ddos-guard/", "ddos_guard"),
    ("sucuri website firewall", "sucuri"),
    ("akamai-challenge", "akamai"),
    ("/_sec/cp_challenge/", "akamai"),
    ("g-recaptcha", "captcha"),
    ("h-captcha", "captcha"),
    ("cf-turnstile", "captcha"),
];

/// How much of a body is looked at.
const LOOKED_AT: usize = 64 * 1024;
/// A page that answers 200 and is longer than this is a page, whatever it embeds (a form with a captcha, say).
const SHORT: usize = 24 * 1024;

/// Who challenges, if this answer is a challenge. Header names in lower case.
#[must_use]
pub fn of_answer(status: u16, headers: &[(String, String)], body: &[u8]) -> Option<&'static str> {
    let refused = matches!(status, 401 | 403 | 405 | 429 | 503);
    for (name, value) in headers {
        for (header, start, who) in HEADERS {
            if name == header && value.to_ascii_lowercase().starts_with(start) && (refused || !start.is_empty()) {
                return Some(who);
            }
        }
    }
    if !refused && (status != 200 || body.len() > SHORT) {
        return None;
    }
    let text = String::from_utf8_lossy(&body[..body.len().min(LOOKED_AT)]).to_ascii_lowercase();
    let (_, who) = MARKS.iter().find(|(mark, _)| text.contains(mark))?;
    // A 200 with a captcha is a challenge only when there is nothing else: no link to follow.
    (refused || (!text.contains("<a ") && *who != "captcha")).then_some(*who)
}

#[cfg(test)]
mod tests;
