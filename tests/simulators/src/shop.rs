//! The demo shop as its providers know it: pages, searches, rivals, shops in the street, people.

/// The shop's host name.
pub(crate) const HOST: &str = "shop.example";
/// The name it trades under.
pub(crate) const BRAND: &str = "Lamp shop";
/// Who else sells lamps.
pub(crate) const RIVALS: [&str; 6] = [
    "lights.example",
    "brightly.example",
    "lampworld.example",
    "glowhouse.example",
    "filament.example",
    "nightstand.example",
];
/// Sites that write about lamps and link to those who sell them.
pub(crate) const PRESS: [&str; 8] = [
    "homejournal.example",
    "deskreview.example",
    "craftnews.example",
    "lampton-times.example",
    "interiors.example",
    "repaircafe.example",
    "designblog.example",
    "bestof.example",
];
/// Words that people search with; each is made of a kind of lamp and what they want of it.
const KINDS: [&str; 12] = [
    "brass lamp",
    "desk lamp",
    "reading lamp",
    "bedside lamp",
    "floor lamp",
    "table lamp",
    "led bulb",
    "lamp shade",
    "lamp cord",
    "lamp repair",
    "warm light bulb",
    "mid century lamp",
];
const WANTS: [&str; 8] = ["", "buy ", "best ", "cheap ", "how to choose a ", "repair ", "vintage ", "lamp shop "];

/// A page of the shop.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) description: String,
}

/// The shop's pages that are meant to be found.
pub(crate) fn pages() -> Vec<Page> {
    let page =
        |path: String, title: String, description: &str| Page { path, title, description: description.to_owned() };
    let fixed = [
        ("/", "Lamps that last", "A small shop of lamps made to be mended, not replaced."),
        ("/products", "All lamps", "Every lamp we make, with its price and its light."),
        ("/guides", "Guides to good light", "How to choose, place and mend a lamp."),
        ("/guides/reading", "Light for reading", "Where a lamp should stand when you read."),
        ("/guides/mending", "Mending a lamp", "A new cord in ten minutes."),
        ("/guides/bulbs", "Which bulb", "Lumens, kelvin and what they mean at a desk."),
        ("/about", "About us", "Who makes our lamps."),
        ("/contact", "Contact", "Where to find us."),
    ];
    let lamps = (1..=24).map(|number| {
        let title = format!("Lamp {number}: brass, {} watts", 20 + number);
        page(format!("/products/lamp-{number}"), title, "A lamp that can be mended at home.")
    });
    fixed.into_iter().map(|(path, title, about)| page(path.to_owned(), title.to_owned(), about)).chain(lamps).collect()
}

/// An address of the shop.
pub(crate) fn url(path: &str) -> String {
    format!("http://{HOST}{path}")
}

/// What people search for when they find the shop, most searched first; the brand's own names among them.
pub(crate) fn queries() -> Vec<String> {
    let made = WANTS.iter().flat_map(|want| KINDS.iter().map(move |kind| format!("{want}{kind}")));
    ["lamp shop".to_owned(), "lamp shop lampton".to_owned()].into_iter().chain(made).collect()
}

/// Somebody who writes for the shop.
pub(crate) const AUTHORS: [(&str, &str); 3] =
    [("ada", "Ada Lovelace"), ("grace", "Grace Hopper"), ("lise", "Lise Meitner")];

/// A shop in the street.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Store {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) phone: &'static str,
    pub(crate) street: &'static str,
    pub(crate) city: &'static str,
    pub(crate) postcode: &'static str,
    pub(crate) country: &'static str,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) path: &'static str,
}

/// The shop's shops in the street.
pub(crate) const STORES: [Store; 3] = [
    Store {
        id: "4503600001",
        name: "Lamp shop Lampton",
        phone: "+44 20 7946 0101",
        street: "1 Lamp Lane",
        city: "Lampton",
        postcode: "TW3 4EW",
        country: "GB",
        latitude: 51.4750,
        longitude: -0.3640,
        path: "/locations/lampton",
    },
    Store {
        id: "4503600002",
        name: "Lamp shop Bristol",
        phone: "+44 117 496 0102",
        street: "12 Corn Street",
        city: "Bristol",
        postcode: "BS1 1HT",
        country: "GB",
        latitude: 51.4545,
        longitude: -2.5930,
        path: "/locations/bristol",
    },
    Store {
        id: "4503600003",
        name: "Lamp shop Berlin",
        phone: "+49 30 23125 103",
        street: "Lampenweg 3",
        city: "Berlin",
        postcode: "10115",
        country: "DE",
        latitude: 52.5320,
        longitude: 13.3840,
        path: "/de/locations/berlin",
    },
];
