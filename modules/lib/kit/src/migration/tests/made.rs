//! Generated migrations whose truth is known: a shop that renames products and moves categories, a blog that takes the dates
//! out of its addresses, a company with a folder for each language.

use crate::chance::Chance;
use crate::migration::{Page, SAMPLE};
use crate::sketch::Sketch;

/// A migration: for each old page the new one that takes its place, none where nothing does.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) old: Vec<Page>,
    pub(super) new: Vec<Page>,
    pub(super) truth: Vec<Option<u32>>,
}

const THINGS: &[&str] = &[
    "lamp", "table", "chair", "shelf", "mirror", "rug", "vase", "clock", "sofa", "desk", "bench", "cushion", "blanket",
    "candle", "basket", "frame", "stool", "cabinet", "curtain", "tray", "bowl", "teapot", "kettle", "planter",
];
const KINDS: &[&str] = &[
    "brass", "oak", "linen", "marble", "walnut", "wool", "copper", "glass", "bamboo", "ceramic", "leather", "cotton",
    "steel", "rattan", "velvet", "concrete", "cork", "silk", "pine", "slate",
];
const STYLES: &[&str] = &[
    "nordic",
    "vintage",
    "modern",
    "rustic",
    "minimal",
    "classic",
    "industrial",
    "coastal",
    "retro",
    "baroque",
    "folding",
    "round",
    "tall",
    "compact",
    "outdoor",
    "stackable",
    "handmade",
    "reading",
    "dining",
    "hanging",
];
const COLOURS: &[&str] = &["black", "white", "green", "blue", "red", "sand", "grey", "amber"];
const FOLDERS: &[&str] = &["living", "kitchen", "bedroom", "office", "garden", "hall", "bath", "kids"];
const VERBS: &[&str] = &[
    "holds",
    "brightens",
    "warms",
    "frames",
    "carries",
    "suits",
    "softens",
    "lifts",
    "keeps",
    "gives",
    "brings",
    "takes",
    "fills",
    "covers",
    "turns",
    "meets",
    "joins",
    "leaves",
];
const PLAIN: &[&str] = &[
    "light", "evening", "corner", "window", "wall", "hands", "grain", "surface", "colour", "weight", "care", "years",
    "workshop", "detail", "morning", "guests", "room", "floor", "edge", "line", "shade", "cloth", "water", "dust",
    "oil", "finish", "screw", "joint", "base", "cord", "switch", "cable", "seat", "back", "foot", "handle", "lid",
    "glaze",
];
const TOPICS: &[&str] = &[
    "cleaning",
    "choosing",
    "repairing",
    "storing",
    "painting",
    "waxing",
    "measuring",
    "hanging",
    "moving",
    "lighting",
    "arranging",
    "restoring",
    "folding",
    "washing",
    "insuring",
    "packing",
    "recycling",
    "buying",
    "selling",
    "dating",
];
const SMALL: &[&str] = &["how-to", "the", "a-guide-to", "why", "when", "our"];
/// Parts of a company's website: the words of its address in English, German and French.
const PARTS: &[[&str; 3]] = &[
    ["about-us", "ueber-uns", "a-propos"],
    ["careers", "karriere", "carrieres"],
    ["press-releases", "pressemitteilungen", "communiques"],
    ["delivery", "versand", "livraison"],
    ["returns", "rueckgabe", "retours"],
    ["warranty", "garantie", "garanties"],
    ["sustainability", "nachhaltigkeit", "durabilite"],
    ["dealers", "haendler", "revendeurs"],
    ["history", "geschichte", "histoire"],
    ["research", "forschung", "recherche"],
    ["investors", "anleger", "investisseurs"],
    ["contact", "kontakt", "contactez-nous"],
];
/// What a language's sentences are made of, beside the words of the topic.
const SPOKEN: [&[&str]; 3] = [
    PLAIN,
    &[
        "licht",
        "abend",
        "ecke",
        "fenster",
        "wand",
        "hand",
        "maserung",
        "farbe",
        "gewicht",
        "pflege",
        "jahre",
        "werkstatt",
        "morgen",
        "gast",
        "raum",
        "boden",
        "kante",
        "linie",
        "stoff",
        "wasser",
        "staub",
        "schraube",
        "fuss",
        "deckel",
    ],
    &[
        "lumiere",
        "soir",
        "coin",
        "fenetre",
        "mur",
        "main",
        "veine",
        "couleur",
        "poids",
        "soin",
        "annees",
        "atelier",
        "matin",
        "invite",
        "piece",
        "sol",
        "bord",
        "ligne",
        "tissu",
        "eau",
        "poussiere",
        "vis",
        "pied",
        "couvercle",
    ],
];

fn pick<'a>(chance: &mut Chance, all: &[&'a str]) -> &'a str {
    all[chance.below(all.len())]
}

fn sentence(chance: &mut Chance, own: &[&str], spoken: &[&str]) -> String {
    let length = 7 + chance.below(7);
    let words = (0..length).map(|at| match at % 4 {
        1 => pick(chance, own),
        2 => pick(chance, VERBS),
        _ => pick(chance, spoken),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A text of own sentences between those of its folder.
fn text(chance: &mut Chance, own: &[&str], spoken: &[&str], common: &[String]) -> Vec<String> {
    let mut all: Vec<String> = (0..5 + chance.below(7)).map(|_| sentence(chance, own, spoken)).collect();
    all.extend(common.iter().cloned());
    all
}

/// The text after the move: most keep most of it, some are written anew.
fn edited(chance: &mut Chance, text: &[String], own: &[&str], spoken: &[&str]) -> Vec<String> {
    let share = if chance.unit() < 0.15 { 0.9 } else { 0.4 * chance.unit() };
    text.iter().map(|it| if chance.unit() < share { sentence(chance, own, spoken) } else { it.clone() }).collect()
}

fn sketch(text: &[String]) -> Option<Sketch> {
    Sketch::of_text(&text.join(" ")).map(|it| it.smaller(SAMPLE))
}

fn title(words: &[&str], end: &str) -> String {
    let capital = |word: &&str| format!("{}{}", word[..1].to_uppercase(), &word[1..]);
    format!("{} | {end}", words.iter().map(capital).collect::<Vec<_>>().join(" "))
}

impl Made {
    fn new() -> Self {
        Self { old: Vec::new(), new: Vec::new(), truth: Vec::new() }
    }

    /// Puts the new pages in another order than the old ones.
    fn mixed(mut self, chance: &mut Chance) -> Self {
        for at in (1..self.new.len()).rev() {
            let other = chance.below(at + 1);
            self.new.swap(at, other);
            for truth in self.truth.iter_mut().flatten() {
                let (a, b) = (u32::try_from(at).expect("small"), u32::try_from(other).expect("small"));
                *truth = if *truth == a {
                    b
                } else if *truth == b {
                    a
                } else {
                    *truth
                };
            }
        }
        self
    }

    fn pair(&mut self, old: Option<Page>, new: Option<Page>) {
        let at = new.map(|page| {
            self.new.push(page);
            u32::try_from(self.new.len() - 1).expect("small")
        });
        if let Some(page) = old {
            self.old.push(page);
            self.truth.push(at);
        }
    }

    /// As a list of addresses gives it: without names and texts of the old side.
    pub(super) fn listed(mut self) -> Self {
        self.old = self.old.into_iter().map(|it| Page { url: it.url, ..Page::default() }).collect();
        self
    }

    /// As crawls without texts give it.
    pub(super) fn without_texts(mut self) -> Self {
        self.old.iter_mut().chain(&mut self.new).for_each(|it| it.sketch = None);
        self
    }
}

/// Products in colours, in folders that are named anew; some words come, go or change places; one in twelve is given up.
pub(super) fn shop(seed: u64, products: usize) -> Made {
    let mut chance = Chance::new(seed);
    let mut made = Made::new();
    let commons: Vec<Vec<String>> =
        FOLDERS.iter().map(|it| (0..4).map(|_| sentence(&mut chance, &[it], PLAIN)).collect()).collect();
    for number in 0..products {
        let (kind, thing, style) = (pick(&mut chance, KINDS), pick(&mut chance, THINGS), pick(&mut chance, STYLES));
        let (colour, folder) = (pick(&mut chance, COLOURS), chance.below(FOLDERS.len()));
        let model = format!("{}{}", pick(&mut chance, &["mk", "no", "type"]), 1 + chance.below(9));
        let words = [style, kind, thing, colour, model.as_str()];
        let own = text(&mut chance, &[style, kind, thing, colour], PLAIN, &commons[folder]);
        let old = Page {
            url: format!("https://old.example/shop/{}/{}-{number}.html", FOLDERS[folder], words.join("-")),
            name: title(&words, "Old Shop"),
            language: Some("en".to_owned()),
            sketch: sketch(&own),
        };
        let mut called: Vec<&str> = words.to_vec();
        match chance.below(6) {
            0 => drop(called.remove(0)),
            1 => called.insert(1, pick(&mut chance, STYLES)),
            2 => called.swap(0, 1),
            3 => called.truncate(4),
            4 => called[2] = pick(&mut chance, THINGS),
            _ => {}
        }
        let others = edited(&mut chance, &own, &[style, kind, thing, colour], PLAIN);
        let to = if chance.unit() < 0.4 { pick(&mut chance, FOLDERS) } else { FOLDERS[folder] };
        let new = Page {
            url: format!("https://new.example/collections/{to}/products/{}", called.join("-")),
            name: title(&called, "New Shop"),
            language: Some("en".to_owned()),
            sketch: sketch(&others),
        };
        let (gone, fresh) = (chance.unit() < 0.08, chance.unit() < 0.08);
        made.pair((!fresh).then_some(old), (!gone).then_some(new));
    }
    made.mixed(&mut chance)
}

/// Articles by day that lose the day, some of them shortened or called something else.
pub(super) fn blog(seed: u64, articles: usize) -> Made {
    let mut chance = Chance::new(seed);
    let mut made = Made::new();
    for number in 0..articles {
        let (topic, kind, thing) = (pick(&mut chance, TOPICS), pick(&mut chance, KINDS), pick(&mut chance, THINGS));
        let (small, place) = (pick(&mut chance, SMALL), pick(&mut chance, FOLDERS));
        let slug = format!("{small}-{topic}-{kind}-{thing}-{place}");
        let own = text(&mut chance, &[topic, kind, thing, place], PLAIN, &[]);
        let (year, month, day) = (2012 + number % 9, 1 + number % 12, 1 + number % 28);
        let words: Vec<&str> = slug.split('-').collect();
        let old = Page {
            url: format!("https://old.example/{year}/{month:02}/{day:02}/{slug}/"),
            name: title(&words, "The Journal"),
            language: Some("en".to_owned()),
            sketch: sketch(&own),
        };
        let short = format!("{topic}-{kind}-{thing}");
        let called = match chance.below(5) {
            0 => short,
            1 => format!("{topic}-your-{kind}-{thing}-{place}"),
            2 => format!("{thing}-{topic}-{}", pick(&mut chance, STYLES)),
            _ => slug.clone(),
        };
        let words: Vec<&str> = called.split('-').collect();
        let new = Page {
            url: format!("https://new.example/journal/{called}"),
            name: title(&words, "Journal"),
            language: Some("en".to_owned()),
            sketch: sketch(&edited(&mut chance, &own, &[topic, kind, thing, place], PLAIN)),
        };
        let (gone, fresh) = (chance.unit() < 0.08, chance.unit() < 0.08);
        made.pair((!fresh).then_some(old), (!gone).then_some(new));
    }
    made.mixed(&mut chance)
}

/// The same pages in three languages, in folders that lose their `.php` and a level; products have one name in all of them.
pub(super) fn company(seed: u64, products: usize) -> Made {
    const LANGUAGES: [&str; 3] = ["en", "de", "fr"];
    const OLD: [&str; 3] = ["company", "unternehmen", "entreprise"];
    const NEW: [&str; 3] = ["about", "firma", "societe"];
    let mut chance = Chance::new(seed);
    let mut made = Made::new();
    for (at, language) in LANGUAGES.into_iter().enumerate() {
        let mut page = |chance: &mut Chance, old: String, new: String, words: &[&str], called: &[&str]| {
            let own = text(chance, words, SPOKEN[at], &[]);
            let others = edited(chance, &own, words, SPOKEN[at]);
            let page = |url: String, words: &[&str], text: &[String]| Page {
                url,
                name: title(words, "Works"),
                language: Some(language.to_owned()),
                sketch: sketch(text),
            };
            let (old, new) = (page(old, words, &own), page(new, called, &others));
            let (gone, fresh) = (chance.unit() < 0.06, chance.unit() < 0.06);
            made.pair((!fresh).then_some(old), (!gone).then_some(new));
        };
        for part in PARTS {
            for topic in &KINDS[..3 + chance.below(4)] {
                let words: Vec<&str> = part[at].split('-').chain([*topic]).collect();
                let old = format!("https://old.example/{language}/{}/{}/{topic}.php", OLD[at], part[at]);
                let new = format!("https://new.example/{language}/{}/{}-{topic}", NEW[at], part[at]);
                page(&mut chance, old, new, &words, &words);
            }
        }
        for number in 0..products / 3 {
            let (kind, thing) = (pick(&mut chance, KINDS), pick(&mut chance, THINGS));
            let series = format!("series{}", number / 4);
            let words = [kind, thing, series.as_str()];
            let called = if chance.unit() < 0.3 { vec![thing, series.as_str()] } else { words.to_vec() };
            let old = format!("https://old.example/{language}/products/{}.php", words.join("_"));
            let new = format!("https://new.example/{language}/range/{}", called.join("-"));
            page(&mut chance, old, new, &words, &called);
        }
    }
    made.mixed(&mut chance)
}
