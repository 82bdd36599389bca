//! `ai-catalog.json`: where a page says that it is, and whether it is as Agentic Resource Discovery wants it.
//!
//! Source: agenticresourcediscovery.org/spec, 1.0 with ADR-0003, and its conformance test as Lighthouse 13.5.0 has it.

use kit::url::Url as Address;
use sdk::serde_json::Value;
use site::live::Live;

/// Types that are discovered.
const TYPES: [&str; 9] = [
    "application/ai-catalog+json",
    "application/agent-card+json",
    "application/a2a-agent-card+json",
    "application/mcp-server-card+json",
    "application/agent-skills+zip",
    "application/agent-skills+gzip",
    "text/markdown; profile=\"urn:air:agent-skills\"",
    "application/ai-registry",
    "application/ai-registry+json",
];

/// Where a catalog is.
pub(super) struct Signals {
    /// The address that `Agentmap` of robots.txt names.
    pub(super) agentmap: Option<String>,
    /// The address that is looked at.
    pub(super) url: String,
    /// Whether anything names it.
    pub(super) is_explicit: bool,
}

impl Signals {
    /// robots.txt, then `<link>`, then the `Link` header, then the well-known address.
    pub(super) fn of(robots: &[u8], live: &Live, base: &Address) -> Self {
        let whole = |reference: &str| base.join(reference.trim()).ok().map(String::from);
        let robots = String::from_utf8_lossy(robots);
        let agentmap = robots.lines().find_map(|line| {
            let (name, value) = line.trim().split_once(':')?;
            let value = value.split_whitespace().next()?;
            name.trim().eq_ignore_ascii_case("agentmap").then(|| whole(value)).flatten()
        });
        let is_catalog = |rel: &str| rel.split_whitespace().any(|it| it.eq_ignore_ascii_case("ai-catalog"));
        let link = live.dom.elements("link").find(|id| live.dom.attribute(*id, "rel").is_some_and(is_catalog));
        let link = link.and_then(|id| live.dom.attribute(id, "href")).and_then(whole);
        let header = live.facts.headers.all("link").iter().find_map(|value| {
            let rel = value.split(';').skip(1).find_map(|it| it.trim().strip_prefix("rel="))?;
            let target = value.trim().strip_prefix('<')?.split('>').next()?;
            is_catalog(rel.trim_matches('"')).then(|| whole(target)).flatten()
        });
        let named = agentmap.clone().or(link).or(header);
        let is_explicit = named.is_some();
        let url = named.unwrap_or_else(|| format!("{}/.well-known/ai-catalog.json", kit::url::origin(base)));
        Self { agentmap, url, is_explicit }
    }
}

/// What is wrong with a catalog, and what is not as it is recommended.
pub(super) fn validate(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let Ok(data) = sdk::serde_json::from_str::<Value>(text) else {
        return (vec!["the catalog is no JSON".to_owned()], warnings);
    };
    match data["specVersion"].as_str() {
        None => errors.push("specVersion is missing".to_owned()),
        Some("1.0") => {}
        Some(_) => warnings.push("specVersion is not 1.0".to_owned()),
    }
    if data.get("collections").is_some() {
        errors.push("collections at the root were removed in ADR-0003".to_owned());
    }
    let Some(entries) = data["entries"].as_array() else {
        errors.push("entries is missing, or no list".to_owned());
        return (errors, warnings);
    };
    for (at, entry) in entries.iter().enumerate() {
        let text = |name: &str| entry[name].as_str().filter(|it| !it.is_empty());
        let label = text("displayName")
            .or(text("identifier"))
            .map_or_else(|| format!("entry {at}"), |it| kit::text::clip(it, 60).to_owned());
        match text("identifier") {
            None => errors.push(format!("{label}: identifier is missing")),
            Some(it) if !is_urn(it) => {
                errors.push(format!("{label}: identifier is no urn:air:<publisher>:<namespace>:<name>"))
            }
            Some(_) => {}
        }
        if text("displayName").is_none() {
            errors.push(format!("{label}: displayName is missing"));
        }
        match text("type") {
            None => errors.push(format!("{label}: type is missing")),
            Some(it) if !TYPES.contains(&it) => {
                warnings.push(format!("{label}: type is none of those that are discovered"))
            }
            Some(_) => {}
        }
        match (entry.get("url").is_some(), entry.get("data").is_some()) {
            (true, true) => errors.push(format!("{label}: has both url and data")),
            (false, false) => errors.push(format!("{label}: has neither url nor data")),
            _ => {}
        }
        match &entry["representativeQueries"] {
            Value::Null => warnings.push(format!("{label}: no representativeQueries; two to five are recommended")),
            Value::Array(all) => {
                if !(2..=5).contains(&all.len()) {
                    warnings.push(format!("{label}: {} representativeQueries; two to five are recommended", all.len()));
                }
                if all.iter().any(|it| !it.is_string()) {
                    errors.push(format!("{label}: representativeQueries are texts"));
                }
            }
            _ => errors.push(format!("{label}: representativeQueries is no list")),
        }
        match &entry["trustManifest"] {
            Value::Null => {}
            Value::Object(trust) if trust.get("identity").is_none_or(|it| it.as_str().is_none_or(str::is_empty)) => {
                errors.push(format!("{label}: trustManifest has no identity"));
            }
            Value::Object(_) => {}
            _ => errors.push(format!("{label}: trustManifest is no object")),
        }
    }
    (errors, warnings)
}

/// `urn:air:` with a publisher, perhaps namespaces, and a name.
fn is_urn(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("urn:air:") else { return false };
    let parts: Vec<&str> = rest.split(':').collect();
    let plain = |it: &str, more: &str| {
        !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || ".-".contains(it) || more.contains(it))
    };
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    parts.len() >= 2
        && plain(first, "")
        && plain(last, "_")
        && parts[1..parts.len() - 1].iter().all(|it| plain(it, "_"))
}
