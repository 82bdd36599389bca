//! The operation `monitoring.page_weight.check`.

mod find;
mod gather;
mod third_party;

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, Severity};
use site::live::Seen;

use gather::{Kind, Loaded};

/// Files that a result lists, the heaviest first.
const LISTED: usize = 50;

#[args]
pub(crate) struct Check {
    /// A public page.
    url: Url,
    /// At most this many files that it declares.
    #[default(100)]
    max_resources: Count<10, 200>,
}

/// Files of a type.
#[value]
#[derive(Default)]
pub(crate) struct Weight {
    files: u64,
    bytes: u64,
}

/// A file.
#[value]
pub(crate) struct File {
    url: String,
    kind: Kind,
    /// As it is sent, packed where it is.
    bytes: u64,
    /// Whether that is estimated, because the answer does not say it.
    estimated: bool,
    status: u16,
    third_party: bool,
}

/// What would make the page lighter or quicker.
#[value]
pub(crate) struct Finding {
    /// The rule.
    #[own]
    problem: String,
    severity: Severity,
    #[own]
    message: String,
    /// Bytes that it would save, about.
    saved_bytes: Option<u64>,
    /// The first files at fault, and how many there are.
    urls: Vec<String>,
    affected: u64,
    fix: Option<Fix>,
}

/// Files of another company.
#[value]
pub(crate) struct ThirdParty {
    domain: String,
    /// What it is, where that is known.
    #[own]
    name: Option<String>,
    /// Such as `analytics` or `advertising`.
    #[own]
    category: Option<String>,
    files: u64,
    bytes: u64,
    blocking_files: u64,
}

/// What a page loads.
#[value]
pub(crate) struct Weighed {
    page: Seen,
    total_bytes: u64,
    files: u64,
    by_type: BTreeMap<String, Weight>,
    /// Those that save the most first.
    findings: Vec<Finding>,
    third_parties: Vec<ThirdParty>,
    /// The part of all bytes that comes from others.
    third_party_share: f64,
    /// The heaviest first, at most 50.
    heaviest: Vec<File>,
    degraded: Vec<Degraded>,
}

/// Downloads a page's declared resources and reports bytes by type, compression, caching, render-blocking files, unused preload, third parties and estimated savings.
///
/// Files that scripts load later are not seen. Pictures are those that a phone of 412 and a screen of 1,350 pixels would choose. The
/// host asks for gzip, so a server that offers br sends less to browsers. One call makes a request for each file: with 100 files it
/// costs up to 305 points, and account.cost.estimate says how many before.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = max_resources),
    needs = ["web"],
    phrasings = ["how heavy is my page", "page weight by type", "render blocking resources", "which third parties slow my page"],
    examples = [{ "url": "https://shop.example/lamps" }, { "url": "https://shop.example/", "max_resources": 50 }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Answer<Weighed>> {
    let page = site::live::page(cx, &args.url, "/url")?;
    let most = usize::try_from(args.max_resources.get()).unwrap_or(100);
    let mut degraded = Vec::new();
    let declared = gather::declared(&page);
    if declared.len() > most {
        let why = format!("the page declares {} files, and the first {most} were fetched", declared.len());
        degraded.push(Degraded::new("files", why));
    }
    let (loaded, asked) = gather::load(cx, &page, declared, most, &mut degraded);
    let own = kit::url::Url::parse(&page.facts.final_url).ok();
    let host = own.as_ref().and_then(|it| it.host_str()).unwrap_or_default().to_owned();
    let own_domain = kit::url::registrable_domain(&host).unwrap_or(&host).to_owned();
    let is_third = |url: &str| third_party::domain(url) != own_domain;
    let mut by_type: BTreeMap<String, Weight> = BTreeMap::new();
    let mut add = |kind: Kind, bytes: u64| {
        let of = by_type.entry(kind.name().to_owned()).or_default();
        (of.files, of.bytes) = (of.files + 1, of.bytes + bytes);
    };
    let document = gather::document(&page);
    add(Kind::Document, document.bytes);
    loaded.iter().for_each(|it| add(it.kind, it.bytes));
    let total_bytes = document.bytes + loaded.iter().map(|it| it.bytes).sum::<u64>();
    let third_bytes: u64 = loaded.iter().filter(|it| is_third(&it.url)).map(|it| it.bytes).sum();
    let findings = find::findings(&page, &document, &loaded, &is_third);
    let mut heaviest: Vec<&Loaded> = loaded.iter().chain([&document]).collect();
    heaviest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.url.cmp(&b.url)));
    let files = loaded.len() as u64 + 1;
    let weighed = Weighed {
        total_bytes,
        files,
        by_type,
        findings,
        third_parties: third_party::sums(&loaded, &is_third),
        third_party_share: if total_bytes > 0 {
            round(as_number(third_bytes) / as_number(total_bytes), 4)
        } else {
            0.0
        },
        heaviest: heaviest
            .into_iter()
            .take(LISTED)
            .map(|it| File {
                url: it.url.clone(),
                kind: it.kind,
                bytes: it.bytes,
                estimated: it.estimated,
                status: it.status,
                third_party: is_third(&it.url),
            })
            .collect(),
        page: page.seen(),
        degraded,
    };
    Ok(Answer::new(weighed).units(asked + 1))
}

#[cfg(test)]
mod tests;
