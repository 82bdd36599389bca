//! What a check shows of each record.

use kit::mailauth::dmarc::Policy;
use kit::mailauth::spf::{Branch, Qualifier, Survey};
use kit::mailauth::transport::{Bimi, Exchangers, StsRecord};
use sdk::prelude::*;

use super::Read;
use super::findings::words;

/// Terms of SPF that are shown.
const TERMS: usize = 60;

/// Who takes the domain's mail.
#[value]
pub(crate) struct MxShown {
    exchangers: Vec<Exchanger>,
    /// Whether the domain says that it takes no mail (RFC 7505).
    takes_no_mail: bool,
    /// Whether somebody answered.
    is_known: bool,
}

#[value]
pub(crate) struct Exchanger {
    preference: u16,
    name: String,
}

impl MxShown {
    pub(super) fn of(mx: Option<&Exchangers>) -> Self {
        let all = mx.map(|it| it.all.as_slice()).unwrap_or_default();
        let exchangers = all.iter().map(|(preference, name)| Exchanger { preference: *preference, name: name.clone() });
        Self {
            exchangers: exchangers.collect(),
            takes_no_mail: mx.is_some_and(|it| it.is_null),
            is_known: mx.is_some(),
        }
    }
}

/// Who may send.
#[value]
pub(crate) struct SpfShown {
    record: Option<String>,
    /// Records that the domain has; more than one are an error. Null when nobody answered.
    records: Option<u64>,
    /// Terms that ask the name system; more than ten are an error.
    lookups: u32,
    /// Of these, those without an answer; more than two are an error for many receivers.
    void: u32,
    /// What everybody else meets: `fail`, `softfail`, `neutral`, `pass`; null without `all`.
    #[own]
    all: Option<String>,
    /// Terms that ask, in the order in which receivers read them.
    terms: Vec<Term>,
}

/// A term that asks the name system.
#[value]
pub(crate) struct Term {
    term: String,
    /// 0 for those of the record itself, 1 for those of what it includes, and so on.
    depth: u32,
    /// Terms that ask, this one and those below it.
    lookups: u32,
    problem: Option<String>,
}

impl SpfShown {
    pub(super) fn of(spf: Option<&Survey>) -> Self {
        let mut terms = Vec::new();
        let all = spf.and_then(Survey::ends).map(|it| match it {
            Qualifier::Pass => "pass",
            Qualifier::Fail => "fail",
            Qualifier::SoftFail => "softfail",
            Qualifier::Neutral => "neutral",
        });
        spf.iter().for_each(|it| shown(&it.branches, 0, &mut terms));
        Self {
            record: spf.and_then(|it| it.record.clone()),
            records: spf.map(|it| it.records as u64),
            lookups: spf.map_or(0, |it| it.lookups),
            void: spf.map_or(0, |it| it.void),
            all: all.map(str::to_owned),
            terms,
        }
    }
}

fn shown(branches: &[Branch], depth: u32, out: &mut Vec<Term>) {
    for it in branches {
        if out.len() >= TERMS {
            return;
        }
        let problem = it.problem.as_ref().map(|it| words(it).to_owned());
        out.push(Term { term: it.term.clone(), depth, lookups: it.lookups, problem });
        shown(&it.children, depth + 1, out);
    }
}

/// A key of DKIM.
#[value]
pub(crate) struct DkimShown {
    selector: String,
    /// Whether there is a record.
    found: bool,
    /// Whether the selector is one of the usual ones that were tried.
    guessed: bool,
    #[own]
    key: Option<String>,
    bits: Option<u64>,
    /// Whether signatures can be checked with it.
    is_usable: bool,
    is_test: bool,
    record: Option<String>,
}

pub(super) fn keys(read: &Read) -> Vec<DkimShown> {
    let one = |(selector, key): &(String, Option<kit::mailauth::dkim::Key>)| DkimShown {
        selector: selector.clone(),
        found: key.is_some(),
        guessed: read.guessed,
        key: key.as_ref().map(|it| it.kind.clone()),
        bits: key.as_ref().map(|it| it.bits as u64).filter(|it| *it > 0),
        is_usable: key.as_ref().is_some_and(kit::mailauth::dkim::Key::is_usable),
        is_test: key.as_ref().is_some_and(|it| it.is_test),
        record: key.as_ref().map(|it| it.record.clone()),
    };
    read.dkim.iter().map(one).collect()
}

/// What receivers are asked to do with mail that fails.
#[value]
pub(crate) struct DmarcShown {
    record: Option<String>,
    /// The domain whose record decides.
    found_at: Option<String>,
    /// The organisational domain; names that share it are aligned.
    organisation: Option<String>,
    /// What holds for this domain: `none`, `quarantine`, `reject`.
    #[own]
    asks_for: Option<String>,
    is_test: bool,
    strict_dkim: bool,
    strict_spf: bool,
    /// Where reports go.
    reports_to: Vec<String>,
}

impl DmarcShown {
    pub(super) fn of(read: &Read) -> Self {
        let found = read.dmarc.as_ref();
        let policy: Option<&Policy> = found.and_then(|it| it.policy.as_ref());
        Self {
            record: policy.map(|it| it.record.clone()),
            found_at: policy.map(|it| it.domain.clone()),
            organisation: found.map(|it| it.organisation.clone()),
            asks_for: found.and_then(|it| it.wish(&read.domain)).map(|it| it.word().to_owned()),
            is_test: policy.is_some_and(|it| it.is_test),
            strict_dkim: policy.is_some_and(|it| it.strict_dkim),
            strict_spf: policy.is_some_and(|it| it.strict_spf),
            reports_to: policy.map(|it| it.rua.clone()).unwrap_or_default(),
        }
    }
}

/// Whether mail to the domain must come over TLS.
#[value]
pub(crate) struct StsShown {
    /// The number of the policy; null without a record.
    id: Option<String>,
    /// `enforce`, `testing`, `none`; null when there is no policy that receivers take.
    #[own]
    mode: Option<String>,
    /// Seconds.
    max_age: Option<u64>,
    mx: Vec<String>,
}

impl StsShown {
    pub(super) fn of(read: &Read) -> Self {
        let policy = read.policy.as_ref().and_then(|it| it.as_ref().ok());
        Self {
            id: match &read.sts {
                Some(StsRecord::Id(id)) => Some(id.clone()),
                _ => None,
            },
            mode: policy.map(|it| it.mode.clone()),
            max_age: policy.map(|it| it.max_age),
            mx: policy.map(|it| it.mx.clone()).unwrap_or_default(),
        }
    }
}

/// Where reports of TLS go.
#[value]
pub(crate) struct TlsReports {
    reports_to: Vec<String>,
}

impl TlsReports {
    pub(super) fn of(reports: Option<&Result<Vec<String>, String>>) -> Self {
        Self { reports_to: reports.and_then(|it| it.as_ref().ok()).cloned().unwrap_or_default() }
    }
}

/// A brand's picture in mail programs.
#[value]
pub(crate) struct BimiShown {
    record: String,
    /// The address of the picture; empty where the domain declines.
    location: String,
    /// The address of its certificate; null without one.
    evidence: Option<String>,
}

impl BimiShown {
    pub(super) fn of(bimi: &Bimi) -> Self {
        Self { record: bimi.record.clone(), location: bimi.location.clone(), evidence: bimi.evidence.clone() }
    }
}
