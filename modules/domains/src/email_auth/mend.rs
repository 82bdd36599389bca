//! The call that mends a finding.

use sdk::{Fix, json};

use super::findings::Finding;
use super::proposals::{self, Proposed};

/// Names the call that mends each: the record that is proposed for its name, or the records that stand there.
pub(super) fn mend(findings: &mut [Finding], domain: &str, proposed: &[Proposed]) {
    for it in findings {
        let own: Vec<&Proposed> = proposed.iter().filter(|other| other.name == it.record).collect();
        it.fix = match it.id.as_str() {
            "dnssec_bogus" => Some(Fix::new("domains.dnssec.set", json!({ "domain": domain, "enabled": false }))),
            id if id.starts_with("mx_") => {
                Some(Fix::new("domains.dns.record.list", json!({ "domain": domain, "type": "MX" })))
            }
            _ if !own.is_empty() => Some(proposals::call(domain, own)),
            // What stands twice, or is written wrong, is for its owner to choose from.
            "spf_several" | "spf_unreadable" | "spf_too_many_lookups" | "spf_void" | "dmarc_several" | "dkim_key" => {
                Some(Fix::new("domains.dns.record.list", json!({ "domain": domain, "type": "TXT" })))
            }
            _ => None,
        };
    }
}
