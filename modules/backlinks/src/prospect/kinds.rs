//! Kinds of prospects: what is searched for, and what a page of the kind must have.

use kit::page::{PageFacts, Placement};
use sdk::prelude::*;

/// A kind of prospect.
#[value]
#[derive(Default)]
pub(crate) enum Kind {
    /// A page that recommends pages of a topic.
    #[default]
    Resource,
    /// Such a page with links that are dead.
    Broken,
    /// A page that invites contributions.
    Guest,
    /// A list of websites that takes entries.
    Directory,
    /// A page that quotes figures of others.
    Citer,
    /// A list of dealers, stockists or partners.
    Supplier,
}

/// Links to others in the main part from which a page recommends.
const FEWEST: usize = 10;

/// What is searched for, by language; `{}` stands for the topic. As of 2026-11.
const PATTERNS: [(Kind, &str, &[&str]); 20] = [
    (
        Kind::Resource,
        "en",
        &["intitle:resources \"{}\"", "inurl:links \"{}\"", "\"useful links\" \"{}\"", "\"recommended sites\" \"{}\""],
    ),
    (Kind::Resource, "de", &["intitle:Linkliste \"{}\"", "\"nützliche Links\" \"{}\"", "inurl:links \"{}\""]),
    (Kind::Resource, "fr", &["\"liens utiles\" \"{}\"", "intitle:ressources \"{}\""]),
    (Kind::Resource, "es", &["\"enlaces de interés\" \"{}\"", "intitle:recursos \"{}\""]),
    (
        Kind::Guest,
        "en",
        &[
            "\"write for us\" \"{}\"",
            "\"guest post guidelines\" \"{}\"",
            "\"submission guidelines\" \"{}\"",
            "\"become a contributor\" \"{}\"",
        ],
    ),
    (Kind::Guest, "de", &["\"Gastbeitrag\" \"{}\" Richtlinien", "\"Gastautor werden\" \"{}\""]),
    (Kind::Guest, "fr", &["\"article invité\" \"{}\"", "\"proposer un article\" \"{}\""]),
    (Kind::Guest, "es", &["\"escribe para nosotros\" \"{}\"", "\"artículo invitado\" \"{}\""]),
    (
        Kind::Directory,
        "en",
        &[
            "\"{}\" directory \"add listing\"",
            "\"{}\" directory \"submit your site\"",
            "inurl:directory \"{}\" \"add your business\"",
        ],
    ),
    (
        Kind::Directory,
        "de",
        &["\"{}\" Branchenverzeichnis \"Eintrag hinzufügen\"", "\"{}\" Verzeichnis \"Firma eintragen\""],
    ),
    (Kind::Directory, "fr", &["\"{}\" annuaire \"ajouter un site\"", "\"{}\" annuaire \"inscrire votre entreprise\""]),
    (Kind::Directory, "es", &["\"{}\" directorio \"añadir empresa\"", "\"{}\" directorio \"agregar sitio\""]),
    (Kind::Citer, "en", &["\"{}\" statistics", "\"{}\" \"according to\" study", "\"{}\" facts and figures"]),
    (Kind::Citer, "de", &["\"{}\" Statistik", "\"{}\" \"laut einer Studie\""]),
    (Kind::Citer, "fr", &["\"{}\" statistiques", "\"{}\" \"selon une étude\""]),
    (Kind::Citer, "es", &["\"{}\" estadísticas", "\"{}\" \"según un estudio\""]),
    (Kind::Supplier, "en", &["\"{}\" stockists", "\"{}\" \"where to buy\"", "\"{}\" \"our partners\""]),
    (Kind::Supplier, "de", &["\"{}\" Händlerverzeichnis", "\"{}\" \"unsere Partner\""]),
    (Kind::Supplier, "fr", &["\"{}\" revendeurs", "\"{}\" \"nos partenaires\""]),
    (Kind::Supplier, "es", &["\"{}\" distribuidores", "\"{}\" \"nuestros socios\""]),
];
const GUEST: [&str; 14] = [
    "write for us",
    "guest post",
    "submission guidelines",
    "contributor guidelines",
    "become a contributor",
    "gastbeitrag",
    "gastautor",
    "gastartikel",
    "article invité",
    "proposer un article",
    "escribe para nosotros",
    "artículo invitado",
    "scrivi per noi",
    "guest author",
];
const DIRECTORY: [&str; 14] = [
    "add listing",
    "add your",
    "submit your",
    "submit a site",
    "list your",
    "eintrag hinzufügen",
    "firma eintragen",
    "jetzt eintragen",
    "ajouter un site",
    "inscrire votre",
    "añadir empresa",
    "agregar sitio",
    "aggiungi",
    "claim your listing",
];
const SUPPLIER: [&str; 14] = [
    "stockist",
    "where to buy",
    "dealer",
    "retailers",
    "our partners",
    "suppliers",
    "händler",
    "bezugsquellen",
    "unsere partner",
    "revendeurs",
    "nos partenaires",
    "distribuidores",
    "dónde comprar",
    "rivenditori",
];
const CITED: [&str; 12] = [
    "according to",
    "study",
    "survey",
    "report found",
    "laut",
    "studie",
    "umfrage",
    "selon",
    "étude",
    "según",
    "estudio",
    "percent",
];

/// The searches of a kind in a language; English ones for a language without its own.
pub(super) fn searches(kind: Kind, topic: &str, language: &str) -> Vec<String> {
    // Dead links stand on pages that recommend.
    let of = if kind == Kind::Broken { Kind::Resource } else { kind };
    let find = |language: &str| PATTERNS.iter().find(|it| it.0 == of && it.1 == language).map(|it| it.2);
    let patterns = find(language).or_else(|| find("en")).unwrap_or_default();
    patterns.iter().map(|it| it.replace("{}", topic)).collect()
}

/// Addresses of others that a page recommends: links out of its main part, each domain once.
pub(super) fn recommended(facts: &PageFacts, is_own: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut domains = std::collections::BTreeSet::new();
    let out = facts.links.iter().filter(|it| !it.internal && !it.url.is_empty() && it.placement == Placement::Main);
    out.map(|it| it.url.as_str()).filter(|it| !is_own(it) && domains.insert(crate::link::registrable(it))).collect()
}

/// How sure it is that a page is of the kind, from 0 to 1, and what shows it; none for a page that is not.
pub(super) fn shown(kind: Kind, facts: &PageFacts, content: &str, recommended: usize) -> Option<(f64, String)> {
    let headings = facts.headings.iter().map(|it| it.text.as_str());
    let head = headings.chain(facts.titles.iter().map(String::as_str)).collect::<Vec<_>>().join("\n").to_lowercase();
    let low = content.to_lowercase();
    let has = |words: &[&str]| {
        let above = words.iter().find(|it| head.contains(**it)).map(|it| (1.0, (*it).to_owned()));
        above.or_else(|| words.iter().find(|it| low.contains(**it)).map(|it| (0.6, (*it).to_owned())))
    };
    match kind {
        Kind::Resource | Kind::Broken => (recommended >= FEWEST).then(|| {
            let sure = if recommended >= 25 { 1.0 } else { 0.7 };
            (sure, format!("links to {recommended} other websites in its main part"))
        }),
        Kind::Guest => has(&GUEST).map(|(sure, word)| (sure, format!("says \"{word}\""))),
        Kind::Directory => {
            let form = !facts.forms.is_empty();
            has(&DIRECTORY)
                .filter(|_| form || recommended >= FEWEST)
                .map(|(sure, word)| (sure, format!("says \"{word}\"")))
        }
        Kind::Supplier => has(&SUPPLIER).map(|(sure, word)| (sure, format!("says \"{word}\""))),
        Kind::Citer => {
            let sentences = kit::sentence::sentences(content);
            let quotes = sentences.iter().filter(|it| {
                let low = it.to_lowercase();
                it.chars().any(|it| it.is_ascii_digit())
                    && (low.contains('%') || CITED.iter().any(|word| low.contains(word)))
            });
            let count = quotes.count();
            let sure = if count >= 5 { 1.0 } else { 0.7 };
            (count >= 2 && recommended > 0)
                .then(|| (sure, format!("quotes figures in {count} sentences, and links to sources")))
        }
    }
}
