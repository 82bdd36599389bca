//! Translation of DNS responses into answers for guests.

use std::net::IpAddr;
use std::time::Duration;

use hickory_net::proto::dnssec::Proof;
use hickory_net::proto::op::{DnsResponse, Message, Query, ResponseCode};
use hickory_net::proto::rr::rdata::TXT;
use hickory_net::proto::rr::rdata::svcb::{SVCB, SvcParamKey, SvcParamValue};
use hickory_net::proto::rr::{Name, RData, Record, RecordType};
use hickory_net::proto::serialize::binary::{BinEncodable as _, BinEncoder, NameEncoding};
use hickory_net::{DnsError, NetError};

use super::super::address::special;
use super::question::word;
use super::{Answer, Entry, Failure, Outcome, Trust};

/// Records of one answer that a guest gets.
const MOST: usize = 512;

/// A response with its validation state.
pub(super) fn validated(said: Result<DnsResponse, NetError>) -> Result<(Message, Trust), Failure> {
    match said {
        Ok(response) => {
            let message = response.into_message();
            let trust = trust(&message);
            Ok((message, trust))
        }
        Err(NetError::Dns(DnsError::Nsec { response, proof, .. })) => Ok((response.into_message(), of_proof(proof))),
        Err(error) => Err(failure(&error)),
    }
}

/// Why a server did not answer.
pub(super) fn failure(error: &NetError) -> Failure {
    match error {
        NetError::Timeout => Failure::Timeout,
        NetError::Io(_) | NetError::NoConnections | NetError::Busy => Failure::Unreachable,
        _ => Failure::Garbled,
    }
}

/// The weakest proof of the records that matter: those of the answer, or those that deny its existence.
fn trust(message: &Message) -> Trust {
    let of_answer = !message.answers.is_empty();
    let records = if of_answer { &message.answers } else { &message.authorities };
    let told = records.iter().filter(|record| record.record_type() != RecordType::RRSIG);
    let weakest = told.map(|record| record.proof).min_by_key(|proof| match proof {
        Proof::Bogus => 0,
        Proof::Indeterminate => 1,
        Proof::Insecure => 2,
        Proof::Secure => 3,
    });
    match weakest {
        Some(proof) => of_proof(proof),
        // A failed server proves nothing. The validator lets an empty answer pass only in an unsigned zone.
        None if message.metadata.response_code == ResponseCode::NoError => Trust::Insecure,
        None => Trust::Indeterminate,
    }
}

fn of_proof(proof: Proof) -> Trust {
    match proof {
        Proof::Secure => Trust::Secure,
        Proof::Insecure => Trust::Insecure,
        Proof::Bogus => Trust::Bogus,
        Proof::Indeterminate => Trust::Indeterminate,
    }
}

/// Translates a response. With `is_open`, records whose addresses are neither public nor open are removed.
pub(super) fn of(message: &Message, query: &Query, is_open: Option<&dyn Fn(IpAddr) -> bool>) -> Answer {
    let code = message.metadata.response_code;
    let wanted =
        |record: &&Record| record.record_type() != RecordType::RRSIG || query.query_type() == RecordType::RRSIG;
    let hidden = |record: &Record| {
        is_open.is_some_and(|is_open| addresses(&record.data).any(|it| special(it).is_some() && !is_open(it)))
    };
    let (mut kept, withheld): (Vec<&Record>, Vec<&Record>) =
        message.answers.iter().filter(wanted).take(MOST).partition(|record| !hidden(record));
    let way = way(message, query);
    kept.sort_by_key(|record| {
        (way.iter().position(|name| **name == record.name).unwrap_or(way.len()), record.record_type())
    });
    let has = |record: &Record| record.record_type() == query.query_type();
    let outcome = match code {
        ResponseCode::NXDomain => Outcome::NoName,
        ResponseCode::NoError if message.answers.iter().any(has) => Outcome::Found,
        ResponseCode::NoError => Outcome::NoData,
        _ => Outcome::Failed,
    };
    Answer {
        outcome,
        code: code.into(),
        entries: kept.into_iter().map(entry).collect(),
        withheld: u32::try_from(withheld.len()).unwrap_or(u32::MAX),
        trust: None,
        authoritative: message.metadata.authoritative,
        took: Duration::ZERO,
    }
}

/// The chain of names from the queried one to the owner of the records, alias by alias (RFC 1034, 3.6.2). Validation
/// splits an answer into record sets and returns them in any order.
fn way<'a>(message: &'a Message, query: &'a Query) -> Vec<&'a Name> {
    let mut way = vec![query.name()];
    while let Some(next) = message.answers.iter().find_map(|record| match &record.data {
        RData::CNAME(alias) if Some(&&record.name) == way.last() => Some(&alias.0),
        _ => None,
    }) {
        if way.contains(&next) {
            break;
        }
        way.push(next);
    }
    way
}

/// The addresses in a record.
fn addresses(data: &RData) -> impl Iterator<Item = IpAddr> + '_ {
    let (mut found, hints) = match data {
        RData::A(address) => (vec![IpAddr::V4(address.0)], None),
        RData::AAAA(address) => (vec![IpAddr::V6(address.0)], None),
        RData::SVCB(binding) => (Vec::new(), Some(binding)),
        RData::HTTPS(binding) => (Vec::new(), Some(&binding.0)),
        _ => (Vec::new(), None),
    };
    for (_, value) in hints.iter().flat_map(|binding| &binding.svc_params) {
        match value {
            SvcParamValue::Ipv4Hint(hint) => found.extend(hint.0.iter().map(|address| IpAddr::V4(address.0))),
            SvcParamValue::Ipv6Hint(hint) => found.extend(hint.0.iter().map(|address| IpAddr::V6(address.0))),
            _ => {}
        }
    }
    found.into_iter()
}

fn entry(record: &Record) -> Entry {
    Entry {
        name: record.name.to_ascii(),
        kind: word(record.record_type()),
        ttl: record.ttl,
        text: text(&record.data),
        data: data(&record.data),
    }
}

/// The presentation form (RFC 1035, 5.1, and RFC 3597, 5).
fn text(data: &RData) -> String {
    match data {
        RData::TXT(strings) => quoted(strings),
        RData::SVCB(service) => binding(service),
        RData::HTTPS(service) => binding(&service.0),
        RData::Unknown { rdata, .. } => {
            let bytes = &rdata.anything;
            format!("\\# {} {}", bytes.len(), model::token::hex(bytes)).trim_end().to_owned()
        }
        data => data.to_string(),
    }
}

/// A binding of a service (RFC 9460, 2.1), whose lists end without a comma and whose empty values have no sign before them.
fn binding(service: &SVCB) -> String {
    let parameter = |(key, value): &(SvcParamKey, SvcParamValue)| {
        let value = value.to_string();
        match value.trim_end_matches(',') {
            "" => format!(" {key}"),
            value => format!(" {key}={value}"),
        }
    };
    let parameters: String = service.svc_params.iter().map(parameter).collect();
    format!("{} {}{parameters}", service.svc_priority, service.target_name)
}

fn quoted(strings: &TXT) -> String {
    let one = |string: &[u8]| {
        let escaped = string.iter().fold(String::new(), |mut text, byte| {
            match byte {
                b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
                0x20..=0x7e => text.push(char::from(*byte)),
                byte => text.push_str(&format!("\\{byte:03}")),
            }
            text
        });
        format!("\"{escaped}\"")
    };
    strings.txt_data.iter().map(|string| one(string)).collect::<Vec<_>>().join(" ")
}

fn data(data: &RData) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = BinEncoder::new(&mut bytes);
    encoder.set_name_encoding(NameEncoding::Uncompressed);
    match data.emit(&mut encoder) {
        Ok(()) => bytes,
        Err(_) => Vec::new(),
    }
}
