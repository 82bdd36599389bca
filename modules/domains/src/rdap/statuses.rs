//! Statuses of domains in plain words (RFC 8056, RFC 3915, RFC 5731).

/// What a status means.
pub(super) struct Meaning {
    pub(super) meaning: &'static str,
    /// Of `transfer`, `update`, `delete`, `renew`, `resolution`.
    pub(super) blocks: &'static [&'static str],
}

/// Statuses with their meaning and what they keep from being done.
const KNOWN: [(&str, &str, &[&str]); 24] = [
    ("active", "nothing stands against its use", &[]),
    ("inactive", "it has no name servers, so it does not resolve", &["resolution"]),
    ("locked", "it cannot be changed", &["transfer", "update", "delete"]),
    ("reserved", "the registry keeps it back", &["transfer", "update", "delete", "renew", "resolution"]),
    ("pending create", "it is being registered", &["resolution"]),
    ("pending renew", "its renewal is under way", &[]),
    ("pending transfer", "it is moving to another registrar", &["transfer"]),
    ("pending update", "a change of it is under way", &["update"]),
    (
        "pending delete",
        "it will be deleted within days and cannot be had back",
        &["transfer", "update", "renew", "resolution"],
    ),
    ("pending restore", "its holder is taking it back", &["transfer", "delete"]),
    (
        "redemption period",
        "it was deleted; its holder can still take it back, for a fee",
        &["transfer", "update", "resolution"],
    ),
    ("add period", "it was registered within the last days", &[]),
    ("auto renew period", "it ran out and was renewed by itself; that can still be undone", &[]),
    ("renew period", "it was renewed within the last days", &[]),
    ("transfer period", "it came from another registrar within the last days", &[]),
    ("client delete prohibited", "the registrar has locked it against deletion", &["delete"]),
    ("client hold", "the registrar has taken it out of the name system", &["resolution"]),
    ("client renew prohibited", "the registrar has locked it against renewal", &["renew"]),
    ("client transfer prohibited", "the registrar has locked it against transfer, as is usual", &["transfer"]),
    ("client update prohibited", "the registrar has locked it against changes", &["update"]),
    ("server delete prohibited", "the registry has locked it against deletion", &["delete"]),
    ("server hold", "the registry has taken it out of the name system", &["resolution"]),
    ("server transfer prohibited", "the registry has locked it against transfer", &["transfer"]),
    ("server update prohibited", "the registry has locked it against changes", &["update"]),
];

/// What a status means.
pub(super) fn of(status: &str) -> Meaning {
    let known = KNOWN.iter().find(|(name, _, _)| name.eq_ignore_ascii_case(status));
    match known {
        Some((_, meaning, blocks)) => Meaning { meaning, blocks },
        None if status.eq_ignore_ascii_case("server renew prohibited") => {
            Meaning { meaning: "the registry has locked it against renewal", blocks: &["renew"] }
        }
        None => Meaning { meaning: "a status of this registry", blocks: &[] },
    }
}
