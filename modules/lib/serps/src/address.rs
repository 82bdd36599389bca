//! When two results are the same page.

/// Parameters that only say where a visitor came from.
const TRACKING: [&str; 12] = [
    "gclid", "fbclid", "msclkid", "dclid", "gbraid", "wbraid", "srsltid", "ved", "mc_cid", "mc_eid", "igshid",
    "ref_src",
];

/// An address as results are compared: host without `www.`, path without a trailing slash, and the parameters that are not
/// for tracking; without scheme and fragment. `None` for what is no web address.
#[must_use]
pub fn normal_address(url: &str) -> Option<String> {
    let url = kit::url::Url::parse(url).ok()?;
    let host = url.host_str()?;
    let kept: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !name.starts_with("utm_") && !TRACKING.contains(&name.as_ref()))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    Some(format!("{}{port}{}{query}", host.trim_start_matches("www."), url.path().trim_end_matches('/')))
}

/// The domain that somebody can register of an address, such as `shop.co.uk`; the host where there is none.
#[must_use]
pub fn registrable(url: &str) -> Option<String> {
    let url = kit::url::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(kit::url::registrable_domain(host).unwrap_or(host).to_owned())
}
