//! Domain-based Message Authentication, Reporting and Conformance (RFC 9989, which takes the place of RFC 7489).

use super::{NoAnswer, Resolver, tags, versioned};

/// Questions of one walk up the tree (4.10).
const STEPS: usize = 8;

/// What receivers are asked to do with mail that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// Nothing.
    None,
    /// To put it aside.
    Quarantine,
    /// To refuse it.
    Reject,
}

impl Wish {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Quarantine => "quarantine",
            Self::Reject => "reject",
        }
    }

    fn of(text: &str) -> Option<Self> {
        [Self::None, Self::Quarantine, Self::Reject].into_iter().find(|it| it.word().eq_ignore_ascii_case(text))
    }
}

/// A record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Where it stands, without `_dmarc`.
    pub domain: String,
    /// As it is.
    pub record: String,
    /// For the domain itself.
    pub wish: Wish,
    /// For domains below it.
    pub below: Option<Wish>,
    /// For domains below it that do not exist.
    pub missing: Option<Wish>,
    /// Whether it is a suffix under which others register: `psd=y`; `psd=n` says that it is an organisation.
    pub psd: Option<bool>,
    /// Whether the wish is only tried out: `t=y`.
    pub is_test: bool,
    /// Whether names must be equal for DKIM.
    pub strict_dkim: bool,
    /// Whether names must be equal for SPF.
    pub strict_spf: bool,
    /// Where reports of sums go.
    pub rua: Vec<String>,
    /// Where reports of single failures go.
    pub ruf: Vec<String>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The wish is missing or no word that is known; receivers then take `none`, or nothing at all.
    Wish,
    /// A tag with a value that it cannot have.
    Value(String),
    /// A tag that RFC 9989 has taken away: `pct`, `rf`, `ri`.
    Gone(String),
    /// A tag that stands twice.
    Twice(String),
    /// An address for reports that is not one.
    Address(String),
}

/// What a domain's mail is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The record that decides; none when there is none.
    pub policy: Option<Policy>,
    /// The organisational domain: names that share it are aligned.
    pub organisation: String,
    /// Names with more than one record; receivers then take none of them (4.7).
    pub several: Vec<String>,
}

impl Found {
    /// The wish that holds for this domain itself.
    #[must_use]
    pub fn wish(&self, domain: &str) -> Option<Wish> {
        let policy = self.policy.as_ref()?;
        Some(if policy.domain == domain { policy.wish } else { policy.below.unwrap_or(policy.wish) })
    }
}

/// The record that decides for a domain - its own, its organisation's, its suffix's - and its organisational domain, by the walk
/// up the tree (4.10).
///
/// # Errors
/// No answer about the domain itself; above it an answer that does not come counts as none.
pub fn find(resolver: &mut impl Resolver, domain: &str) -> Result<Found, NoAnswer> {
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    let mut several = Vec::new();
    let mut seen: Vec<Policy> = Vec::new();
    for (step, name) in walk(&domain).into_iter().enumerate() {
        let texts = match resolver.txt(&format!("_dmarc.{name}")) {
            Err(no) if step == 0 => return Err(no),
            other => versioned(other.unwrap_or_default(), "DMARC1"),
        };
        match &texts[..] {
            [] => {}
            [one] => {
                let policy = read(&name, one);
                let ends = policy.psd.is_some();
                seen.push(policy);
                if ends {
                    break;
                }
            }
            _ => several.push(name),
        }
    }
    let organisation = organisation(&domain, &seen);
    let own = seen.iter().find(|it| it.domain == domain);
    let of_suffix = || seen.iter().find(|it| it.psd == Some(true));
    let policy = own.or_else(|| seen.iter().find(|it| it.domain == organisation)).or_else(of_suffix).cloned();
    Ok(Found { policy, organisation, several })
}

/// The names that are asked: the domain, then those above it; of one with more than eight labels only the last seven.
fn walk(domain: &str) -> Vec<String> {
    let labels: Vec<&str> = domain.split('.').collect();
    let mut out = vec![domain.to_owned()];
    let most = if labels.len() >= STEPS { STEPS - 1 } else { labels.len().saturating_sub(1) };
    out.extend((1..=most).rev().map(|count| labels[labels.len() - count..].join(".")));
    out.truncate(STEPS);
    out
}

/// The organisational domain, of the records from the domain upwards (4.10.2).
fn organisation(domain: &str, seen: &[Policy]) -> String {
    for policy in seen {
        match policy.psd {
            Some(false) => return policy.domain.clone(),
            // One label below a suffix, unless the walk began there.
            Some(true) if policy.domain != domain => {
                let above = format!(".{}", policy.domain);
                let below = domain.strip_suffix(&above).and_then(|it| it.rsplit('.').next()).unwrap_or_default();
                return format!("{below}{above}");
            }
            _ => {}
        }
    }
    seen.last().map_or_else(|| domain.to_owned(), |it| it.domain.clone())
}

/// Reads a record. What cannot be read is left at what receivers take in its place.
#[must_use]
pub fn read(domain: &str, record: &str) -> Policy {
    let all = tags(record);
    let mut problems = Vec::new();
    let mut names: Vec<&str> = all.iter().map(|(tag, _)| tag.as_str()).collect();
    names.sort_unstable();
    problems.extend(names.windows(2).filter(|it| it[0] == it[1]).map(|it| Problem::Twice(it[0].to_owned())));
    let value = |name: &str| all.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let addresses = |name: &str| -> Vec<String> {
        value(name)
            .unwrap_or_default()
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut wish = |name: &str| {
        let text = value(name)?;
        let wish = Wish::of(text);
        if wish.is_none() && name != "p" {
            problems.push(Problem::Value(name.to_owned()));
        }
        wish
    };
    let (own, below, missing) = (wish("p"), wish("sp"), wish("np"));
    if own.is_none() {
        problems.push(Problem::Wish);
    }
    let mut one_of = |name: &str, values: &[&str]| {
        let text = value(name)?.to_ascii_lowercase();
        if !values.contains(&text.as_str()) {
            problems.push(Problem::Value(name.to_owned()));
        }
        Some(text)
    };
    let (psd, test) = (one_of("psd", &["y", "n", "u"]), one_of("t", &["y", "n"]));
    let (adkim, aspf) = (one_of("adkim", &["r", "s"]), one_of("aspf", &["r", "s"]));
    problems
        .extend(["pct", "rf", "ri"].iter().filter(|it| value(it).is_some()).map(|it| Problem::Gone((*it).to_owned())));
    let (rua, ruf) = (addresses("rua"), addresses("ruf"));
    let is_address = |it: &&String| {
        let mail = it.strip_prefix("mailto:").map(|it| it.split('!').next().unwrap_or_default());
        mail.and_then(|it| it.rsplit_once('@'))
            .is_some_and(|(local, domain)| !local.is_empty() && super::is_name(domain))
    };
    problems.extend(rua.iter().chain(&ruf).filter(|it| !is_address(it)).map(|it| Problem::Address(it.clone())));
    Policy {
        domain: domain.to_owned(),
        record: record.to_owned(),
        wish: own.unwrap_or(Wish::None),
        below,
        missing,
        psd: psd.and_then(|it| match it.as_str() {
            "y" => Some(true),
            "n" => Some(false),
            _ => None,
        }),
        is_test: test.as_deref() == Some("y"),
        strict_dkim: adkim.as_deref() == Some("s"),
        strict_spf: aspf.as_deref() == Some("s"),
        rua,
        ruf,
        problems,
    }
}

/// The domains outside an organisation that a record sends reports to and that have not said that they take them: reports are
/// then not sent (RFC 9990, 3.2; formerly RFC 7489, 7.1). One that does not answer is left out.
pub fn unwilling(resolver: &mut impl Resolver, policy: &Policy, organisation: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for address in policy.rua.iter().chain(&policy.ruf) {
        let Some((_, domain)) = address.split('!').next().unwrap_or_default().rsplit_once('@') else { continue };
        let domain = domain.to_ascii_lowercase();
        let own = domain == organisation || domain.ends_with(&format!(".{organisation}"));
        if own || out.contains(&domain) {
            continue;
        }
        let texts = resolver.txt(&format!("{}._report._dmarc.{domain}", policy.domain));
        if texts.is_ok_and(|all| versioned(all, "DMARC1").is_empty()) {
            out.push(domain);
        }
    }
    out
}

#[cfg(test)]
mod tests;
