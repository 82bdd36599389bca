//! The operation `keywords.set.create`.

use sdk::prelude::*;
use sdk::{Next, json};
use serps::Device;
use site::Site;

use crate::stored::{Counts, Set};

/// Sets of one website, at most.
const MAX_SETS: u64 = 200;

#[args]
pub(crate) struct Create {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The name; unique for the website and market.
    name: Text<1, 80>,
    /// The country whose searches count.
    country: Country,
    /// The language of the keywords.
    language: Language,
    /// The screen that results are looked at on.
    #[default("mobile")]
    device: Device,
}

/// A new set.
#[value]
pub(crate) struct Created {
    /// The set.
    set_ref: Id<Set>,
    /// The name.
    name: String,
    /// What is worth doing next.
    next: Vec<Next>,
}

/// Creates a keyword set for a website, market and language that research, mapping and rank tracking share.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["creates a keyword set"],
    needs = ["store"],
    phrasings = ["create a keyword list", "start keyword research for my site", "make a new keyword set for Germany", "group my keywords into a project"],
    examples = [{ "site_id": "4503599627370496", "name": "Lamps", "country": "GB", "language": "en" }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let site = site::get(cx, &args.site_id)?;
    let name = kit::text::collapse(args.name.as_str());
    if name.is_empty() {
        return Err(Fault::invalid("/name", "empty_name", "the name has no letters"));
    }
    let market = format!("{} {} {}", args.country, args.language, args.device.name());
    let folded = format!("{} {market}", name.to_lowercase());
    let sets = cx.records::<Set>();
    if let Some(other) = sets.by("site_id_folded").equals(&site.id).equals(&folded).first() {
        let message = "there is a set of this name for this website and market";
        return Err(Fault::conflict("set_exists", message).at("/name").detail(json!({ "set_ref": other.id })));
    }
    if sets.by("site_id_folded").equals(&site.id).count() >= MAX_SETS {
        let message = format!("a website has at most {MAX_SETS} sets; delete one with keywords.set.delete");
        return Err(Fault::conflict("too_many_sets", message).at("/site_id"));
    }
    let set = Set {
        site_id: site.id.to_string(),
        name: name.clone(),
        folded,
        country: args.country,
        language: args.language,
        device: args.device,
        created_ms: cx.now().millis(),
        counts: Counts::default(),
        refreshed_ms: None,
        clustered: None,
        mapped_ms: None,
        edits: Vec::new(),
        job_ref: None,
        deleting: false,
    };
    let set = sets.insert(set)?;
    let import =
        Next::new("keywords.item.import", json!({ "set_ref": set.id }), "opens an upload for a file of keywords");
    Ok(Created { set_ref: set.id, name, next: vec![import] })
}
