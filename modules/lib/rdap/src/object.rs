//! A domain as a registry or registrar tells of it (RFC 9083, 5.3); persons are left out.

use sdk::prelude::*;
use sdk::serde_json::{self, Value};

/// The most of a list that is read.
const MOST: usize = 50;

/// What is known of a domain.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object {
    /// Who sells the name.
    pub registrar_name: Option<String>,
    /// As IANA numbers registrars.
    pub registrar_id: Option<String>,
    /// The website of the registrar.
    pub registrar_site: Option<String>,
    /// When it was registered first.
    pub created_at: Option<Moment>,
    /// When it was changed last.
    pub changed_at: Option<Moment>,
    /// When it ends, as the registry has it.
    pub expires_at: Option<Moment>,
    /// When it ends, as the registrar has it.
    pub registrar_expires_at: Option<Moment>,
    /// Its statuses (RFC 8056).
    pub statuses: Vec<String>,
    /// Its name servers, in lower case.
    pub nameservers: Vec<String>,
    /// Whether the delegation is signed.
    pub signed: Option<bool>,
    /// What is kept back.
    pub redacted: Vec<String>,
    /// Where the registrar's own answer is.
    related: Option<String>,
}

impl Object {
    /// Reads an answer; none of one that is not about this domain.
    pub fn read(body: &[u8], domain: &str) -> Option<Self> {
        let value: Value = serde_json::from_slice(body).ok()?;
        let name = text(&value["ldhName"]).or_else(|| text(&value["unicodeName"]))?;
        (ascii(&name)? == domain).then(|| Self::of(&value))
    }

    fn of(value: &Value) -> Self {
        let mut out = Self::default();
        for event in list(&value["events"]) {
            let at = text(&event["eventDate"]).and_then(|it| moment(&it));
            match event["eventAction"].as_str().unwrap_or_default() {
                "registration" => out.created_at = out.created_at.or(at),
                "last changed" => out.changed_at = out.changed_at.or(at),
                "expiration" => out.expires_at = out.expires_at.or(at),
                "registrar expiration" => out.registrar_expires_at = out.registrar_expires_at.or(at),
                _ => {}
            }
        }
        out.statuses = list(&value["status"]).iter().filter_map(text).collect();
        out.nameservers = list(&value["nameservers"])
            .iter()
            .filter_map(|it| text(&it["ldhName"]))
            .map(|it| it.trim_end_matches('.').to_ascii_lowercase())
            .collect();
        out.signed = value["secureDNS"]["delegationSigned"].as_bool();
        for entity in list(&value["entities"]) {
            let roles: Vec<&str> = list(&entity["roles"]).iter().filter_map(Value::as_str).collect();
            if roles.contains(&"registrar") {
                out.registrar_name = card(entity, "fn").or_else(|| card(entity, "org"));
                let ids = list(&entity["publicIds"]);
                let of_iana = ids.iter().find(|it| it["type"].as_str().is_some_and(|it| it.contains("IANA")));
                out.registrar_id = of_iana.and_then(|it| text(&it["identifier"]));
                out.registrar_site = card(entity, "url").or_else(|| link(entity, "about", None));
            } else if list(&entity["remarks"]).iter().any(|it| it["title"].as_str().is_some_and(is_redaction)) {
                out.redacted.push(roles.join(", "));
            }
        }
        for it in list(&value["redacted"]) {
            let name = text(&it["name"]["description"]).or_else(|| text(&it["name"]["type"]));
            out.redacted.extend(name);
        }
        out.redacted.sort();
        out.redacted.dedup();
        out.related = link(value, "related", Some("application/rdap+json"));
        out
    }

    /// Where the registrar's own answer is.
    pub fn registrar_url(&self) -> Option<Url> {
        self.related.as_ref()?.parse().ok()
    }

    /// When the registrar says that it ends.
    pub fn registrar_expires_at(&self) -> Option<Moment> {
        self.registrar_expires_at.or(self.expires_at)
    }

    /// Adds what only the registrar tells.
    pub fn add(&mut self, other: Self) {
        self.registrar_name = self.registrar_name.take().or(other.registrar_name);
        self.registrar_id = self.registrar_id.take().or(other.registrar_id);
        self.registrar_site = self.registrar_site.take().or(other.registrar_site);
        self.created_at = self.created_at.or(other.created_at);
        if self.nameservers.is_empty() {
            self.nameservers = other.nameservers;
        }
        self.signed = self.signed.or(other.signed);
        let new: Vec<String> = other.redacted.into_iter().filter(|it| !self.redacted.contains(it)).collect();
        self.redacted.extend(new);
    }
}

/// A name as the name system writes it (UTS 46).
fn ascii(text: &str) -> Option<String> {
    let text = text.trim().strip_suffix('.').unwrap_or(text.trim());
    if text.contains(|c: char| c.is_whitespace() || matches!(c, '/' | ':' | '@' | '?' | '#' | '\\' | '[')) {
        return None;
    }
    Some(kit::url::Url::parse(&format!("http://{text}/")).ok()?.domain()?.to_owned())
}

fn is_redaction(title: &str) -> bool {
    title.to_ascii_uppercase().contains("REDACTED")
}

fn list(value: &Value) -> &[Value] {
    let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
    &all[..all.len().min(MOST)]
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(|it| kit::text::clip(it.trim(), 300).to_owned()).filter(|it| !it.is_empty())
}

/// A property of a card (RFC 7095): `["fn", {}, "text", "A Registrar"]`.
fn card(entity: &Value, property: &str) -> Option<String> {
    let properties = list(&entity["vcardArray"][1]);
    properties.iter().find(|it| it[0] == property).and_then(|it| text(&it[3]))
}

fn link(value: &Value, rel: &str, kind: Option<&str>) -> Option<String> {
    let fits = |it: &&Value| it["rel"] == rel && kind.is_none_or(|kind| it["type"] == kind);
    list(&value["links"]).iter().find(fits).and_then(|it| text(&it["href"]))
}

/// A moment of RFC 3339 in any offset, to the second.
pub fn moment(text: &str) -> Option<Moment> {
    let text = text.trim().replace(' ', "T");
    if let Ok(moment) = text.to_ascii_uppercase().parse::<Moment>() {
        return Some(moment);
    }
    let (day, time) = text.split_once(['T', 't'])?;
    let (time, offset) = match time.rfind(['+', '-']) {
        Some(at) => time.split_at(at),
        None => (time.trim_end_matches(['z', 'Z']), "+00:00"),
    };
    let plain: Moment = format!("{day}T{}Z", time.get(..8)?).parse().ok()?;
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let shift = (hours.parse::<u64>().ok()? * 60 + minutes.parse::<u64>().ok()?) * 60_000;
    Some(Moment::from_millis(if offset.starts_with('-') {
        plain.millis() + shift
    } else {
        plain.millis().checked_sub(shift)?
    }))
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn moments_of_any_offset_are_read() {
        let wanted = "2026-03-01T10:00:00Z".parse().ok();
        for text in
            ["2026-03-01T10:00:00Z", "2026-03-01T12:00:00+02:00", "2026-03-01T04:30:00.5-05:30", "2026-03-01t10:00:00z"]
        {
            assert_eq!(moment(text), wanted, "{text}");
        }
        assert_eq!(moment("yesterday"), None);
    }
}
