//! Sender Policy Framework (RFC 7208): a record as terms, who may send by it, and what it costs to ask.

mod check;
mod macros;
mod policy;
mod survey;

pub use check::{Sender, Verdict, check};
pub use policy::{Flaw, Mechanism, Policy, Qualifier, Target};
pub use survey::{Branch, Problem, Survey, survey};

/// Terms that ask the name system, in one check (RFC 7208, 4.6.4).
pub const LOOKUPS: u32 = 10;
/// Of these, answers without a record.
pub const VOID: u32 = 2;
/// Names that one `mx` or `ptr` leads to.
const NAMES: usize = 10;

/// The record of a domain, if it has one.
///
/// # Errors
/// No answer.
pub fn record(resolver: &mut impl super::Resolver, domain: &str) -> Result<Published, super::NoAnswer> {
    let texts = resolver.txt(domain)?;
    // A version ends at a space or at the end: v=spf10 is none (4.5).
    let is_policy = |text: &Vec<u8>| {
        text.get(..6).is_some_and(|it| it.eq_ignore_ascii_case(b"v=spf1")) && text.get(6).is_none_or(|it| *it == b' ')
    };
    let mut all: Vec<Vec<u8>> = texts.into_iter().filter(is_policy).collect();
    Ok(match (all.pop(), all.is_empty()) {
        (None, _) => Published::None,
        (Some(one), true) => Published::One(one),
        (Some(_), false) => Published::Several(all.len() + 1),
    })
}

/// What a domain has published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Published {
    /// Nothing.
    None,
    /// One record, as it is.
    One(Vec<u8>),
    /// So many, which is an error for every receiver (4.5).
    Several(usize),
}

#[cfg(test)]
pub(crate) mod tests;
