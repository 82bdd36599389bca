//! What parameters do, and the traps that they make.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    Address, Effect, FEWEST, Families, Family, MOST, Parameter, Reason, Trap, is_date, is_number, is_token, is_year,
};

/// Names that sessions have.
const SESSIONS: &[&str] = &[
    "sid",
    "session",
    "sessionid",
    "session_id",
    "phpsessid",
    "jsessionid",
    "aspsessionid",
    "cfid",
    "cftoken",
    "sess",
];
/// Names that say where a visitor came from, beside those that normalisation takes away.
const TRACKERS: &[&str] = &[
    "ref",
    "referrer",
    "referer",
    "source",
    "src",
    "from",
    "campaign",
    "cid",
    "affiliate",
    "aff",
    "partner",
    "origin",
];
/// Names that put the same things in another order or shape.
const SORTERS: &[&str] = &[
    "sort",
    "sortby",
    "sort_by",
    "order",
    "orderby",
    "order_by",
    "dir",
    "direction",
    "view",
    "display",
    "layout",
    "limit",
    "per_page",
    "perpage",
    "pagesize",
    "page_size",
];
/// Names of calendars.
const CALENDARS: &[&str] = &["date", "day", "month", "year", "week", "from_date", "start", "cal", "tribe-bar-date"];
/// Different days, months or years that make a calendar endless.
const MOST_DATES: usize = 12;
/// Addresses of one path that combine filters.
const FACETED: u64 = 30;

#[derive(Default)]
struct Use<'a> {
    family: Family<'a>,
    values: HashSet<&'a str>,
    dates: usize,
    tokens: usize,
    numbers: usize,
    /// Contents of addresses that differ in this parameter alone.
    twins: HashMap<u64, (u32, HashSet<u64>)>,
}

/// The parameters of a site, and the traps among them.
pub(super) fn look<'a>(addresses: &[Address<'a>]) -> (Vec<Parameter>, Vec<Trap>) {
    let mut uses: BTreeMap<&str, Use<'a>> = BTreeMap::new();
    for address in addresses {
        for (name, value) in &address.parameters {
            uses.entry(name).or_default().add(address, name, value);
        }
    }
    // The same page without the parameter is a twin too.
    for address in addresses {
        let Some(content) = address.content else { continue };
        let own = rest_of(address, "");
        for it in uses.values_mut() {
            if let Some((count, contents)) = it.twins.get_mut(&own) {
                *count += 1;
                contents.insert(content);
            }
        }
    }
    let mut traps = Vec::new();
    let mut explained = BTreeSet::new();
    for (name, it) in &uses {
        if let Some(reason) = it.reason(name) {
            explained.insert(*name);
            traps.push(it.family.trap(format!("*{name}=*"), reason, vec![format!("?{name}="), format!("&{name}=")]));
        }
    }
    facets(addresses, &explained, &mut traps);
    let mut parameters: Vec<Parameter> = uses
        .iter()
        .map(|(name, it)| Parameter {
            name: crate::text::clip(name, 100).to_owned(),
            effect: it.effect(),
            distinct: it.values.len() as u64,
            urls: it.family.urls,
        })
        .collect();
    parameters.sort_by(|a, b| b.urls.cmp(&a.urls).then_with(|| a.name.cmp(&b.name)));
    parameters.truncate(MOST);
    (parameters, traps)
}

impl<'a> Use<'a> {
    fn add(&mut self, address: &Address<'a>, name: &str, value: &'a str) {
        self.family.add(address);
        if self.values.insert(value) {
            self.dates += usize::from(is_date(value) || is_year(value));
            self.tokens += usize::from(is_token(value));
            self.numbers += usize::from(is_number(value));
        }
        if let Some(content) = address.content {
            let (count, contents) = self.twins.entry(rest_of(address, name)).or_default();
            *count += 1;
            contents.insert(content);
        }
    }

    fn effect(&self) -> Effect {
        let compared: Vec<_> = self.twins.values().filter(|(count, _)| *count > 1).collect();
        let same = compared.iter().filter(|(_, contents)| contents.len() == 1).count();
        match compared.len() {
            0 => Effect::Unknown,
            all if same * 5 >= all * 4 => Effect::Nothing,
            // One page of a long list is enough to show that the rest repeats itself.
            _ if self.family.is_collapsed() => Effect::Nothing,
            _ => Effect::Changes,
        }
    }

    fn reason(&self, name: &str) -> Option<Reason> {
        if self.values.len() < 2 || self.family.urls < FEWEST as u64 {
            return None;
        }
        let name = name.to_ascii_lowercase();
        let known = |names: &[&str]| names.contains(&name.as_str());
        let effect = self.effect();
        let machine_made =
            self.tokens * 10 >= self.values.len() * 8 && self.values.len() as u64 * 5 >= self.family.urls * 4;
        if effect != Effect::Changes && (known(SESSIONS) || machine_made) {
            return Some(Reason::Session);
        }
        let dated = self.dates >= MOST_DATES || (known(CALENDARS) && self.numbers >= MOST_DATES);
        if dated && (self.family.variety() < 0.5 || self.family.fetched * 2 < self.family.urls) {
            return Some(Reason::Calendar);
        }
        if known(SORTERS) {
            return Some(Reason::Sorting);
        }
        if effect != Effect::Nothing {
            return None;
        }
        Some(if known(TRACKERS) { Reason::Tracking } else { Reason::SameContent })
    }
}

/// Paths whose filters are combined with each other.
fn facets<'a>(addresses: &[Address<'a>], explained: &BTreeSet<&str>, traps: &mut Vec<Trap>) {
    let mut paths: Families<'a, &str> = BTreeMap::new();
    let mut names: HashMap<&str, (BTreeSet<&str>, HashSet<Vec<&str>>)> = HashMap::new();
    for address in addresses {
        let own: Vec<&str> =
            address.parameters.iter().map(|(name, _)| *name).filter(|name| !explained.contains(name)).collect();
        if own.len() < 2 {
            continue;
        }
        let (all, sets) = names.entry(address.path).or_default();
        all.extend(&own);
        sets.insert(own);
        paths.entry(address.path).or_default().add(address);
    }
    for (path, family) in paths {
        let Some((all, sets)) = names.get(path) else { continue };
        if all.len() < 3 || sets.len() < 4 || family.urls < FACETED {
            continue;
        }
        let list: Vec<&str> = all.iter().copied().take(10).collect();
        let exclude = vec![format!("{path}?*&*")];
        traps.push(family.trap(format!("{path}?{{{}}}", list.join(",")), Reason::Facets, exclude));
    }
}

/// A hash of the address without one parameter.
fn rest_of(address: &Address<'_>, without: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    address.path.hash(&mut hasher);
    for (name, value) in address.parameters.iter().filter(|(name, _)| *name != without) {
        (name, value).hash(&mut hasher);
    }
    hasher.finish()
}
