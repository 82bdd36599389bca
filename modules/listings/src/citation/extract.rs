//! What a page shows of a business: by structured data first, then by links and marks, then by the text around a phone number.

use kit::dom::{Data, Dom, NodeId};
use kit::jsonld;
use sdk::serde_json::{Map, Value};
use site::live::Live;

use super::stored::LinkState;
use crate::nap::compare::{Grade, Shown, Truth};
use crate::nap::{address, phone};

/// Characters on each side of a phone number that belong to it.
const AROUND: usize = 300;
/// Characters of a name or a street, and streets of a page, that are compared: names of 2 MB are none.
const LONGEST: usize = 200;
const STREETS_OF_PAGE: usize = 5_000;
/// Words without which a page shows nothing of itself: a script makes it, or something stands before it.
const FEWEST_WORDS: usize = 8;
/// Businesses of a page that are looked at.
const MOST: usize = 60;
/// Words of a street; by them a line is told to be an address.
const STREETS: [&str; 26] = [
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "lane",
    "ln",
    "drive",
    "dr",
    "square",
    "sq",
    "place",
    "boulevard",
    "blvd",
    "way",
    "court",
    "terrace",
    "highway",
    "rue",
    "calle",
    "via",
    "platz",
    "allee",
    "weg",
    "gasse",
];

/// The business on a page that is this one, or else the first that the page shows; none where it shows none.
pub(crate) fn shown(page: &Live, truth: &Truth<'_>) -> Option<Shown> {
    let mut all = structured(&page.dom);
    all.extend(marked(&page.dom));
    all.extend(around_phone(page, truth));
    all.truncate(MOST);
    for text in all.iter_mut().flat_map(|it| [&mut it.name, &mut it.street, &mut it.phone]).flatten() {
        *text = kit::text::clip(text, LONGEST).to_owned();
    }
    let website = page.facts.links.iter().map(|it| it.url.as_str()).find(|url| is_own(url, truth));
    for it in &mut all {
        // The website is linked beside, seldom named.
        if it.website.is_none() {
            it.website = website.map(str::to_owned);
        }
    }
    let best = all.iter().position(|it| truth.is_same(it));
    best.map(|at| all.swap_remove(at))
}

/// What a reader of the page sees of the business: the text around its phone number, and what is linked and marked.
pub(crate) fn visible(page: &Live, truth: &Truth<'_>) -> Shown {
    let mut all = around_phone(page, truth);
    all.extend(marked(&page.dom));
    let best = all.iter().position(|it| it.street.is_some() && it.phone.is_some()).or((!all.is_empty()).then_some(0));
    let mut shown = best.map(|at| all.swap_remove(at)).unwrap_or_default();
    if shown.street.is_none() {
        // The address may stand far from the phone number.
        shown.street = best_street(&body(page).join("\n"), truth);
    }
    shown
}

/// Whether a reader without scripts sees something: of a page that shows nothing, nothing can be said.
pub(crate) fn shows_text(page: &Live) -> bool {
    body(page).iter().flat_map(|line| kit::text::words(line)).take(FEWEST_WORDS).count() >= FEWEST_WORDS
}

/// How the page links to the website.
pub(crate) fn link(page: &Live, truth: &Truth<'_>) -> LinkState {
    let mut state = LinkState::None;
    for it in page.facts.links.iter().filter(|it| is_own(&it.url, truth)) {
        if !it.nofollow() {
            return LinkState::Followed;
        }
        state = LinkState::Nofollow;
    }
    state
}

fn is_own(url: &str, truth: &Truth<'_>) -> bool {
    let host =
        |text: &str| url::Url::parse(text).ok()?.host_str().and_then(kit::url::registrable_domain).map(str::to_owned);
    truth.website.and_then(host).is_some_and(|own| host(url).as_deref() == Some(own.as_str()))
}

fn value(node: &Map<String, Value>, name: &str) -> Option<String> {
    node.get(name)
        .and_then(|it| jsonld::text(it.as_array().and_then(|all| all.first()).unwrap_or(it)))
        .map(|it| kit::text::collapse(&it))
        .filter(|it| !it.is_empty())
}

/// Businesses of JSON-LD: whatever has an address or a phone number and a name.
fn structured(dom: &Dom) -> Vec<Shown> {
    let read = |node: Map<String, Value>| {
        let postal = node.get("address").and_then(|it| it.as_object().or_else(|| it[0].as_object()));
        let as_text = node.get("address").and_then(Value::as_str).map(str::to_owned);
        let street = postal.and_then(|it| value(it, "streetAddress")).or(as_text);
        let telephone = value(&node, "telephone");
        (street.is_some() || telephone.is_some()).then(|| Shown {
            name: value(&node, "name"),
            street,
            postcode: postal.and_then(|it| value(it, "postalCode")),
            city: postal.and_then(|it| value(it, "addressLocality")),
            phone: telephone,
            website: value(&node, "url").filter(|it| it.starts_with("http")),
        })
    };
    jsonld::nodes(dom).into_iter().filter_map(read).take(MOST).collect()
}

/// The text of the first element below a root with a property of microdata.
fn property(dom: &Dom, root: NodeId, name: &str) -> Option<String> {
    let has = |id: &NodeId| dom.attribute(*id, "itemprop").is_some_and(|it| it.split_whitespace().any(|it| it == name));
    let id = dom.descendants(root).find(has)?;
    let text = dom.attribute(id, "content").map_or_else(|| dom.text(id), str::to_owned);
    Some(kit::text::collapse(&text)).filter(|it| !it.is_empty())
}

/// Businesses of microdata, and one of a `tel:` link with an `address` element.
fn marked(dom: &Dom) -> Vec<Shown> {
    let below = dom.elements("html").next().into_iter().flat_map(|root| dom.descendants(root));
    let mut all: Vec<Shown> = below
        .filter(|id| dom.attribute(*id, "itemscope").is_some())
        .filter_map(|id| {
            let (street, telephone) = (property(dom, id, "streetAddress"), property(dom, id, "telephone"));
            (street.is_some() || telephone.is_some()).then(|| Shown {
                name: property(dom, id, "name"),
                street,
                postcode: property(dom, id, "postalCode"),
                city: property(dom, id, "addressLocality"),
                phone: telephone,
                website: None,
            })
        })
        .take(MOST)
        .collect();
    let telephone = dom.elements("a").find_map(|id| dom.attribute(id, "href")?.strip_prefix("tel:").map(str::to_owned));
    let postal = dom.elements("address").next().map(|id| dom.text(id));
    if telephone.is_some() || postal.is_some() {
        let text = postal.unwrap_or_default();
        all.push(Shown {
            name: name_of(dom),
            street: streets(&text).into_iter().next(),
            postcode: None,
            city: None,
            phone: telephone,
            website: None,
        });
    }
    all
}

fn name_of(dom: &Dom) -> Option<String> {
    let first = |name: &str| dom.elements(name).map(|id| kit::text::collapse(&dom.text(id))).find(|it| !it.is_empty());
    first("h1").or_else(|| first("title"))
}

/// The text of a page that readers see, a line for each block.
fn lines(dom: &Dom, root: NodeId) -> Vec<String> {
    let (mut all, mut line) = (Vec::new(), String::new());
    let mut next = dom.first_child(root);
    while let Some(id) = next {
        let mut inside = true;
        match &dom.node(id).data {
            Data::Text(part) => line.push_str(part),
            Data::Element { name, .. } => match &*name.local {
                "script" | "style" | "noscript" | "template" | "head" => inside = false,
                tag if !kit::dom::is_inline(tag) => all.push(std::mem::take(&mut line)),
                _ => {}
            },
            _ => {}
        }
        next = dom.after(id, root, inside);
    }
    all.push(line);
    all.iter().map(|it| kit::text::collapse(it)).filter(|it| !it.is_empty()).collect()
}

fn is_street_word(word: &str) -> bool {
    let endings = ["strasse", "straße", "str", "street", "weg", "platz", "gasse", "allee", "ring", "damm", "ufer"];
    STREETS.contains(&word) || endings.iter().any(|it| word.len() > it.len() + 2 && word.ends_with(it))
}

/// Streets in a running text: a house number and up to five words with a word for a street among them, or such words and a
/// number behind.
fn streets(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain: Vec<String> =
        words.iter().map(|it| it.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect();
    let is_number =
        |at: usize| plain.get(at).is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()) && it.len() <= 7);
    let mut all = Vec::new();
    for at in 0..words.len() {
        if is_number(at) {
            // English and French: 1 Lamp Lane, 12 rue du Bac.
            let begins = plain
                .get(at + 1)
                .is_some_and(|it| ["rue", "av", "avenue", "boulevard", "bd", "place"].contains(&it.as_str()));
            let end = (at + 2..(at + 6).min(words.len())).find(|it| is_street_word(&plain[*it]));
            match end {
                Some(end) => all.push(words[at..=end].join(" ")),
                None if begins => all.push(words[at..(at + 5).min(words.len())].join(" ")),
                None => {}
            }
        }
        if is_street_word(&plain[at]) && is_number(at + 1) {
            // German: Hauptstraße 5, Am Alten Markt 3.
            let from = if plain[at].len() > 6 { at } else { at.saturating_sub(2) };
            all.push(words[from..=at + 1].join(" "));
        }
        let begins = ["calle", "via", "avenida", "plaza", "piazza"].contains(&plain[at].as_str());
        if let Some(end) = (at + 2..(at + 6).min(words.len())).find(|it| begins && is_number(*it)) {
            all.push(words[at..=end].join(" "));
        }
    }
    let trimmed = all.into_iter().map(|it| it.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned());
    trimmed.filter(|it| it.chars().count() <= 120).collect()
}

/// The street of a text that is most like ours.
fn best_street(text: &str, truth: &Truth<'_>) -> Option<String> {
    let ours: Vec<address::Street> = truth.address.lines.iter().map(|it| address::street(it)).collect();
    let grade =
        |line: &String| ours.iter().map(|it| address::grade(it, &address::street(line))).min().unwrap_or(Grade::Absent);
    streets(text).into_iter().take(STREETS_OF_PAGE).min_by_key(grade)
}

/// What stands around each number that is the business's own.
fn around_phone(page: &Live, truth: &Truth<'_>) -> Vec<Shown> {
    let text = body(page).join("\n");
    let country = truth.address.country.to_string();
    let mut all = Vec::new();
    for (at, run) in numbers(&text) {
        if !phone::same(truth.phone, run, &country) {
            continue;
        }
        let from = floor(&text, at.saturating_sub(AROUND));
        let to = floor(&text, (at + run.len() + AROUND).min(text.len()));
        let window = &text[from..to];
        let postcode = truth.address.postcode.clone().filter(|it| window.to_uppercase().contains(&it.to_uppercase()));
        let name = truth.names.iter().find(|name| window.to_lowercase().contains(&name.to_lowercase()));
        let name = name.map(|it| (*it).to_owned()).or_else(|| name_of(&page.dom));
        all.push(Shown {
            name,
            street: best_street(window, truth),
            postcode,
            city: None,
            phone: Some(run.to_owned()),
            website: None,
        });
        if all.len() >= 5 {
            break;
        }
    }
    all
}

/// The lines of the page's body.
fn body(page: &Live) -> Vec<String> {
    page.dom.elements("body").flat_map(|id| lines(&page.dom, id)).collect()
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Runs that may be telephone numbers, with where they begin.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '(' | ')' | '-' | '.' | '/' | ' ' | '\u{a0}');
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let from = rest + text.get(rest..)?.find(|c: char| c.is_ascii_digit() || c == '+' || c == '(')?;
            let length = text[from..].find(|c: char| !is_part(c)).unwrap_or(text.len() - from);
            rest = from + length.max(1);
            let run = text[from..from + length].trim_end_matches(|c: char| !c.is_ascii_digit());
            let digits = run.bytes().filter(u8::is_ascii_digit).count();
            if (7..=15).contains(&digits) && run.len() <= 40 {
                return Some((from, run));
            }
        }
    })
}
