//! The operation `domains.rdap.get`, and what registries say (RFC 9082, RFC 9083).

mod statuses;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Question, json};

pub(crate) use ::rdap::{Answered, Object, Registries, Source, moment};

use statuses::Meaning;

use crate::name::registrable;

#[args]
pub(crate) struct Get {
    /// A domain; of a longer name the registrable part counts.
    domain: Text<3, 253>,
}

/// What came of asking the registry.
#[value]
pub(crate) enum State {
    /// The registry has it.
    Registered,
    /// The registry does not have it.
    NotFound,
    /// The registry could not be asked.
    Unknown,
}

/// Who sells the name.
#[value]
pub(crate) struct Registrar {
    name: Option<String>,
    /// As IANA numbers registrars.
    iana_id: Option<String>,
    url: Option<String>,
}

/// A status, with what it means.
#[value]
pub(crate) struct Status {
    /// As the registry writes it (RFC 8056).
    status: String,
    meaning: String,
    /// What cannot be done while it holds.
    blocks: Vec<String>,
}

/// What is signed.
#[value]
pub(crate) struct Dnssec {
    /// Whether the registry says that the delegation is signed; null when it says nothing.
    registry: Option<bool>,
    /// Whether the name system has DS records; null without an answer.
    name_system: Option<bool>,
    /// Whether both say different things.
    conflict: bool,
}

/// What the registry says of a domain.
#[value]
pub(crate) struct Registration {
    /// The domain that was asked for.
    domain: String,
    /// Whether that is a part of the name that was given.
    reduced: bool,
    state: State,
    registrar: Option<Registrar>,
    created_at: Option<Moment>,
    changed_at: Option<Moment>,
    /// As the registry has it.
    expires_at: Option<Moment>,
    /// As the registrar has it, where that is another moment.
    registrar_expires_at: Option<Moment>,
    days_left: Option<i64>,
    statuses: Vec<Status>,
    nameservers: Vec<String>,
    dnssec: Dnssec,
    /// What is kept back. Names, mail and telephones of persons are never told.
    redacted: Vec<String>,
    sources: Vec<Source>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Reads the registration of a domain over RDAP: registrar, dates, statuses in plain words, name servers, DNSSEC.
///
/// The registry is found by IANA's list, and the registrar's own answer is read where the registry names it. WHOIS is never
/// asked.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 12),
    needs = ["web", "dns"],
    phrasings = [
        "who is the registrar of this domain",
        "when does this domain expire",
        "whois of a domain",
        "how old is this domain",
    ],
    examples = [{ "domain": "shop.example" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Registration> {
    let (domain, reduced) = registrable(args.domain.as_str(), "/domain")?;
    let mut registries = Registries::new();
    let mut answered = registries.ask(cx, &domain);
    if let Answered::Paced(seconds) = answered {
        let message = format!("the registry wants to be left alone for {seconds} seconds; ask again then");
        return Err(Fault::unavailable("registry_paced", message).detail(json!({ "retry_after": seconds })));
    }
    let mut degraded = Vec::new();
    let mut sources = registries.sources();
    let mut registrar = None;
    if let Answered::Object(object) = &mut answered
        && let Some(url) = object.registrar_url()
    {
        let (source, found) = registries.of_registrar(cx, &url, &domain);
        sources.push(source);
        match found {
            Some(other) => {
                registrar = other.registrar_expires_at();
                object.add(other);
            }
            None => degraded.push(Degraded::new("registrar", "the registrar's own answer did not come")),
        }
    }
    let ds = cx.dns().lookup(&Question::new(&domain, "DS")).ok().filter(|it| it.outcome != sdk::Outcome::Failed);
    let name_system = ds.map(|it| it.entries.iter().any(|entry| entry.kind == "DS"));
    let (state, object) = match answered {
        Answered::Object(object) => (State::Registered, *object),
        Answered::NotFound => (State::NotFound, Object::default()),
        other => {
            degraded.push(Degraded::new("state", other.why()));
            (State::Unknown, Object::default())
        }
    };
    let mut next = Vec::new();
    if state == State::NotFound {
        let check = Fix::new("domains.availability.check", json!({ "names": [domain] }));
        next.push(check.because("says whether it can be registered: a registry may also keep names back"));
    }
    let days = |at: Moment| {
        let (at, now) = (at.day().since_epoch(), cx.now().day().since_epoch());
        i64::from(at - now)
    };
    let conflict = object.signed.zip(name_system).is_some_and(|(registry, names)| registry != names);
    Ok(Registration {
        domain,
        reduced,
        state,
        registrar: self::registrar(&object),
        created_at: object.created_at,
        changed_at: object.changed_at,
        expires_at: object.expires_at,
        registrar_expires_at: registrar.or(object.registrar_expires_at).filter(|it| Some(*it) != object.expires_at),
        days_left: object.expires_at.map(days),
        statuses: object.statuses.iter().map(|it| status(it)).collect(),
        nameservers: object.nameservers,
        dnssec: Dnssec { registry: object.signed, name_system, conflict },
        redacted: object.redacted,
        sources,
        degraded,
        next,
    })
}

/// Whether the registry shows a domain with a registrar, and where an end is given, with an end that is not before it.
pub(crate) fn shows(cx: &Cx, domain: &str, registrar: &str, until: Option<Moment>) -> bool {
    let Answered::Object(object) = Registries::new().ask(cx, domain) else { return false };
    let holder = object.registrar_name.as_deref().unwrap_or_default().to_ascii_lowercase();
    // A registrar's own date may be a day from the registry's.
    let reaches = |until: Moment| object.expires_at.is_some_and(|it| it.millis() + 2 * 86_400_000 >= until.millis());
    holder.contains(&registrar.to_ascii_lowercase()) && until.is_none_or(reaches)
}

fn status(status: &str) -> Status {
    let Meaning { meaning, blocks } = statuses::of(status);
    Status {
        status: status.to_owned(),
        meaning: meaning.to_owned(),
        blocks: blocks.iter().map(|it| (*it).to_owned()).collect(),
    }
}

/// Who sells the name, as far as it is told.
pub(crate) fn registrar(object: &Object) -> Option<Registrar> {
    let known = object.registrar_name.is_some() || object.registrar_id.is_some();
    known.then(|| Registrar {
        name: object.registrar_name.clone(),
        iana_id: object.registrar_id.clone(),
        url: object.registrar_site.clone(),
    })
}
