//! The operation `audit.thin_content.report`.

use std::collections::{BTreeMap, HashMap};

use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use super::findings::Whole;
use super::{Ground, Judged};
use crate::index::Entry;

/// Pages of one type that are needed for its median to say something.
const TYPE: usize = 5;
/// A page with less than this part of its type's median is thin among its like.
const SHARE: f64 = 0.4;
/// Pages that one report takes from each of the rules behind it.
const TAKEN: usize = 2_000;

/// Why a page is thin; the first that applies.
#[value]
pub(crate) enum Reason {
    /// It answers 200 and says that it is not there.
    #[serde(rename = "soft_404")]
    SoftNotFound,
    /// The text that a template or an editor puts there by itself.
    Placeholder,
    /// Almost nothing without JavaScript.
    EmptyShell,
    /// The same text as other pages of its type, and less than they mostly have.
    EmptyTemplate,
    /// Fewer words than a page needs.
    FewWords,
    /// Far fewer words than pages of its type mostly have.
    BelowItsType,
}

/// A thin page.
#[value]
pub(crate) struct Row {
    /// The page.
    url: String,
    /// Pages of one folder are of one type, such as `/lamps/*`; folders with few pages count with the one above.
    #[serde(rename = "type")]
    kind: String,
    /// Words of its main content, without navigation and what surrounds it.
    words: u32,
    /// What pages of its type mostly have.
    median: u32,
    /// Why it is thin.
    reason: Reason,
    /// The call that acts on it.
    fix: Fix,
}

impl Reason {
    /// What acts on a page: what is not there leaves the index, a shell is looked into, a text is written anew.
    fn act(self, url: &str, site: &str) -> Fix {
        match self {
            Self::SoftNotFound => {
                let arguments = json!({ "site_id": site, "urls": [url], "reason": "low_value" });
                Fix::new("indexing.removal.plan", arguments)
            }
            Self::EmptyShell => Fix::on("onpage.render_risk.check", url),
            Self::Placeholder | Self::EmptyTemplate | Self::FewWords | Self::BelowItsType => {
                Fix::new("content.refresh.plan", json!({ "site_id": site, "url": url }))
                    .if_served()
                    .unwrap_or_else(|| Fix::on("audit.page.check", url))
            }
        }
    }
}

/// Thin pages.
#[page]
pub(crate) struct Thin {
    /// Pages, the worst reason first.
    rows: Vec<Row>,
    /// Pages by reason.
    summary: BTreeMap<Reason, u32>,
    /// What the report stands on.
    #[serde(flatten)]
    judged: Judged,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports pages with little main content after boilerplate removal, empty templates, placeholder text and soft 404s,
/// judged against the page type's own median.
///
/// Only pages that may be indexed are judged. A page is thin with fewer than 100 words (`audit.rule.configure`, content.thin), and with less than two fifths of
/// the median of its type when that has five pages or more.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["find thin content", "which pages have too little text", "soft 404 pages and empty category pages", "pages with placeholder text"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn report(cx: &Cx, args: Whole) -> Result<Answer<Thin>> {
    let mut ground = Ground::of(cx, &args.run_ref)?;
    let entries = ground.entries();
    let pages: Vec<&Entry> = entries.iter().filter(|entry| entry.page && entry.indexable).collect();
    let types = Types::of(&pages, ground.limits.words);
    let mut thin: Vec<(Reason, &Entry)> = Vec::new();
    let seen = seen(&ground)?;
    for page in &pages {
        let reason = seen.get(&page.url).copied().or_else(|| types.reason(page));
        thin.extend(reason.map(|reason| (reason, *page)));
    }
    thin.sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| one.url.cmp(&other.url)));
    let mut summary = BTreeMap::new();
    for (reason, _) in &thin {
        *summary.entry(*reason).or_default() += 1;
    }
    let page = args.window(thin)?;
    let rows: Vec<Row> = page.items.into_iter().map(|(reason, page)| types.row(page, reason, ground.site())).collect();
    let units = rows.len() as u64;
    Ok(Answer::new(Thin { summary, rows, judged: ground.judged, degraded: ground.degraded, next_cursor: page.next })
        .units(units))
}

/// Pages that rules about one page call thin.
fn seen(ground: &Ground<'_>) -> Result<HashMap<String, Reason>> {
    let rules = [
        ("content.empty_shell", Reason::EmptyShell),
        ("content.placeholder", Reason::Placeholder),
        ("response.soft_404", Reason::SoftNotFound),
    ];
    let mut seen = HashMap::new();
    for (rule, reason) in rules {
        seen.extend(ground.first(&[rule], TAKEN)?.into_iter().map(|found| (found.url, reason)));
    }
    Ok(seen)
}

/// Pages by type.
struct Types {
    /// The median of each type, and its pages.
    medians: HashMap<String, (u32, usize)>,
    /// How many pages of a type have a text.
    texts: HashMap<(String, String), usize>,
    /// The type of each page.
    names: HashMap<String, String>,
    /// Words that every page needs.
    least: u32,
}

impl Types {
    fn of(pages: &[&Entry], least: u32) -> Self {
        let mut sizes: HashMap<String, usize> = HashMap::new();
        for page in pages {
            for folder in folders(&page.url) {
                *sizes.entry(folder).or_default() += 1;
            }
        }
        let mut words: HashMap<String, Vec<u32>> = HashMap::new();
        let mut types = Self { medians: HashMap::new(), texts: HashMap::new(), names: HashMap::new(), least };
        for page in pages {
            let kind = folders(&page.url).find(|folder| sizes[folder] >= TYPE).unwrap_or_else(|| "/*".to_owned());
            words.entry(kind.clone()).or_default().push(page.words);
            *types.texts.entry((kind.clone(), page.text_hash.clone())).or_default() += 1;
            types.names.insert(page.url.clone(), kind);
        }
        for (kind, mut words) in words {
            words.sort_unstable();
            types.medians.insert(kind, (words[words.len() / 2], words.len()));
        }
        types
    }

    fn median(&self, url: &str) -> (u32, usize) {
        self.names.get(url).and_then(|kind| self.medians.get(kind)).copied().unwrap_or_default()
    }

    fn reason(&self, page: &Entry) -> Option<Reason> {
        let (median, pages) = self.median(&page.url);
        let below = |part: f64| pages >= TYPE && f64::from(page.words) < part * f64::from(median);
        let kind = self.names.get(&page.url).cloned().unwrap_or_default();
        let same = self.texts.get(&(kind, page.text_hash.clone())).copied().unwrap_or_default();
        if same > 1 && !page.text_hash.is_empty() && below(1.0) {
            return Some(Reason::EmptyTemplate);
        }
        if page.words < self.least {
            return Some(Reason::FewWords);
        }
        below(SHARE).then_some(Reason::BelowItsType)
    }

    fn row(&self, page: &Entry, reason: Reason, site: &str) -> Row {
        Row {
            url: page.url.clone(),
            kind: self.names.get(&page.url).cloned().unwrap_or_default(),
            words: page.words,
            median: self.median(&page.url).0,
            fix: reason.act(&page.url, site),
            reason,
        }
    }
}

/// The folders of an address as patterns, the innermost first: `/shop/lamps/*`, `/shop/*`, `/*`.
fn folders(url: &str) -> impl Iterator<Item = String> {
    let path = kit::url::path_and_query(url).split('?').next().unwrap_or_default().to_owned();
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at + 1).collect();
    let mut patterns: Vec<String> = ends.into_iter().rev().map(|end| format!("{}*", &path[..end])).collect();
    if patterns.is_empty() {
        patterns.push("/*".to_owned());
    }
    patterns.into_iter()
}
