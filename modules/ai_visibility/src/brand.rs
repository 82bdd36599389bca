//! The operation `ai_visibility.brand.set`, and the brands of a website.

pub(crate) mod detect;
pub(crate) mod folded;
pub(crate) mod markup;
pub(crate) mod reading;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Fix, json};
use site::Site;

use detect::Detector;

/// Letters from which an alias can stand alone.
const MIN_LETTERS: usize = 3;

/// A brand as it is looked for.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Brand {
    /// What it is called.
    pub(crate) name: String,
    /// Other names of it.
    pub(crate) aliases: Vec<String>,
    /// Products that stand for it.
    pub(crate) products: Vec<String>,
    /// Its domains.
    pub(crate) domains: Vec<String>,
    /// Phrases that contain a name of it and mean something else.
    pub(crate) exclude: Vec<String>,
    /// Whether it is the website's own.
    pub(crate) own: bool,
}

impl Brand {
    /// Every name that is looked for.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).chain(&self.aliases).chain(&self.products)
    }
}

/// The brands of a website. The id is the website's.
#[record(collection = "brands", thing = "brand set", reference = "brand_set_ref")]
pub(crate) struct BrandSet {
    /// The website.
    pub(crate) site_id: String,
    /// Counts up with every change.
    pub(crate) set_version: u32,
    /// The brands.
    pub(crate) brands: Vec<Brand>,
    /// When they were set.
    pub(crate) changed_ms: u64,
}

/// A brand to look for in answers.
#[args]
pub(crate) struct Given {
    /// What it is called.
    name: Text<1, 80>,
    /// Other names of it, as people write them.
    aliases: Option<List<Text<1, 80>, 0, 20>>,
    /// Products that stand for it.
    products: Option<List<Text<1, 80>, 0, 50>>,
    /// Its domains.
    domains: Option<List<Domain, 0, 20>>,
    /// Phrases that contain one of its names and mean something else: `lumen per watt` for the brand Lumen.
    exclude: Option<List<Text<1, 80>, 0, 30>>,
    /// Whether it is the website's own.
    #[default(false)]
    own: bool,
}

#[args]
pub(crate) struct Set {
    /// The website.
    site_id: Id<Site>,
    /// The whole set: brands that are not in it are not looked for any more. At least one is the website's own.
    brands: List<Given, 1, 30>,
    /// Sentences to try the set with.
    test_texts: Option<List<Text<1, 2_000>, 0, 20>>,
}

/// A mention in a test text.
#[value]
pub(crate) struct Hit {
    brand: String,
    /// Where it begins, in characters.
    start: u32,
    /// Where it ends.
    end: u32,
    /// The words of the text.
    text: String,
}

/// What was found in a test text.
#[value]
pub(crate) struct Matched {
    /// Its place in `test_texts`, from 0.
    text: u32,
    hits: Vec<Hit>,
}

/// The set as it is kept.
#[value]
pub(crate) struct Kept {
    /// Counts up with every change; an answer knows with which it was read.
    set_version: u32,
    brands: Vec<Brand>,
    test_matches: Vec<Matched>,
    /// Runs whose answers were read with an earlier set; the next run reads them anew, and until then reports leave them out.
    redetect_pending: u64,
    next: Vec<sdk::Next>,
}

/// Defines brands to detect in answers: names, aliases, products, domains, look-alike words to exclude, and competitors, each tested against sample sentences.
///
/// Names are found in any case and with or without accents, between word boundaries; a name that is a common word of the
/// answer's language only as it is written here. An address of a domain is a source and no mention.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["replaces the brands that answers are read for"],
    needs = ["store"],
    phrasings = [
        "which brands should be tracked in chatgpt answers",
        "add my brand and competitors for AI visibility",
        "my brand name is also an ordinary word",
        "test brand detection on a sentence",
    ],
    examples = [
        { "site_id": "4503599627370496", "brands": [{ "name": "Lamp Shop", "domains": ["shop.example"], "own": true }, { "name": "Bright Ltd" }] },
        { "site_id": "4503599627370496", "brands": [{ "name": "Lumen", "exclude": ["lumen per watt"], "own": true }], "test_texts": ["Lumen sells lamps of 800 lumen."] },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Kept> {
    let site = site::get(cx, &args.site_id)?;
    let brands: Vec<Brand> = args.brands.iter().map(brand).collect();
    check(&brands)?;
    let id: Id<BrandSet> = site.id.cast();
    let records = cx.records::<BrandSet>();
    let changed_ms = cx.now().millis();
    let version = match records.find(&id) {
        Some(before) if before.brands == brands => before.set_version,
        Some(mut before) => {
            before.it.set_version += 1;
            (before.it.brands, before.it.changed_ms) = (brands.clone(), changed_ms);
            records.save(before)?.set_version
        }
        None => {
            let set = BrandSet { site_id: site.id.to_string(), set_version: 1, brands: brands.clone(), changed_ms };
            records.insert_as(id, set)?.set_version
        }
    };
    let detector = Detector::new(&brands);
    let texts = args.test_texts.iter().flatten().map(Text::as_str);
    let test_matches = texts.zip(0..).map(|(text, at)| Matched { text: at, hits: hits(&detector, &brands, text) });
    let test_matches = test_matches.collect();
    let runs = cx.records::<crate::stored::Run>().by("site_id_created_ms").equals(&site.id).scan();
    let old = runs.filter(|run| run.brands_version.is_some_and(|it| it != version)).count() as u64;
    let next = sdk::Next::new("ai_visibility.prompt.suggest", json!({ "site_id": site.id }), "suggests what to ask");
    Ok(Kept { set_version: version, brands, test_matches, redetect_pending: old, next: vec![next] })
}

fn brand(given: &Given) -> Brand {
    let texts = |list: &[String]| {
        let mut out: Vec<String> = Vec::new();
        for it in list {
            let text = kit::text::collapse(it);
            if !text.is_empty() && !out.contains(&text) {
                out.push(text);
            }
        }
        out
    };
    let own = |list: Option<Vec<String>>| texts(&list.unwrap_or_default());
    let words = |list: &[Text<1, 80>]| list.iter().map(|it| it.as_str().to_owned()).collect::<Vec<_>>();
    Brand {
        name: kit::text::collapse(given.name.as_str()),
        aliases: own(given.aliases.as_ref().map(|it| words(it))),
        products: own(given.products.as_ref().map(|it| words(it))),
        domains: own(given.domains.as_ref().map(|all| all.iter().map(|it| plain(it.as_str())).collect())),
        exclude: own(given.exclude.as_ref().map(|it| words(it))),
        own: given.own,
    }
}

/// A domain without `www.`.
pub(crate) fn plain(domain: &str) -> String {
    domain.strip_prefix("www.").unwrap_or(domain).to_owned()
}

fn check(brands: &[Brand]) -> Result<()> {
    if !brands.iter().any(|it| it.own) {
        return Err(Fault::invalid(
            "/brands",
            "own_missing",
            "one brand at least is the website's: set its own to true",
        ));
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for (at, brand) in brands.iter().enumerate() {
        for name in brand.names() {
            let folded = folded::fold(name);
            let letters = folded.chars().filter(|it| it.is_alphanumeric()).count();
            if letters == 0 {
                let message = format!("`{name}` has no letters or digits");
                return Err(Fault::invalid(format!("/brands/{at}"), "no_letters", message));
            }
            let excluded = brand.exclude.iter().any(|it| folded::fold(it).contains(&folded));
            if letters < MIN_LETTERS && !excluded {
                let message = format!(
                    "`{name}` is too short to stand alone; give phrases with it that mean something else as exclude"
                );
                return Err(Fault::invalid(format!("/brands/{at}"), "too_short", message));
            }
            if names.insert(folded, at).is_some_and(|other| other != at) {
                let message = format!("`{name}` is a name of two brands");
                return Err(Fault::invalid(format!("/brands/{at}"), "alias_repeated", message));
            }
        }
        for phrase in &brand.exclude {
            let folded = folded::fold(phrase);
            if !brand.names().any(|name| folded.contains(&folded::fold(name))) {
                let message = format!("`{phrase}` contains no name of the brand, so that it excludes nothing");
                return Err(Fault::invalid(format!("/brands/{at}/exclude"), "excludes_nothing", message));
            }
        }
    }
    Ok(())
}

fn hits(detector: &Detector, brands: &[Brand], text: &str) -> Vec<Hit> {
    let language = kit::language::detect(text).map_or("", |it| it.language);
    let hit = |found: detect::Found| Hit {
        brand: brands[found.brand].name.clone(),
        start: u32::try_from(found.start).unwrap_or(u32::MAX),
        end: u32::try_from(found.end).unwrap_or(u32::MAX),
        text: text.chars().skip(found.start).take(found.end - found.start).collect(),
    };
    detector.find(text, language).into_iter().map(hit).collect()
}

/// The brands of a website.
///
/// # Errors
/// 409 `brands_required` when none are set.
pub(crate) fn required(cx: &Cx, site: &Stored<Site>) -> Result<Stored<BrandSet>> {
    cx.records::<BrandSet>().find(&site.id.cast()).ok_or_else(|| {
        let own = json!([{ "name": plain(&site.domain), "domains": [plain(&site.domain)], "own": true }]);
        let fix = Fix::new("ai_visibility.brand.set", json!({ "site_id": site.id, "brands": own }));
        Fault::conflict("brands_required", "no brands of this website are set; call ai_visibility.brand.set first")
            .at("/site_id")
            .detail(json!({ "operation_id": fix.operation_id, "arguments": fix.arguments }))
    })
}
