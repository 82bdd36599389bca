//! Who else a page loads from.

use std::collections::BTreeMap;

use super::ThirdParty;
use super::gather::Loaded;

/// Names and categories of domains that many websites load from, as of 2026-11. Domains of one company stand beside each other.
const KNOWN: [(&str, &str, &str); 60] = [
    ("google-analytics.com", "Google Analytics", "analytics"),
    ("analytics.google.com", "Google Analytics", "analytics"),
    ("googletagmanager.com", "Google Tag Manager", "tag_manager"),
    ("googlesyndication.com", "Google ads", "advertising"),
    ("doubleclick.net", "Google ads", "advertising"),
    ("googleadservices.com", "Google ads", "advertising"),
    ("googleapis.com", "Google APIs", "library"),
    ("gstatic.com", "Google static files", "library"),
    ("google.com", "Google", "other"),
    ("youtube.com", "YouTube", "video"),
    ("ytimg.com", "YouTube", "video"),
    ("vimeo.com", "Vimeo", "video"),
    ("vimeocdn.com", "Vimeo", "video"),
    ("wistia.com", "Wistia", "video"),
    ("facebook.net", "Meta", "advertising"),
    ("facebook.com", "Meta", "social"),
    ("instagram.com", "Instagram", "social"),
    ("twitter.com", "X", "social"),
    ("linkedin.com", "LinkedIn", "social"),
    ("licdn.com", "LinkedIn", "advertising"),
    ("pinterest.com", "Pinterest", "social"),
    ("pinimg.com", "Pinterest", "social"),
    ("tiktok.com", "TikTok", "advertising"),
    ("snapchat.com", "Snapchat", "advertising"),
    ("bing.com", "Microsoft Advertising", "advertising"),
    ("clarity.ms", "Microsoft Clarity", "analytics"),
    ("hotjar.com", "Hotjar", "analytics"),
    ("mouseflow.com", "Mouseflow", "analytics"),
    ("fullstory.com", "FullStory", "analytics"),
    ("segment.com", "Segment", "analytics"),
    ("mixpanel.com", "Mixpanel", "analytics"),
    ("amplitude.com", "Amplitude", "analytics"),
    ("matomo.cloud", "Matomo", "analytics"),
    ("plausible.io", "Plausible", "analytics"),
    ("newrelic.com", "New Relic", "monitoring"),
    ("nr-data.net", "New Relic", "monitoring"),
    ("sentry.io", "Sentry", "monitoring"),
    ("sentry-cdn.com", "Sentry", "monitoring"),
    ("datadoghq.com", "Datadog", "monitoring"),
    ("hubspot.com", "HubSpot", "marketing"),
    ("hs-scripts.com", "HubSpot", "marketing"),
    ("hsforms.net", "HubSpot", "marketing"),
    ("klaviyo.com", "Klaviyo", "marketing"),
    ("mailchimp.com", "Mailchimp", "marketing"),
    ("criteo.com", "Criteo", "advertising"),
    ("taboola.com", "Taboola", "advertising"),
    ("outbrain.com", "Outbrain", "advertising"),
    ("amazon-adsystem.com", "Amazon ads", "advertising"),
    ("intercom.io", "Intercom", "chat"),
    ("intercomcdn.com", "Intercom", "chat"),
    ("zendesk.com", "Zendesk", "chat"),
    ("zdassets.com", "Zendesk", "chat"),
    ("tawk.to", "tawk.to", "chat"),
    ("cookiebot.com", "Cookiebot", "consent"),
    ("cookielaw.org", "OneTrust", "consent"),
    ("usercentrics.eu", "Usercentrics", "consent"),
    ("jsdelivr.net", "jsDelivr", "library"),
    ("cdnjs.cloudflare.com", "cdnjs", "library"),
    ("unpkg.com", "unpkg", "library"),
    ("typekit.net", "Adobe Fonts", "font"),
];

/// The registrable domain of an address.
pub(super) fn domain(url: &str) -> String {
    let host = kit::url::Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_owned)).unwrap_or_default();
    kit::url::registrable_domain(&host).unwrap_or(&host).to_owned()
}

/// What is known of a domain.
fn known(url: &str, domain: &str) -> Option<(&'static str, &'static str)> {
    let by_host = KNOWN.iter().find(|it| url.contains(&format!("//{}/", it.0)));
    by_host.or_else(|| KNOWN.iter().find(|it| it.0 == domain)).map(|it| (it.1, it.2))
}

/// Sums by domain, the heaviest first.
pub(super) fn sums(loaded: &[Loaded], is_third: &dyn Fn(&str) -> bool) -> Vec<ThirdParty> {
    let mut all: BTreeMap<String, ThirdParty> = BTreeMap::new();
    for it in loaded.iter().filter(|it| is_third(&it.url)) {
        let domain = domain(&it.url);
        let told = known(&it.url, &domain);
        let of = all.entry(domain.clone()).or_insert_with(|| ThirdParty {
            domain,
            name: told.map(|it| it.0.to_owned()),
            category: told.map(|it| it.1.to_owned()),
            files: 0,
            bytes: 0,
            blocking_files: 0,
        });
        of.files += 1;
        of.bytes += it.bytes;
        of.blocking_files += u64::from(it.blocking);
    }
    let mut out: Vec<ThirdParty> = all.into_values().collect();
    out.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.domain.cmp(&b.domain)));
    out
}
