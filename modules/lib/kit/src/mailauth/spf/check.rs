//! What a receiver makes of a sender: `check_host` (RFC 7208, 4).

use std::net::IpAddr;

use super::macros::{Known, expand};
use super::policy::{Mechanism, Policy, Qualifier};
use super::{LOOKUPS, NAMES, Published, VOID, record};
use crate::mailauth::{NoAnswer, Resolver, is_name};

/// What comes of a check (2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is published.
    None,
    /// Nothing is said of this sender.
    Neutral,
    /// It may send.
    Pass,
    /// It may not.
    Fail,
    /// It probably may not.
    SoftFail,
    /// The name system did not answer.
    TempError,
    /// What is published cannot be read, or asks too much.
    PermError,
}

/// Who sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender<'a> {
    /// Its address.
    pub address: IpAddr,
    /// What it called itself.
    pub helo: &'a str,
    /// The address of the envelope; empty for a report of a failed delivery, which the name of `helo` speaks for.
    pub mail_from: &'a str,
}

/// Whether a sender may send in the name of its domain.
pub fn check(resolver: &mut impl Resolver, sender: &Sender<'_>) -> Verdict {
    let whole = if sender.mail_from.is_empty() {
        format!("postmaster@{}", sender.helo)
    } else if sender.mail_from.contains('@') {
        sender.mail_from.to_owned()
    } else {
        format!("postmaster@{}", sender.mail_from)
    };
    let (local, domain) = whole.rsplit_once('@').unwrap_or(("", &whole));
    let local = if local.is_empty() { "postmaster" } else { local };
    let named = format!("{local}@{domain}");
    let address = match sender.address {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(IpAddr::V6(six), IpAddr::V4),
        four @ IpAddr::V4(_) => four,
    };
    let known = Known { sender: (&named, local, domain), domain, address, helo: sender.helo };
    Check { resolver, known, lookups: 0, void: 0 }.host(domain).unwrap_or_else(|stop| match stop {
        Stop::Temporary => Verdict::TempError,
        Stop::Permanent => Verdict::PermError,
    })
}

/// Why a check ends early.
enum Stop {
    Temporary,
    Permanent,
}

impl From<NoAnswer> for Stop {
    fn from(_: NoAnswer) -> Self {
        Self::Temporary
    }
}

struct Check<'a, R> {
    resolver: &'a mut R,
    known: Known<'a>,
    lookups: u32,
    void: u32,
}

impl<R: Resolver> Check<'_, R> {
    /// The record of a domain, held against the sender.
    fn host(&mut self, domain: &str) -> Result<Verdict, Stop> {
        if !is_name(domain) {
            return Ok(Verdict::None);
        }
        let policy = match record(self.resolver, domain)? {
            Published::None => return Ok(Verdict::None),
            Published::Several(_) => return Err(Stop::Permanent),
            Published::One(text) => Policy::parse(&text).map_err(|_| Stop::Permanent)?,
        };
        for (qualifier, mechanism) in &policy.terms {
            if self.matches(domain, mechanism)? {
                return Ok(match qualifier {
                    Qualifier::Pass => Verdict::Pass,
                    Qualifier::Fail => Verdict::Fail,
                    Qualifier::SoftFail => Verdict::SoftFail,
                    Qualifier::Neutral => Verdict::Neutral,
                });
            }
        }
        let Some(redirect) = &policy.redirect else { return Ok(Verdict::Neutral) };
        self.asks()?;
        let target = self.name(domain, Some(redirect));
        match self.host(&target)? {
            Verdict::None => Err(Stop::Permanent),
            verdict => Ok(verdict),
        }
    }

    fn matches(&mut self, domain: &str, mechanism: &Mechanism) -> Result<bool, Stop> {
        let address = self.known.address;
        Ok(match mechanism {
            Mechanism::All => true,
            Mechanism::Ip4(network, length) => within(address, IpAddr::V4(*network), *length, 0),
            Mechanism::Ip6(network, length) => within(address, IpAddr::V6(*network), 0, *length),
            Mechanism::Include(target) => {
                self.asks()?;
                let target = self.name(domain, Some(target));
                match self.host(&target)? {
                    Verdict::Pass => true,
                    Verdict::None => return Err(Stop::Permanent),
                    _ => false,
                }
            }
            Mechanism::A(target, four, six) => {
                self.asks()?;
                let name = self.name(domain, target.as_deref());
                let all = self.addresses(&name, address.is_ipv6())?;
                all.into_iter().any(|it| within(address, it, *four, *six))
            }
            Mechanism::Mx(target, four, six) => {
                self.asks()?;
                let name = self.name(domain, target.as_deref());
                let all = if is_name(&name) { self.resolver.exchangers(&name)? } else { Vec::new() };
                self.counted(all.is_empty())?;
                if all.len() > NAMES {
                    return Err(Stop::Permanent);
                }
                let mut any = false;
                for (_, exchanger) in all {
                    let found =
                        if is_name(&exchanger) { self.addresses(&exchanger, address.is_ipv6())? } else { Vec::new() };
                    any = any || found.into_iter().any(|it| within(address, it, *four, *six));
                    if any {
                        break;
                    }
                }
                any
            }
            Mechanism::Ptr(target) => {
                self.asks()?;
                let name = self.name(domain, target.as_deref());
                let names = self.validated()?;
                names.iter().any(|it| is_within(it, &name))
            }
            Mechanism::Exists(target) => {
                self.asks()?;
                let name = self.name(domain, Some(target));
                // Whatever the sender's family, an IPv4 address is asked for (5.7).
                !self.addresses(&name, false)?.is_empty()
            }
        })
    }

    /// Counts a term that asks the name system.
    fn asks(&mut self) -> Result<(), Stop> {
        self.lookups += 1;
        if self.lookups > LOOKUPS { Err(Stop::Permanent) } else { Ok(()) }
    }

    /// Counts an answer that may be void.
    fn counted(&mut self, void: bool) -> Result<(), Stop> {
        self.void += u32::from(void);
        if self.void > VOID { Err(Stop::Permanent) } else { Ok(()) }
    }

    fn addresses(&mut self, name: &str, six: bool) -> Result<Vec<IpAddr>, Stop> {
        let all = if is_name(name) { self.resolver.addresses(name, six)? } else { Vec::new() };
        self.counted(all.is_empty())?;
        Ok(all)
    }

    /// The name that a term speaks of.
    fn name(&mut self, domain: &str, target: Option<&str>) -> String {
        let Some(text) = target else { return domain.to_owned() };
        let known = Known { domain, ..self.known.clone() };
        // The name of an address costs nothing here: it is bounded by itself (4.6.4).
        let mut validated = || {
            let names = self.validated().unwrap_or_default();
            let near = names.iter().find(|it| it.eq_ignore_ascii_case(domain));
            let near = near.or_else(|| names.iter().find(|it| is_within(it, domain))).or(names.first());
            near.cloned().unwrap_or_else(|| "unknown".to_owned())
        };
        expand(text, &known, &mut validated)
    }

    /// The names of the sender's address that lead back to it, of the first ten (5.5). Without an answer there are none.
    fn validated(&mut self) -> Result<Vec<String>, Stop> {
        let address = self.known.address;
        let names = self.resolver.names(address).unwrap_or_default();
        self.counted(names.is_empty())?;
        let mut out = Vec::new();
        for name in names.into_iter().take(NAMES) {
            let back = self.resolver.addresses(&name, address.is_ipv6()).unwrap_or_default();
            if back.contains(&address) {
                out.push(name);
            }
        }
        Ok(out)
    }
}

/// Whether a name is another one or stands below it.
fn is_within(name: &str, of: &str) -> bool {
    let (name, of) = (name.trim_end_matches('.').to_ascii_lowercase(), of.trim_end_matches('.').to_ascii_lowercase());
    name == of || name.strip_suffix(&of).is_some_and(|it| it.ends_with('.'))
}

/// Whether an address is in a network, by the length of the prefix of its family.
fn within(address: IpAddr, network: IpAddr, four: u8, six: u8) -> bool {
    match (address, network) {
        (IpAddr::V4(a), IpAddr::V4(b)) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(four)).unwrap_or(0);
            u32::from(a) & mask == u32::from(b) & mask
        }
        (IpAddr::V6(a), IpAddr::V6(b)) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(six)).unwrap_or(0);
            u128::from(a) & mask == u128::from(b) & mask
        }
        _ => false,
    }
}
