//! What a record asks of its receivers, whoever sends: every term is followed, as in a check that nothing ends early.

use std::fmt;

use super::policy::{Flaw, Mechanism, Policy, Qualifier};
use super::{NAMES, Published, record};
use crate::mailauth::{NoAnswer, Resolver, is_name};

/// Terms that are followed in all; a receiver stops at ten.
const MOST: u32 = 40;

/// A term that asks the name system, with those of the record that it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// As it stands in the record, such as `include:_spf.example.com`.
    pub term: String,
    /// Terms that ask, this one and those below it.
    pub lookups: u32,
    /// Of these, those without an answer.
    pub void: u32,
    /// What is wrong with it.
    pub problem: Option<Problem>,
    /// The terms of the record that it leads to.
    pub children: Vec<Branch>,
}

/// What is wrong with a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// What it names has no record: an error for every receiver.
    NoRecord,
    /// What it names has more than one record.
    Several,
    /// What it names has a record that cannot be read.
    Unreadable,
    /// What it names does not exist, or has no address.
    Void,
    /// It leads to more than ten exchangers.
    TooManyNames,
    /// It leads back to where it began.
    Loop,
    /// The name system did not answer.
    NoAnswer,
    /// `ptr` is not to be used (5.5).
    Ptr,
}

/// A record with all that it leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// The record, when there is one that is text.
    pub record: Option<String>,
    /// Records that the domain has.
    pub records: usize,
    /// Its terms, when it reads.
    pub policy: Policy,
    /// Why it does not.
    pub flaw: Option<Flaw>,
    /// Its terms that ask.
    pub branches: Vec<Branch>,
    /// Terms that ask, in all. More than ten are an error for receivers that come so far (4.6.4).
    pub lookups: u32,
    /// Of these, those without an answer. More than two are an error for many receivers.
    pub void: u32,
    /// Whether terms with macros were not followed: what they ask depends on the sender.
    pub has_macros: bool,
}

impl Survey {
    /// What everybody else meets: the qualifier of `all`, of the record that decides.
    #[must_use]
    pub fn ends(&self) -> Option<Qualifier> {
        self.policy.terms.iter().find(|(_, it)| *it == Mechanism::All).map(|(qualifier, _)| *qualifier)
    }
}

/// Follows every term of a domain's record.
///
/// # Errors
/// No answer about the domain itself.
pub fn survey(resolver: &mut impl Resolver, domain: &str) -> Result<Survey, NoAnswer> {
    let mut out = Survey::default();
    let text = match record(resolver, domain)? {
        Published::None => return Ok(out),
        Published::Several(records) => {
            out.records = records;
            return Ok(out);
        }
        Published::One(text) => text,
    };
    out.records = 1;
    out.record = String::from_utf8(text.clone()).ok();
    match Policy::parse(&text) {
        Err(flaw) => out.flaw = Some(flaw),
        Ok(policy) => {
            let mut following =
                Following { resolver, asked: 0, way: vec![domain.to_ascii_lowercase()], has_macros: false };
            out.branches = following.branches(domain, &policy);
            out.has_macros = following.has_macros;
            out.policy = policy;
        }
    }
    out.lookups = out.branches.iter().map(|it| it.lookups).sum();
    out.void = out.branches.iter().map(|it| it.void).sum();
    Ok(out)
}

struct Following<'a, R> {
    resolver: &'a mut R,
    asked: u32,
    /// Domains from the first to the one that is read.
    way: Vec<String>,
    has_macros: bool,
}

impl<R: Resolver> Following<'_, R> {
    fn branches(&mut self, domain: &str, policy: &Policy) -> Vec<Branch> {
        let mut out = Vec::new();
        for (_, mechanism) in &policy.terms {
            if self.asked >= MOST {
                break;
            }
            out.extend(self.branch(domain, mechanism));
        }
        // What follows `all` is never reached (5.1).
        let ends = policy.terms.iter().any(|(_, it)| *it == Mechanism::All);
        if let Some(target) = policy.redirect.as_ref().filter(|_| !ends) {
            out.push(self.below(format!("redirect={target}"), target));
        }
        out
    }

    fn branch(&mut self, domain: &str, mechanism: &Mechanism) -> Option<Branch> {
        let term = mechanism.to_string();
        match mechanism {
            Mechanism::All | Mechanism::Ip4(..) | Mechanism::Ip6(..) => None,
            Mechanism::Include(target) => Some(self.below(term, target)),
            Mechanism::Ptr(_) => {
                self.asked += 1;
                Some(Branch { term, lookups: 1, void: 0, problem: Some(Problem::Ptr), children: Vec::new() })
            }
            Mechanism::A(target, ..) | Mechanism::Mx(target, ..) => {
                let name = target.as_deref().unwrap_or(domain).to_owned();
                let mx = matches!(mechanism, Mechanism::Mx(..));
                Some(self.leaf(term, &name, mx))
            }
            Mechanism::Exists(target) => Some(self.leaf(term, target, false)),
        }
    }

    /// A term that asks for addresses or exchangers.
    fn leaf(&mut self, term: String, name: &str, mx: bool) -> Branch {
        self.asked += 1;
        let mut branch = Branch { term, lookups: 1, void: 0, problem: None, children: Vec::new() };
        if name.contains('%') {
            self.has_macros = true;
            return branch;
        }
        let found = if !is_name(name) {
            Ok(0)
        } else if mx {
            self.resolver.exchangers(name).map(|all| all.len())
        } else {
            let four = self.resolver.addresses(name, false);
            match four {
                Ok(all) if all.is_empty() => self.resolver.addresses(name, true).map(|all| all.len()),
                other => other.map(|all| all.len()),
            }
        };
        branch.problem = match found {
            Err(NoAnswer) => Some(Problem::NoAnswer),
            Ok(0) => Some(Problem::Void),
            Ok(count) if mx && count > NAMES => Some(Problem::TooManyNames),
            Ok(_) => None,
        };
        branch.void = u32::from(found == Ok(0));
        branch
    }

    /// A term that leads to another record.
    fn below(&mut self, term: String, target: &str) -> Branch {
        self.asked += 1;
        let mut branch = Branch { term, lookups: 1, void: 0, problem: None, children: Vec::new() };
        if target.contains('%') {
            self.has_macros = true;
            return branch;
        }
        let target = target.trim_end_matches('.').to_ascii_lowercase();
        if self.way.contains(&target) {
            branch.problem = Some(Problem::Loop);
            return branch;
        }
        let published = if is_name(&target) { record(self.resolver, &target) } else { Ok(Published::None) };
        branch.problem = match published {
            Err(NoAnswer) => Some(Problem::NoAnswer),
            Ok(Published::None) => Some(Problem::NoRecord),
            Ok(Published::Several(_)) => Some(Problem::Several),
            Ok(Published::One(text)) => match Policy::parse(&text) {
                Err(_) => Some(Problem::Unreadable),
                Ok(policy) => {
                    self.way.push(target.clone());
                    branch.children = self.branches(&target, &policy);
                    self.way.pop();
                    None
                }
            },
        };
        branch.lookups += branch.children.iter().map(|it| it.lookups).sum::<u32>();
        branch.void += branch.children.iter().map(|it| it.void).sum::<u32>();
        branch
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |target: &Option<String>| target.as_ref().map(|it| format!(":{it}")).unwrap_or_default();
        let lengths = |four: u8, six: u8| {
            let four = if four < 32 { format!("/{four}") } else { String::new() };
            if six < 128 { format!("{four}//{six}") } else { four }
        };
        let length = |length: u8, most: u8| if length < most { format!("/{length}") } else { String::new() };
        match self {
            Self::All => out.write_str("all"),
            Self::Include(target) => write!(out, "include:{target}"),
            Self::A(target, four, six) => write!(out, "a{}{}", of(target), lengths(*four, *six)),
            Self::Mx(target, four, six) => write!(out, "mx{}{}", of(target), lengths(*four, *six)),
            Self::Ptr(target) => write!(out, "ptr{}", of(target)),
            Self::Ip4(address, prefix) => write!(out, "ip4:{address}{}", length(*prefix, 32)),
            Self::Ip6(address, prefix) => write!(out, "ip6:{address}{}", length(*prefix, 128)),
            Self::Exists(target) => write!(out, "exists:{target}"),
        }
    }
}
