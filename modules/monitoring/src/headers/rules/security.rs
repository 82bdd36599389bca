//! The rules of security policies and cookies.

use super::{Rule, always, html, rule, secure};

/// All of them.
pub(super) const RULES: [Rule; 18] = [
    // Security.
    rule!(
        "csp_missing",
        "security",
        "content-security-policy",
        10,
        "no content security policy: a script that is slipped in runs",
        "send content-security-policy; begin with content-security-policy-report-only",
        html,
        |it| it.has("content-security-policy")
    ),
    rule!(
        "csp_unsafe_inline",
        "security",
        "content-security-policy",
        5,
        "the policy lets all scripts in the page run",
        "name scripts by nonce or hash in place of 'unsafe-inline'",
        |it| it.has("content-security-policy"),
        |it| {
            let scripts = it.policy("script-src").or_else(|| it.policy("default-src")).unwrap_or_default();
            !scripts.contains("'unsafe-inline'") || scripts.contains("'nonce-") || scripts.contains("'sha")
        }
    ),
    rule!(
        "csp_unsafe_eval",
        "security",
        "content-security-policy",
        3,
        "the policy lets texts be run as scripts",
        "leave 'unsafe-eval' out",
        |it| it.has("content-security-policy"),
        |it| !it.low("content-security-policy").contains("'unsafe-eval'")
    ),
    rule!(
        "csp_wildcard",
        "security",
        "content-security-policy",
        4,
        "the policy lets scripts come from anywhere",
        "name the hosts",
        |it| it.has("content-security-policy"),
        |it| !it
            .policy("script-src")
            .or_else(|| it.policy("default-src"))
            .unwrap_or_default()
            .split_whitespace()
            .any(|it| it == "*" || it == "https:" || it == "http:")
    ),
    rule!(
        "csp_object",
        "security",
        "content-security-policy",
        1,
        "the policy does not forbid plugins",
        "add object-src 'none'",
        |it| it.has("content-security-policy"),
        |it| it.policy("object-src").is_some()
            || it.policy("default-src").is_some_and(|it| it.contains("'none'") || it.contains("'self'"))
    ),
    rule!(
        "framing_allowed",
        "security",
        "x-frame-options",
        5,
        "any website may show the page in a frame",
        "send content-security-policy: frame-ancestors 'self', or x-frame-options: SAMEORIGIN",
        html,
        |it| it.has("x-frame-options") || it.policy("frame-ancestors").is_some()
    ),
    rule!(
        "frame_options_unknown",
        "security",
        "x-frame-options",
        2,
        "x-frame-options has a value that browsers do not know",
        "send DENY or SAMEORIGIN",
        |it| it.has("x-frame-options"),
        |it| matches!(it.low("x-frame-options").trim(), "deny" | "sameorigin")
    ),
    rule!(
        "nosniff_missing",
        "security",
        "x-content-type-options",
        4,
        "browsers may guess another type than is declared",
        "send x-content-type-options: nosniff",
        always,
        |it| it.low("x-content-type-options").contains("nosniff")
    ),
    rule!(
        "referrer_policy_missing",
        "security",
        "referrer-policy",
        2,
        "what is told to other websites is left to the browser",
        "send referrer-policy: strict-origin-when-cross-origin",
        html,
        |it| it.has("referrer-policy")
    ),
    rule!(
        "referrer_policy_leaks",
        "security",
        "referrer-policy",
        3,
        "whole addresses are told to every website",
        "send strict-origin-when-cross-origin",
        |it| it.has("referrer-policy"),
        |it| !matches!(it.low("referrer-policy").trim(), "unsafe-url" | "no-referrer-when-downgrade")
    ),
    rule!(
        "permissions_policy_missing",
        "security",
        "permissions-policy",
        1,
        "camera, microphone and place are left to the browser",
        "send permissions-policy: camera=(), microphone=(), geolocation=()",
        html,
        |it| it.has("permissions-policy")
    ),
    rule!(
        "cookie_not_secure",
        "security",
        "set-cookie",
        5,
        "a cookie is sent without encryption too",
        "add Secure to each cookie",
        |it| secure(it) && it.has("set-cookie"),
        |it| it.cookies.iter().all(|it| it.contains("secure"))
    ),
    rule!(
        "cookie_script_readable",
        "security",
        "set-cookie",
        2,
        "scripts can read a cookie of the session",
        "add HttpOnly to it",
        |it| it.has("set-cookie"),
        |it| it
            .cookies
            .iter()
            .filter(|it| ["sess", "sid", "auth", "token"].iter().any(|name| it
                .split('=')
                .next()
                .unwrap_or_default()
                .contains(name)))
            .all(|it| it.contains("httponly"))
    ),
    rule!(
        "cookie_same_site",
        "security",
        "set-cookie",
        1,
        "a cookie does not say whether other websites may have it sent",
        "add SameSite=Lax",
        |it| it.has("set-cookie"),
        |it| it.cookies.iter().all(|it| it.contains("samesite"))
    ),
    rule!(
        "cors_with_credentials",
        "security",
        "access-control-allow-origin",
        6,
        "any website may read the answer, with the visitor's cookies as it says",
        "name the origins that may",
        |it| it.has("access-control-allow-origin"),
        |it| it.get("access-control-allow-origin").trim() != "*"
            || !it.low("access-control-allow-credentials").contains("true")
    ),
    rule!(
        "xss_protection",
        "security",
        "x-xss-protection",
        1,
        "this filter is gone from browsers, and made faults of its own",
        "leave it out, or send 0",
        |it| it.has("x-xss-protection"),
        |it| it.get("x-xss-protection").trim().starts_with('0')
    ),
    rule!(
        "version_told",
        "security",
        "server",
        1,
        "the version of the server is told",
        "tell the name alone",
        |it| it.has("server"),
        |it| !it.get("server").chars().any(|it| it.is_ascii_digit())
    ),
    rule!(
        "powered_by",
        "security",
        "x-powered-by",
        1,
        "what made the page is told to everybody",
        "leave x-powered-by out",
        |it| it.has("x-powered-by"),
        |_| false
    ),
];
