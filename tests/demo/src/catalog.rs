//! The catalog: ten categories of ten products in English, six of each in German, with paged lists.

use crate::document::{Language, Page, url};
use crate::pages::product;
use crate::words::{Dice, paragraphs};

/// Slug and name in English, slug and name in German.
pub(crate) const CATEGORIES: [[&str; 4]; 10] = [
    ["desk-lamp", "Desk lamp", "schreibtischlampe", "Schreibtischlampe"],
    ["floor-lamp", "Floor lamp", "stehlampe", "Stehlampe"],
    ["table-lamp", "Table lamp", "tischlampe", "Tischlampe"],
    ["wall-lamp", "Wall lamp", "wandlampe", "Wandlampe"],
    ["pendant-lamp", "Pendant lamp", "haengelampe", "Hängelampe"],
    ["outdoor-lamp", "Outdoor lamp", "aussenlampe", "Außenlampe"],
    ["clip-lamp", "Clip lamp", "klemmlampe", "Klemmlampe"],
    ["lamp-shade", "Lamp shade", "lampenschirm", "Lampenschirm"],
    ["led-bulb", "LED bulb", "led-birne", "LED-Birne"],
    ["lamp-cord", "Lamp cord", "lampenkabel", "Lampenkabel"],
];
const PRODUCTS: usize = 10;
const IN_GERMAN: usize = 6;
/// Products on one page of a list.
const A_PAGE: usize = 4;

const MATERIALS: [[&str; 2]; 6] = [
    ["brass", "Messing"],
    ["steel", "Stahl"],
    ["oak", "Eiche"],
    ["linen", "Leinen"],
    ["glass", "Glas"],
    ["copper", "Kupfer"],
];

pub(crate) fn all() -> Vec<Page> {
    let mut all = vec![index(Language::English), index(Language::German)];
    for category in CATEGORIES {
        all.extend(lists(category, Language::English));
        all.extend(lists(category, Language::German));
        all.extend((1..=PRODUCTS).map(|number| one(category, number, Language::English)));
        all.extend((1..=IN_GERMAN).map(|number| one(category, number, Language::German)));
    }
    all
}

/// Where a product of a category is.
fn place(category: [&str; 4], number: usize, language: Language) -> String {
    match language {
        Language::English => format!("/shop/{}-{number}", category[0]),
        Language::German => format!("/de/shop/{}-{number}", category[2]),
    }
}

fn list_place(category: [&str; 4], page: usize, language: Language) -> String {
    let base = match language {
        Language::English => format!("/categories/{}", category[0]),
        Language::German => format!("/de/kategorien/{}", category[2]),
    };
    if page == 1 { base } else { format!("{base}/page/{page}") }
}

fn name(category: [&str; 4], language: Language) -> &str {
    if language == Language::English { category[1] } else { category[3] }
}

fn index(language: Language) -> Page {
    let items: String = CATEGORIES
        .iter()
        .map(|it| format!("<li><a href=\"{}\">{}</a></li>", list_place(*it, 1, language), name(*it, language)))
        .collect();
    let (path, title, about) = match language {
        Language::English => ("/categories", "Categories", "All kinds of lamps and their parts."),
        Language::German => ("/de/kategorien", "Kategorien", "Alle Arten von Lampen und ihre Teile."),
    };
    let main = format!("{}<ul>{items}</ul>", paragraphs(language, title, 2));
    Page::new(path, language, title, about, main).translated("/categories", "/de/kategorien")
}

/// The pages of a category's list; each links to the one before and after.
fn lists(category: [&str; 4], language: Language) -> Vec<Page> {
    let count = if language == Language::English { PRODUCTS } else { IN_GERMAN };
    let pages = count.div_ceil(A_PAGE);
    let of = |number: usize| {
        let path = list_place(category, number, language);
        let from = (number - 1) * A_PAGE + 1;
        let items: String = (from..(from + A_PAGE).min(count + 1))
            .map(|it| {
                format!("<li><a href=\"{}\">{} {it}</a></li>", place(category, it, language), name(category, language))
            })
            .collect();
        let link = |to: usize, rel: &str, text: &str| {
            format!("<a rel=\"{rel}\" href=\"{}\">{text}</a> ", list_place(category, to, language))
        };
        let (before, after) = if language == Language::English { ("Newer", "More") } else { ("Zurück", "Weiter") };
        let mut around = String::new();
        if number > 1 {
            around += &link(number - 1, "prev", before);
        }
        if number < pages {
            around += &link(number + 1, "next", after);
        }
        let (title, about) = match (language, number) {
            (Language::English, 1) => {
                (format!("{}s", category[1]), format!("Every {} we make, with its price.", category[1].to_lowercase()))
            }
            (Language::English, _) => (
                format!("{}s, page {number}", category[1]),
                format!("More of every {} we make: page {number}.", category[1].to_lowercase()),
            ),
            (Language::German, 1) => {
                (format!("{}: alle Modelle", category[3]), format!("Alles unter {}, mit Preisen.", category[3]))
            }
            (Language::German, _) => {
                (format!("{}: Seite {number}", category[3]), format!("Mehr unter {}: Seite {number}.", category[3]))
            }
        };
        let main = format!("{}<ul>{items}</ul><p>{around}</p>", paragraphs(language, &title, 2));
        let page = Page::new(&path, language, &title, &about, main);
        // Lists have pages of different length in both languages; only the first ones are the same page.
        if number == 1 {
            page.translated(&list_place(category, 1, Language::English), &list_place(category, 1, Language::German))
        } else {
            page
        }
    };
    (1..=pages).map(of).collect()
}

fn one(category: [&str; 4], number: usize, language: Language) -> Page {
    let path = place(category, number, language);
    let mut dice = Dice::of(&place(category, number, Language::English));
    let material = MATERIALS[dice.below(MATERIALS.len())];
    let price = 30 + dice.below(170) as u32;
    let height = 20 + dice.below(140);
    let own = format!("{} {number}", name(category, language));
    let neighbour = number % if language == Language::English { PRODUCTS } else { IN_GERMAN } + 1;
    let next = place(category, neighbour, language);
    let slug = path.rsplit('/').next().unwrap_or_default();
    let (title, about, rest) = match language {
        Language::English => (
            format!("{own} in {}", material[0]),
            format!("{own} in {}, {height} cm, made in our own workshop and mended there too.", material[0]),
            format!(
                "<h2>Details</h2><p>Height: {height} cm. Price: \u{20ac}{price}.00</p><h2>Goes with</h2><p><a href=\"{next}\">{} {neighbour}</a>, see all of <a href=\"{}\">{}s</a>.</p>",
                category[1],
                list_place(category, 1, language),
                category[1]
            ),
        ),
        Language::German => (
            format!("{own} aus {}", material[1]),
            format!("{own} aus {}, {height} cm, in unserer Werkstatt gebaut und dort auch repariert.", material[1]),
            format!(
                "<h2>Einzelheiten</h2><p>Höhe: {height} cm. Preis: {price},00 \u{20ac}</p><h2>Passt zu</h2><p><a href=\"{next}\">{} {neighbour}</a>, alles unter <a href=\"{}\">{}</a>.</p>",
                category[3],
                list_place(category, 1, language),
                category[3]
            ),
        ),
    };
    let alt =
        if language == Language::English { format!("{own} on a table") } else { format!("{own} auf einem Tisch") };
    let main = format!(
        "{}<img src=\"/assets/{slug}.png\" alt=\"{alt}\" width=\"640\" height=\"480\" loading=\"lazy\">{rest}",
        paragraphs(language, &title, 3 + number % 3)
    );
    let page = Page::new(&path, language, &title, &about, main)
        .with_json_ld(product(&own, &path, price))
        .with_json_ld(breadcrumb(category, &path, &own, language));
    if number <= IN_GERMAN {
        page.translated(&place(category, number, Language::English), &place(category, number, Language::German))
    } else {
        page
    }
}

fn breadcrumb(category: [&str; 4], path: &str, own: &str, language: Language) -> String {
    let item = |at: usize, name: &str, path: &str| {
        format!("{{\"@type\":\"ListItem\",\"position\":{at},\"name\":\"{name}\",\"item\":\"{}\"}}", url(path))
    };
    let list = list_place(category, 1, language);
    format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"BreadcrumbList\",\"itemListElement\":[{},{}]}}",
        item(1, name(category, language), &list),
        item(2, own, path)
    )
}
