//! The records of each template, made of what the zone holds and what the call says.

use kit::mailauth::{dkim, spf};
use sdk::prelude::*;
use sdk::{Degraded, json};

use super::{Template, Values};
use crate::asking::Asking;
use crate::dns::health::records::AUTHORITIES;
use crate::email_auth::USUAL;
use crate::zone::plan::{Record, single};
use crate::zone::wanted::record;
use crate::zone::{Held, Zone};

/// Questions about the mail of the domain.
const QUESTIONS: u32 = 60;

/// What a template is made of.
pub(super) struct Recipe<'a> {
    pub(super) cx: &'a Cx,
    pub(super) zone: &'a Zone,
    pub(super) held: &'a [Held],
    pub(super) values: &'a Values,
}

impl Recipe<'_> {
    /// The records.
    ///
    /// # Errors
    /// 422 for a value that is missing or not what the provider shows; 409 `mail_would_be_lost`, `no_address`.
    pub(super) fn records(&self, template: Template, force: bool, degraded: &mut Vec<Degraded>) -> Result<Vec<Record>> {
        Ok(match template {
            Template::GscVerify => vec![self.proof()?],
            Template::GoogleWorkspace => {
                self.alone_at_mx("smtp.google.com", 1)?;
                vec![self.written("@", "MX", "1 smtp.google.com")?, self.sender("include:_spf.google.com")?]
            }
            Template::Microsoft365 => self.microsoft()?,
            Template::DmarcNone => vec![self.dmarc("none", force)?],
            Template::DmarcQuarantine => {
                self.own_mail_passes(force, degraded)?;
                vec![self.dmarc("quarantine", force)?]
            }
            Template::CaaLetsencrypt => self.permissions(degraded)?,
            Template::WwwApex => self.both()?,
        })
    }

    fn written(&self, name: &str, kind: &str, content: &str) -> Result<Record> {
        record(&self.zone.name, (name, kind, content, None, None))
            .map_err(|(_, code, message)| Fault::invalid("/values", code, message))
    }

    fn needed<'v>(&self, name: &str, value: Option<&'v str>) -> Result<&'v str> {
        value.map(str::trim).ok_or_else(|| {
            let message = format!("this template needs {name}; copy it from where the provider shows it");
            Fault::invalid(format!("/values/{name}"), "value_missing", message)
        })
    }

    fn wrong(name: &str, looks: &str) -> Fault {
        Fault::invalid(
            format!("/values/{name}"),
            "value_not_theirs",
            format!("this does not look as the provider shows it: {looks}"),
        )
    }

    fn proof(&self) -> Result<Record> {
        let token = self.needed("token", self.values.token.as_ref().map(Text::as_str))?;
        let token = token.trim_matches('"').trim_start_matches("google-site-verification=");
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=');
        if token.len() < 10 || !token.chars().all(fits) {
            return Err(Self::wrong("token", "letters, digits, - and _"));
        }
        self.written("@", "TXT", &format!("google-site-verification={token}"))
    }

    /// Exchangers of others beside this one would go on taking mail.
    fn alone_at_mx(&self, exchanger: &str, priority: u16) -> Result<()> {
        let others: Vec<&Held> = self
            .held
            .iter()
            .filter(|it| it.r#type == "MX" && it.name.eq_ignore_ascii_case(&self.zone.name))
            .filter(|it| it.key().2 != exchanger)
            .collect();
        if others.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = others.iter().map(|it| &it.record_id).collect();
        let message = format!(
            "{} other exchangers take the domain's mail; delete them with domains.dns.record.delete once the mailboxes have moved, then apply the template (priority {priority})",
            others.len()
        );
        Err(Fault::conflict("records_left", message)
            .at("/template")
            .detail(json!({ "record_ids": ids, "records": others })))
    }

    /// SPF with one more sender before its end; a new one where there is none.
    fn sender(&self, term: &str) -> Result<Record> {
        let own = |it: &&Held| {
            it.name.eq_ignore_ascii_case(&self.zone.name) && single("TXT", &it.name, &it.key().2) == Some("v=spf1")
        };
        let Some(old) = self.held.iter().filter(|it| it.r#type == "TXT").find(own) else {
            return self.written("@", "TXT", &format!("v=spf1 {term} ~all"));
        };
        self.written("@", "TXT", &joined(&old.key().2, term))
    }

    fn microsoft(&self) -> Result<Vec<Record>> {
        let lower = |it: &Text<4, 253>| it.as_str().trim().trim_end_matches('.').to_ascii_lowercase();
        let mx = self.needed("mx", self.values.mx.as_ref().map(Text::as_str))?;
        let mx = mx.trim_end_matches('.').to_ascii_lowercase();
        // Never computed: new tenants have a label of chance under mx.microsoft.
        if !mx.ends_with(".mail.protection.outlook.com") && !mx.ends_with(".mx.microsoft") {
            return Err(Self::wrong("mx", "a name under mail.protection.outlook.com or mx.microsoft"));
        }
        self.alone_at_mx(&mx, 0)?;
        let mut out = vec![self.written("@", "MX", &format!("0 {mx}"))?];
        if let Some(verify) = &self.values.verify {
            let verify = verify.as_str().trim();
            let number = verify.strip_prefix("MS=ms").or_else(|| verify.strip_prefix("ms=ms"));
            if !number.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit())) {
                return Err(Self::wrong("verify", "MS=ms and digits"));
            }
            out.push(self.written("@", "TXT", verify)?);
        }
        out.push(self.sender("include:spf.protection.outlook.com")?);
        out.push(self.written("autodiscover", "CNAME", "autodiscover.outlook.com")?);
        for (selector, name, value) in
            [("selector1", "dkim1", &self.values.dkim1), ("selector2", "dkim2", &self.values.dkim2)]
        {
            let Some(value) = value.as_ref().map(lower) else { continue };
            if !value.ends_with(".onmicrosoft.com") && !value.ends_with(".dkim.mail.microsoft") {
                return Err(Self::wrong(name, "a name under onmicrosoft.com or dkim.mail.microsoft"));
            }
            out.push(self.written(&format!("{selector}._domainkey"), "CNAME", &value)?);
        }
        Ok(out)
    }

    /// DMARC with another policy; its other tags stay. A weaker policy than the one that stands has to be meant.
    fn dmarc(&self, policy: &str, may_weaken: bool) -> Result<Record> {
        let name = format!("_dmarc.{}", self.zone.name);
        let old = self.held.iter().find(|it| {
            it.r#type == "TXT"
                && it.name.eq_ignore_ascii_case(&name)
                && single("TXT", &it.name, &it.key().2) == Some("v=DMARC1")
        });
        let mut tags: Vec<(String, String)> = Vec::new();
        if let Some(old) = old {
            let content = old.key().2;
            let parts = content.split(';').skip(1).filter_map(|it| it.split_once('='));
            tags.extend(parts.map(|(tag, value)| (tag.trim().to_ascii_lowercase(), value.trim().to_owned())));
        }
        let stands = tags.iter().find(|(tag, _)| tag == "p").map(|(_, value)| value.to_ascii_lowercase());
        let strength = |it: &str| ["none", "quarantine", "reject"].iter().position(|known| *known == it);
        if let Some(stands) = stands.as_deref().filter(|it| strength(it) > strength(policy) && !may_weaken) {
            let message =
                format!("the domain's policy is {stands} already, which is stronger; force writes the weaker one");
            return Err(Fault::conflict("weaker_policy", message).at("/template"));
        }
        // Gone from the standard with RFC 9989.
        tags.retain(|(tag, _)| !matches!(tag.as_str(), "p" | "t" | "pct" | "rf" | "ri"));
        tags.insert(0, ("p".to_owned(), policy.to_owned()));
        if self.values.testing == Some(true) {
            tags.push(("t".to_owned(), "y".to_owned()));
        }
        if let Some(rua) = &self.values.rua {
            let rua = rua.as_str().trim().trim_start_matches("mailto:");
            let fits =
                rua.split_once('@').is_some_and(|(local, domain)| !local.is_empty() && kit::mailauth::is_name(domain));
            if !fits || rua.contains([' ', ';', ',', '"']) {
                return Err(Fault::invalid("/values/rua", "invalid_address", "this is no address of mail"));
            }
            tags.retain(|(tag, _)| tag != "rua");
            tags.push(("rua".to_owned(), format!("mailto:{rua}")));
        }
        let text: String = tags.iter().map(|(tag, value)| format!("; {tag}={value}")).collect();
        self.written("_dmarc", "TXT", &format!("v=DMARC1{text}"))
    }

    /// Whether the domain's own mail passes: SPF that receivers can read, or a key of DKIM.
    fn own_mail_passes(&self, force: bool, degraded: &mut Vec<Degraded>) -> Result<()> {
        let domain = &self.zone.name;
        let mut asking = Asking::new(self.cx, QUESTIONS);
        let spf = spf::survey(&mut asking, domain).ok();
        let is_read = |it: &spf::Survey| it.records == 1 && it.flaw.is_none() && it.lookups <= spf::LOOKUPS;
        let mut has_key = false;
        for selector in USUAL {
            if let Ok(Some(key)) = dkim::key(&mut asking, selector, domain) {
                has_key |= key.is_usable();
            }
        }
        if spf.as_ref().is_some_and(is_read) && has_key {
            return Ok(());
        }
        let missing = match (spf.as_ref().is_some_and(is_read), has_key) {
            (false, false) => "neither SPF that receivers can read nor a key of DKIM at a usual selector was found",
            (false, true) => "no SPF that receivers can read was found",
            _ => "no key of DKIM was found at a usual selector",
        };
        if force {
            degraded.push(Degraded::new("mail", format!("{missing}: mail of your own may be put aside")));
            return Ok(());
        }
        let message = format!("{missing}, so that mail of your own may be put aside; mend that first, or set force");
        Err(Fault::conflict("mail_would_be_lost", message).at("/force"))
    }

    /// Permissions for Let's Encrypt, for those that are named, for those that stand, and for who issued what is in use.
    fn permissions(&self, degraded: &mut Vec<Degraded>) -> Result<Vec<Record>> {
        let mut issuers = vec!["letsencrypt.org".to_owned()];
        for (at, it) in self.values.issuers.iter().flat_map(|it| it.iter()).enumerate() {
            let name = it.as_str().trim().to_ascii_lowercase();
            if !kit::mailauth::is_name(&name) {
                let message = "an authority is named by its domain, such as pki.goog";
                return Err(Fault::invalid(format!("/values/issuers/{at}"), "invalid_issuer", message));
            }
            issuers.push(name);
        }
        let has = self.held.iter().any(|it| it.r#type == "CAA" && it.name.eq_ignore_ascii_case(&self.zone.name));
        let mut unseen = Vec::new();
        for host in [self.zone.name.clone(), format!("www.{}", self.zone.name)] {
            match self.cx.tls().inspect(&host, 443) {
                Ok(seen) => {
                    let issuer = seen.chain.first().map(|it| it.issuer.to_lowercase()).unwrap_or_default();
                    match AUTHORITIES.iter().find(|(name, _)| issuer.contains(name)) {
                        Some((_, ids)) => issuers.extend(ids.first().map(|&it| it.to_owned())),
                        None => unseen.push(format!("{host} (an authority that has no known name here)")),
                    }
                }
                Err(_) => unseen.push(host),
            }
        }
        if !unseen.is_empty() && !has {
            let why = format!(
                "the certificates of {} were not looked at: name their authorities in issuers",
                unseen.join(", ")
            );
            degraded.push(Degraded::new("issuers", why));
        }
        issuers.sort();
        issuers.dedup();
        issuers.iter().map(|it| self.written("@", "CAA", &format!("0 issue \"{it}\""))).collect()
    }

    /// The website at both names: what has no record yet leads to what has.
    fn both(&self) -> Result<Vec<Record>> {
        let www = format!("www.{}", self.zone.name);
        let at = |name: &str| -> Vec<&Held> {
            let leads =
                |it: &&Held| it.name.eq_ignore_ascii_case(name) && matches!(it.r#type.as_str(), "A" | "AAAA" | "CNAME");
            self.held.iter().filter(leads).collect()
        };
        let (apex, below) = (at(&self.zone.name), at(&www));
        let mut out: Vec<Record> = apex.iter().chain(&below).map(|it| it.record()).collect();
        match (apex.is_empty(), below.is_empty()) {
            (false, false) => {}
            (false, true) => out.push(self.written("www", "CNAME", &format!("{}.", self.zone.name))?),
            (true, false) if below.iter().all(|it| it.r#type != "CNAME") => {
                for it in below {
                    out.push(self.written("@", &it.r#type, &it.content)?);
                }
            }
            (true, false) if self.zone.is_cloudflare() => out.push(self.written("@", "CNAME", &format!("{www}."))?),
            _ => {
                let message =
                    "neither name leads to an address that the other could have: add an A record of the domain first";
                return Err(Fault::conflict("no_address", message).at("/template"));
            }
        }
        Ok(out)
    }
}

/// A term before the end of SPF; as it is where it has the term.
fn joined(record: &str, term: &str) -> String {
    let mut terms: Vec<&str> = record.split(' ').filter(|it| !it.is_empty()).collect();
    let plain = |it: &str| it.trim_start_matches(['+', '-', '~', '?']).to_ascii_lowercase();
    if terms.iter().any(|it| plain(it) == term) {
        return record.to_owned();
    }
    let end = terms.iter().position(|it| plain(it) == "all" || it.to_ascii_lowercase().starts_with("redirect="));
    terms.insert(end.unwrap_or(terms.len()), term);
    terms.join(" ")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_sender_is_joined_before_the_end() {
        for (record, wanted) in [
            ("v=spf1 -all", "v=spf1 include:x.example -all"),
            ("v=spf1 mx  ~ALL", "v=spf1 mx include:x.example ~ALL"),
            ("v=spf1 include:X.example -all", "v=spf1 include:X.example -all"),
            ("v=spf1 mx", "v=spf1 mx include:x.example"),
            ("v=spf1 redirect=_spf.example", "v=spf1 include:x.example redirect=_spf.example"),
        ] {
            assert_eq!(joined(record, "include:x.example"), wanted);
        }
    }
}
