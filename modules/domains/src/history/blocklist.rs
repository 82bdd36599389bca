//! DNS lists of bad names (RFC 5782): each proves first that it answers as lists do.

use sdk::prelude::*;
use sdk::{DnsAnswer, DnsFailure, Outcome, Question};

use super::{Listed, Listing};

/// Asks every list that the operator may ask.
pub(super) fn ask(cx: &Cx, domain: &str) -> Vec<Listed> {
    let lists = cx.dns().blocklists();
    // A list of names has TEST and has not INVALID (RFC 5782, 5).
    let questions = lists.iter().flat_map(|list| {
        let list = list.trim_matches('.').to_owned();
        ["TEST", "INVALID", domain].map(|name| Question::new(&format!("{name}.{list}"), "A"))
    });
    let mut answers = cx.dns().lookup_many(questions).into_iter();
    lists
        .iter()
        .map(|list| {
            let mut next = || answers.next().unwrap_or(Err(DnsFailure::Malformed));
            let (test, invalid, own) = (said(next()), said(next()), said(next()));
            let works = matches!(test, Said::Listed(_)) && matches!(invalid, Said::Nothing);
            let (state, answer) = match own {
                _ if !works => (Listing::Unknown, None),
                Said::Listed(answer) => (Listing::Listed, Some(answer)),
                Said::Nothing => (Listing::Clean, None),
                Said::Refused => (Listing::Unknown, None),
            };
            Listed { list: list.clone(), state, answer }
        })
        .collect()
}

enum Said {
    Listed(String),
    Nothing,
    /// Nobody answered, or the list does not answer whoever asks.
    Refused,
}

fn said(answer: Result<DnsAnswer, DnsFailure>) -> Said {
    match answer {
        Ok(answer) if answer.outcome == Outcome::Found => {
            let found = answer.entries.iter().find(|it| it.kind == "A").map(|it| it.text.clone()).unwrap_or_default();
            // Answers of 127.255.255.0/24 say that the question was refused.
            if found.starts_with("127.255.255.") || !found.starts_with("127.") {
                Said::Refused
            } else {
                Said::Listed(found)
            }
        }
        Ok(answer) if matches!(answer.outcome, Outcome::NoName | Outcome::NoData) && answer.withheld == 0 => {
            Said::Nothing
        }
        Ok(_) | Err(_) => Said::Refused,
    }
}
