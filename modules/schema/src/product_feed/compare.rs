//! An item of a feed beside its page: what the Product markup says, and the price that readers see.

use sdk::prelude::*;
use serde_json::{Map, Value};

use super::gtin;
use super::read::Offer;
use crate::extract::context::bare;
use crate::extract::graph::Resolver;
use crate::extract::{text, types, values};
use crate::markup::visible::Visible;
use crate::money::{self, Money};
use crate::vocabulary;
use site::live::Live;

/// A difference, or a value that is wrong by itself.
#[value]
pub(crate) struct Mismatch {
    /// The item of the feed.
    id: String,
    /// Its page.
    pub(crate) url: String,
    /// `price`, `visible_price`, `currency`, `availability`, `gtin`, `title`, `markup` or `page`.
    field: String,
    /// What the feed says.
    feed: String,
    /// What the page says; empty when it says nothing.
    page: String,
}

impl Mismatch {
    fn new(offer: &Offer, field: &str, feed: &str, page: &str) -> Self {
        let of = |text: &str| kit::text::clip(text, 200).to_owned();
        Self { id: offer.id.clone(), url: offer.link.clone(), field: field.to_owned(), feed: of(feed), page: of(page) }
    }

    /// A page that could not be read.
    pub(super) fn unreachable(offer: &Offer, why: &str) -> Self {
        Self::new(offer, "page", "a page", why)
    }

    /// Whether markup on the page would mend it.
    pub(super) fn is_on_page(&self) -> bool {
        !matches!(self.field.as_str(), "page") && self.url.starts_with("http")
    }
}

/// What is wrong with an item by itself.
pub(super) fn alone(offer: &Offer) -> Vec<Mismatch> {
    let mut out = Vec::new();
    if !offer.gtin.is_empty() && gtin::normal(&offer.gtin).is_none() {
        out.push(Mismatch::new(offer, "gtin", &offer.gtin, "the check digit or the length is wrong"));
    }
    if money::parse(offer.due()).is_none() {
        out.push(Mismatch::new(offer, "price", offer.due(), "the feed has no price that can be read"));
    }
    out
}

/// The differences of an item and its page.
pub(super) fn compare(offer: &Offer, page: &Live) -> Vec<Mismatch> {
    let mut out = Vec::new();
    let found = crate::live::extracted(page);
    let resolver = Resolver::new(&found.items);
    let mut products = Vec::new();
    for item in &found.items {
        gather(&resolver.resolved(&item.value), 0, &mut products);
    }
    let feed = money::parse(offer.due());
    match chosen(&products, offer) {
        None => out.push(Mismatch::new(offer, "markup", "a product", "")),
        Some(product) => {
            let offers: Vec<Map<String, Value>> =
                values(product, "offers").iter().filter_map(Value::as_object).cloned().collect();
            prices(offer, feed, &offers, &mut out);
            availability(offer, &offers, &mut out);
            codes(offer, product, &offers, &mut out);
            title(offer, product, &mut out);
        }
    }
    if let (Some(feed), Some((_, seen))) = (feed, Visible::new(page).price())
        && (feed.milli != seen.milli || differ(feed.currency, seen.currency))
    {
        out.push(Mismatch::new(offer, "visible_price", &said(feed), &said(seen)));
    }
    out
}

fn gather(item: &Map<String, Value>, depth: usize, out: &mut Vec<Map<String, Value>>) {
    if types(item).iter().any(|it| vocabulary::get().is_a(it, "Product")) {
        out.push(item.clone());
    }
    if depth < 4 {
        for name in ["mainEntity", "hasVariant", "itemListElement", "item"] {
            for inner in values(item, name).iter().filter_map(Value::as_object) {
                gather(inner, depth + 1, out);
            }
        }
    }
}

/// The product of the page that the item means: the one with its number or code, else the first.
fn chosen<'a>(products: &'a [Map<String, Value>], offer: &Offer) -> Option<&'a Map<String, Value>> {
    let is = |product: &&Map<String, Value>| {
        let sku = values(product, "sku").iter().chain(values(product, "productID")).filter_map(text);
        let code = gtin::normal(&offer.gtin);
        sku.into_iter().any(|it| it == offer.id) || code.is_some() && gtins(product).any(|it| gtin::normal(&it) == code)
    };
    products.iter().find(is).or_else(|| products.first())
}

fn gtins(product: &Map<String, Value>) -> impl Iterator<Item = String> + '_ {
    ["gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn"]
        .into_iter()
        .flat_map(|it| values(product, it))
        .filter_map(text)
}

fn prices(offer: &Offer, feed: Option<Money>, offers: &[Map<String, Value>], out: &mut Vec<Mismatch>) {
    let priced = |it: &Map<String, Value>| {
        let inner = values(it, "priceSpecification").iter().find_map(Value::as_object);
        let of =
            |name: &str| values(it, name).iter().find_map(text).or_else(|| values(inner?, name).iter().find_map(text));
        let amount = of("price").or_else(|| of("lowPrice"))?;
        Some((money::parse(&amount)?, of("priceCurrency")))
    };
    let all: Vec<(Money, Option<String>)> = offers.iter().filter_map(priced).collect();
    let Some(feed) = feed else { return };
    let Some((first, currency)) = all.first() else {
        return out.push(Mismatch::new(offer, "price", &said(feed), ""));
    };
    if !all.iter().any(|(money, _)| money.milli == feed.milli) {
        out.push(Mismatch::new(offer, "price", &said(feed), &first.amount()));
    }
    if let (Some(ours), Some(theirs)) = (feed.currency, currency)
        && !theirs.eq_ignore_ascii_case(ours)
    {
        out.push(Mismatch::new(offer, "currency", ours, theirs));
    }
}

fn availability(offer: &Offer, offers: &[Map<String, Value>], out: &mut Vec<Mismatch>) {
    let stated = offers.iter().flat_map(|it| values(it, "availability")).find_map(text);
    let (feed, page) = (state(&offer.availability), stated.as_deref().map(state));
    if !offer.availability.is_empty()
        && let Some(page) = page
        && feed != page
    {
        out.push(Mismatch::new(offer, "availability", &offer.availability, stated.as_deref().unwrap_or_default()));
    }
}

/// Availability in one word, as feeds and as schema.org write it.
fn state(text: &str) -> String {
    let plain: String = bare(text).to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.as_str() {
        "instock" | "instoreonly" | "onlineonly" | "limitedavailability" => "in".to_owned(),
        "outofstock" | "soldout" | "discontinued" => "out".to_owned(),
        "preorder" | "presale" => "preorder".to_owned(),
        other => other.to_owned(),
    }
}

fn codes(offer: &Offer, product: &Map<String, Value>, offers: &[Map<String, Value>], out: &mut Vec<Mismatch>) {
    let stated: Vec<String> = gtins(product).chain(offers.iter().flat_map(gtins)).collect();
    let Some(feed) = gtin::normal(&offer.gtin) else { return };
    if let Some(first) = stated.first()
        && !stated.iter().any(|it| gtin::normal(it).as_ref() == Some(&feed))
    {
        out.push(Mismatch::new(offer, "gtin", &offer.gtin, first));
    }
}

/// Titles differ when fewer than half of the words of the shorter one are in the other.
fn title(offer: &Offer, product: &Map<String, Value>, out: &mut Vec<Mismatch>) {
    let Some(name) = values(product, "name").iter().find_map(text) else { return };
    let words = |it: &str| -> std::collections::BTreeSet<String> {
        kit::text::words(it).map(str::to_lowercase).filter(|it| it.chars().any(char::is_alphanumeric)).collect()
    };
    let (ours, theirs) = (words(&offer.title), words(&name));
    let shared = ours.intersection(&theirs).count();
    if !ours.is_empty() && shared * 2 < ours.len().min(theirs.len()).max(1) {
        out.push(Mismatch::new(offer, "title", &offer.title, &name));
    }
}

fn differ(one: Option<&str>, other: Option<&str>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

fn said(money: Money) -> String {
    format!("{} {}", money.amount(), money.currency.unwrap_or_default()).trim().to_owned()
}
