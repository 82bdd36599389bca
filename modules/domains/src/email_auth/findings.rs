//! What is wrong with a domain's mail, the most serious first.

use std::collections::BTreeSet;

use kit::mailauth::dmarc::Wish;
use kit::mailauth::spf::{Branch, Flaw, LOOKUPS, Problem, Qualifier, Survey, VOID};
use kit::mailauth::transport::{SHORTEST, StsRecord};
use kit::mailauth::{dkim, dmarc};
use sdk::prelude::*;
use sdk::{Fix, Severity};

use super::Read;

/// What is wrong.
#[value]
pub(crate) struct Finding {
    /// A word for programs, such as `spf_too_many_lookups`.
    #[own]
    pub(crate) id: String,
    pub(crate) severity: Severity,
    /// The name whose record it is.
    pub(crate) record: String,
    pub(crate) problem: String,
    /// What to do.
    pub(crate) advice: String,
    /// A call that mends it, or shows the records that have to be changed; null where that is done elsewhere.
    pub(crate) fix: Option<Fix>,
}

struct Out<'a> {
    domain: &'a str,
    all: Vec<Finding>,
}

impl Out<'_> {
    fn say(&mut self, id: &str, severity: Severity, under: &str, problem: impl Into<String>, fix: &str) {
        let record = if under.is_empty() { self.domain.to_owned() } else { format!("{under}.{}", self.domain) };
        let (id, problem, advice) = (id.to_owned(), problem.into(), fix.to_owned());
        self.all.push(Finding { id, severity, record, problem, advice, fix: None });
    }
}

/// Everything that is wrong, the most serious first; within one severity what mail depends on most.
pub(super) fn of(read: &Read, bogus: &BTreeSet<String>) -> Vec<Finding> {
    let mut out = Out { domain: &read.domain, all: Vec::new() };
    if !bogus.is_empty() {
        let names: Vec<&str> = bogus.iter().take(5).map(String::as_str).collect();
        let problem =
            format!("the DNSSEC signatures of {} are wrong: receivers that check them see no record", names.join(", "));
        out.say(
            "dnssec_bogus",
            Severity::Error,
            "",
            problem,
            "mend the signatures of the zone, or take the DS record away",
        );
    }
    exchangers(read, &mut out);
    if let Some(spf) = &read.spf {
        policy(read, spf, &mut out);
    }
    if let Some(found) = &read.dmarc {
        conformance(read, found, &mut out);
    }
    keys(read, &mut out);
    transport(read, &mut out);
    out.all.sort_by_key(|it| it.severity);
    out.all
}

fn exchangers(read: &Read, out: &mut Out<'_>) {
    let Some(mx) = &read.mx else { return };
    for name in &mx.without_address {
        out.say(
            "mx_no_address",
            Severity::Error,
            "",
            format!("the exchanger {name} has no address"),
            "name one that has, or give it an address",
        );
    }
    for name in &mx.addresses {
        let problem = format!("the exchanger {name} is an address; it must be a name (RFC 5321, 5.1)");
        out.say("mx_is_address", Severity::Error, "", problem, "give the address a name, and name that");
    }
    if mx.is_null && read.spf.as_ref().is_some_and(|it| !it.branches.is_empty()) {
        let problem = "the domain takes no mail, and others may send in its name";
        out.say("mx_null_with_spf", Severity::Notice, "", problem, "if it sends no mail either, publish v=spf1 -all");
    }
}

fn policy(read: &Read, spf: &Survey, out: &mut Out<'_>) {
    use Severity::{Error, Notice, Warning};
    match spf.records {
        0 => {
            let severity = if read.mx.as_ref().is_some_and(|it| !it.all.is_empty()) { Error } else { Warning };
            let fix = "publish one that names who sends for you, and ends in ~all";
            return out.say("spf_missing", severity, "", "there is no SPF record: anybody may send in this name", fix);
        }
        1 => {}
        more => {
            let problem = format!("there are {more} SPF records; receivers then take none (RFC 7208, 4.5)");
            return out.say("spf_several", Error, "", problem, "merge them into one");
        }
    }
    if let Some(flaw) = &spf.flaw {
        let problem = match flaw {
            Flaw::Term(term) => format!("the term {term} is none that SPF knows; the whole record counts as an error"),
            Flaw::Twice(name) => format!("{name} stands twice; the whole record counts as an error"),
            Flaw::NotAscii => "it holds letters that are not ASCII; the whole record counts as an error".to_owned(),
            Flaw::Version => "its version is wrong".to_owned(),
        };
        out.say("spf_unreadable", Error, "", problem, "take the term away, or write it as RFC 7208 does");
    }
    if spf.lookups > LOOKUPS {
        let dearest = spf.branches.iter().max_by_key(|it| it.lookups).map(|it| it.term.clone()).unwrap_or_default();
        let problem =
            format!("it asks {} times, and receivers stop at {LOOKUPS}; the dearest term is {dearest}", spf.lookups);
        out.say(
            "spf_too_many_lookups",
            Error,
            "",
            problem,
            "take away senders that you no longer use; give a sender of bulk mail a subdomain",
        );
    }
    if spf.void > VOID {
        let problem = format!("{} of its terms lead nowhere, and receivers may stop at {VOID}", spf.void);
        out.say("spf_void", Error, "", problem, "take the terms away that lead nowhere");
    }
    walk(&spf.branches, &mut |branch| {
        let Some(problem) = &branch.problem else { return };
        let (id, severity) = match problem {
            Problem::NoRecord | Problem::Several | Problem::Unreadable | Problem::Loop => ("spf_broken_include", Error),
            Problem::TooManyNames => ("spf_too_many_exchangers", Error),
            Problem::Void => ("spf_dead_term", Warning),
            Problem::Ptr => ("spf_ptr", Warning),
            Problem::NoAnswer => return,
        };
        let fix = "take the term away, or name what is there";
        out.say(id, severity, "", format!("{}: {}", branch.term, words(problem)), fix);
    });
    match spf.ends() {
        Some(Qualifier::Pass) => {
            let problem = "it ends in +all: anybody may send in this name";
            out.say("spf_passes_all", Error, "", problem, "end it in ~all, after naming who sends for you");
        }
        Some(Qualifier::Neutral) => {
            out.say("spf_says_nothing", Warning, "", "it ends in ?all, which says nothing of others", "end it in ~all");
        }
        None if spf.policy.redirect.is_none() && spf.flaw.is_none() => {
            out.say("spf_without_all", Warning, "", "it does not say what holds for others", "end it in ~all");
        }
        Some(Qualifier::Fail | Qualifier::SoftFail) | None => {}
    }
    if spf.policy.redirect.is_some() && spf.ends().is_some() {
        out.say(
            "spf_redirect_unused",
            Notice,
            "",
            "its redirect is never reached: all stands before it",
            "take one of both away",
        );
    }
}

fn walk(branches: &[Branch], see: &mut impl FnMut(&Branch)) {
    for branch in branches {
        see(branch);
        walk(&branch.children, see);
    }
}

/// A problem of a term in words.
pub(super) fn words(problem: &Problem) -> &'static str {
    match problem {
        Problem::NoRecord => "what it names has no SPF record, which is an error for every receiver",
        Problem::Several => "what it names has more than one SPF record, which is an error for every receiver",
        Problem::Unreadable => "the SPF record that it names cannot be read, which is an error for every receiver",
        Problem::Void => "what it names does not exist, or has no address",
        Problem::TooManyNames => "it leads to more than ten exchangers, which is an error",
        Problem::Loop => "it leads back to where it began",
        Problem::NoAnswer => "nobody answered",
        Problem::Ptr => "ptr is slow and not to be used (RFC 7208, 5.5)",
    }
}

fn conformance(read: &Read, found: &dmarc::Found, out: &mut Out<'_>) {
    use Severity::{Error, Notice, Warning};
    for name in &found.several {
        let problem = format!("_dmarc.{name} has more than one record; receivers then take none");
        out.say("dmarc_several", Error, "_dmarc", problem, "leave one");
    }
    let Some(policy) = &found.policy else {
        if found.several.is_empty() {
            let fix =
                "publish p=none with an address for reports first, and go on to quarantine when your own mail passes";
            out.say("dmarc_missing", Error, "_dmarc", "there is no DMARC record: receivers do not know what to do with forged mail, and large ones refuse bulk mail without one", fix);
        }
        return;
    };
    for problem in &policy.problems {
        let (id, severity, text) = match problem {
            dmarc::Problem::Wish => ("dmarc_no_policy", Error, "p is missing or no word that is known".to_owned()),
            dmarc::Problem::Value(tag) => ("dmarc_value", Warning, format!("{tag} has a value that it cannot have")),
            dmarc::Problem::Gone(tag) => ("dmarc_gone_tag", Notice, format!("{tag} means nothing any more (RFC 9989)")),
            dmarc::Problem::Twice(tag) => ("dmarc_twice", Error, format!("{tag} stands twice")),
            dmarc::Problem::Address(address) => {
                ("dmarc_address", Warning, format!("{address} is no address for reports"))
            }
        };
        out.say(id, severity, "_dmarc", text, "write the record as RFC 9989 does");
    }
    match found.wish(&read.domain) {
        Some(Wish::None) => {
            let fix = "when the reports show that your own mail passes, ask for quarantine";
            out.say("dmarc_only_watches", Warning, "_dmarc", "it asks receivers to do nothing with forged mail", fix);
        }
        Some(_) if policy.is_test => {
            out.say(
                "dmarc_test",
                Notice,
                "_dmarc",
                "its policy is only tried out: t=y",
                "take t=y away when your own mail passes",
            );
        }
        _ => {}
    }
    if policy.rua.is_empty() {
        out.say(
            "dmarc_no_reports",
            Warning,
            "_dmarc",
            "it names nobody who gets the reports, so nobody sees what fails",
            "add rua=mailto: with an address that is read",
        );
    }
    for domain in &read.unwilling {
        let problem =
            format!("{domain} has not said that it takes reports of {}, so none are sent there", policy.domain);
        out.say(
            "dmarc_reports_refused",
            Warning,
            "_dmarc",
            problem,
            "have them publish the record that allows it, or name another address",
        );
    }
}

fn keys(read: &Read, out: &mut Out<'_>) {
    use Severity::{Error, Notice, Warning};
    for (selector, key) in &read.dkim {
        let under = format!("{selector}._domainkey");
        let Some(key) = key else {
            out.say(
                "dkim_missing",
                Error,
                &under,
                "there is no key under this selector",
                "publish the key that your sender shows",
            );
            continue;
        };
        for problem in &key.problems {
            let text = match problem {
                dkim::Problem::Revoked => "the key was taken back: mail signed with it fails".to_owned(),
                dkim::Problem::Unreadable => "the key cannot be read".to_owned(),
                dkim::Problem::TooShort => format!("the key has {} bits: receivers do not believe it", key.bits),
                dkim::Problem::Short => format!("the key has {} bits; 2,048 are asked for (RFC 8301)", key.bits),
                dkim::Problem::UnknownKind => format!("receivers do not know keys of the kind {}", key.kind),
                dkim::Problem::Sha1Alone => "it allows SHA-1 alone, which receivers do not believe".to_owned(),
                dkim::Problem::Several => "there is more than one record under this selector".to_owned(),
            };
            // A guessed selector with a key that was taken back is one that is not in use.
            let severity = match (problem, read.guessed) {
                (dkim::Problem::Revoked, true) => Notice,
                (dkim::Problem::Short, _) => Warning,
                _ => Error,
            };
            out.say(
                "dkim_key",
                severity,
                &under,
                text,
                "make a new key of 2,048 bits at your sender, and publish it under a new selector",
            );
        }
        if key.is_test {
            let problem = "the key says that it is only tried out (t=y): receivers treat its mail as unsigned";
            out.say("dkim_test", Warning, &under, problem, "take t=y away");
        }
    }
    if read.guessed && !read.dkim.iter().any(|(_, key)| key.as_ref().is_some_and(dkim::Key::is_usable)) {
        let problem =
            "none of 20 usual selectors has a usable key; a domain's selectors cannot be listed, so others may have";
        out.say(
            "dkim_unknown",
            Notice,
            "_domainkey",
            problem,
            "call again with dkim_selectors: the header of your own mail names it after s=",
        );
    }
}

fn transport(read: &Read, out: &mut Out<'_>) {
    use Severity::{Error, Notice, Warning};
    let takes_mail = read.mx.as_ref().is_some_and(|it| !it.all.is_empty() && !it.is_null);
    match (&read.sts, &read.policy) {
        (Some(StsRecord::None), _) if takes_mail => {
            out.say(
                "mta_sts_missing",
                Notice,
                "_mta-sts",
                "nothing asks senders to insist on TLS",
                "publish a policy of MTA-STS, in testing first",
            );
        }
        (Some(StsRecord::Wrong(text)), _) => {
            out.say(
                "mta_sts_record",
                Error,
                "_mta-sts",
                format!("receivers take it as none: {text}"),
                "publish v=STSv1; id= with letters and digits",
            );
        }
        (_, Some(Err(why))) => {
            out.say(
                "mta_sts_policy",
                Error,
                "_mta-sts",
                why.clone(),
                "serve the policy there over https, without a redirect",
            );
        }
        (_, Some(Ok(policy))) => {
            let exchangers = read.mx.iter().flat_map(|it| &it.all);
            let uncovered: Vec<&str> = exchangers.map(|it| it.1.as_str()).filter(|it| !policy.covers(it)).collect();
            if !uncovered.is_empty() && policy.mode != "none" {
                let severity = if policy.mode == "enforce" { Error } else { Warning };
                let problem =
                    format!("the policy does not name {}: senders do not deliver there", uncovered.join(", "));
                out.say(
                    "mta_sts_mx",
                    severity,
                    "_mta-sts",
                    problem,
                    "add these exchangers to the policy, and give it a new id",
                );
            }
            if policy.max_age < SHORTEST && policy.mode == "enforce" {
                let problem = format!("the policy is forgotten after {} seconds", policy.max_age);
                out.say("mta_sts_short", Warning, "_mta-sts", problem, "give it a max_age of weeks");
            }
        }
        _ => {}
    }
    match &read.tls_reports {
        Some(Ok(all)) if all.is_empty() && takes_mail => {
            out.say(
                "tls_reports_missing",
                Notice,
                "_smtp._tls",
                "nobody gets reports of failed TLS",
                "publish v=TLSRPTv1; rua=mailto: with an address that is read",
            );
        }
        Some(Err(text)) => {
            out.say(
                "tls_reports_record",
                Warning,
                "_smtp._tls",
                format!("it cannot be read: {text}"),
                "name an address as mailto: or https:",
            );
        }
        _ => {}
    }
    if let Some(bimi) = &read.bimi {
        let enforced = read.dmarc.as_ref().and_then(|it| it.wish(&read.domain)).is_some_and(|it| it > Wish::None);
        if !enforced && !bimi.location.is_empty() {
            out.say(
                "bimi_without_dmarc",
                Notice,
                "default._bimi",
                "mail programs show the picture only under quarantine or reject",
                "go on to quarantine first",
            );
        }
        if !bimi.location.is_empty() && !bimi.location.starts_with("https://") {
            out.say(
                "bimi_location",
                Notice,
                "default._bimi",
                "the picture must be at an https address",
                "serve it over https",
            );
        }
    }
}
