//! Whether a signed domain stays reachable: each server has to have a key that the parent vouches for (RFC 4035, 2.4).

use sdk::prelude::*;
use sdk::{DnsFailure, Entry, Outcome, Question};

use crate::registrar::DsRecord;

/// The keys that the parent vouches for, by what the resolver says.
///
/// # Errors
/// 503 `dns_unknown` where nobody answers: then nobody knows whether the domain is signed.
pub(crate) fn delegated(cx: &Cx, domain: &str) -> Result<Vec<DsRecord>> {
    match cx.dns().lookup(&Question::new(domain, "DS")) {
        Ok(answer) if answer.outcome != Outcome::Failed => {
            Ok(answer.entries.iter().filter(|it| it.kind == "DS").filter_map(|it| of_text(&it.text)).collect())
        }
        Ok(_) | Err(_) => {
            let message = "the name system did not say whether the domain is signed; try again";
            Err(Fault::unavailable("dns_unknown", message))
        }
    }
}

/// The first new server that lacks a key which the parent vouches for; none where the domain is not signed or all have it.
///
/// # Errors
/// 503 `dns_unknown`.
pub(super) fn broken_by(cx: &Cx, domain: &str, servers: &[String]) -> Result<Option<String>> {
    let delegated = delegated(cx, domain)?;
    if delegated.is_empty() {
        return Ok(None);
    }
    let Ok(authority) = cx.dns().ask(&Question::new(domain, "DNSKEY"), servers) else {
        return Ok(servers.first().cloned());
    };
    let has_key = |answer: &Result<sdk::DnsAnswer, DnsFailure>| {
        let Ok(answer) = answer else { return false };
        answer.entries.iter().filter(|it| it.kind == "DNSKEY").any(|it| delegated.iter().any(|ds| fits(domain, it, ds)))
    };
    Ok(authority.servers.iter().find(|it| !has_key(&it.answer)).map(|it| it.server.clone()))
}

/// A DS in presentation form (RFC 4034, 5.3).
pub(crate) fn of_text(text: &str) -> Option<DsRecord> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [tag, algorithm, kind, digest @ ..] = parts.as_slice() else { return None };
    Some(DsRecord {
        key_tag: tag.parse().ok()?,
        algorithm: algorithm.parse().ok()?,
        digest_type: kind.parse().ok()?,
        digest: digest.concat().to_ascii_lowercase(),
    })
}

/// The tag of a key (RFC 4034, appendix B) from its data on the wire.
pub(crate) fn key_tag(data: &[u8]) -> u16 {
    let sum = data.iter().enumerate().fold(0_u32, |sum, (at, byte)| {
        sum.wrapping_add(if at % 2 == 0 { u32::from(*byte) << 8 } else { u32::from(*byte) })
    });
    u16::try_from((sum + (sum >> 16)) & 0xffff).unwrap_or_default()
}

/// The digest of a key by SHA-256 (RFC 4509): over the name on the wire and the key's data.
pub(crate) fn digest(domain: &str, data: &[u8]) -> String {
    let mut bytes = Vec::new();
    for label in domain.trim_end_matches('.').to_ascii_lowercase().split('.') {
        bytes.push(u8::try_from(label.len()).unwrap_or(63));
        bytes.extend_from_slice(label.as_bytes());
    }
    bytes.push(0);
    bytes.extend_from_slice(data);
    kit::text::hex(&kit::text::sha256(&bytes))
}

/// Whether a key is the one that a DS vouches for; of digests other than SHA-256 tag and algorithm have to do.
pub(crate) fn fits(domain: &str, key: &Entry, ds: &DsRecord) -> bool {
    let algorithm = key.data.get(3).copied();
    key_tag(&key.data) == ds.key_tag
        && algorithm == Some(ds.algorithm)
        && (ds.digest_type != 2 || digest(domain, &key.data) == ds.digest)
}

#[cfg(test)]
mod tests {
    use super::{digest, key_tag};

    #[test]
    fn tag_and_digest_are_those_of_the_standard() {
        // RFC 4509, 2.3: the key of dskey.example.com, its tag 60485, its digest by SHA-256.
        let text = [
            "0100030501039e8a247418e318903b215a848acfd5f37f026bd4062db26c774c690968d5d56df8bfda91e6f36d9a2798",
            "88f41333357c5e6029990d10fdf5663062a512763326980a615ddbf17a05ddfcce7e5fb3abcca05a31b0957452d4521e",
            "83870789063115bf97f6c308ccf57cdc9ce7fe10f6ed1bd0cc0660038c50dcdb0feb963c2f17",
        ]
        .concat();
        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("a byte");
        let data: Vec<u8> = (0..text.len()).step_by(2).map(byte).collect();
        assert_eq!(key_tag(&data), 60_485);
        assert_eq!(
            digest("dskey.example.com", &data),
            "d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a"
        );
    }
}
