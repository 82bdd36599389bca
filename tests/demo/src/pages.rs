//! The oldest part of the shop: its fixed pages, twenty-four lamps and three guides.

use crate::document::{Language, Page, url};
use crate::words::paragraphs;

/// Lamps on sale.
const LAMPS: u32 = 24;

const GUIDES: [(&str, &str, &str); 3] = [
    ("reading", "Light for reading", "Where a lamp should stand when you read."),
    ("mending", "Mending a lamp", "A new cord in ten minutes."),
    ("bulbs", "Which bulb", "Lumens, kelvin and what they mean at a desk."),
];

fn page(path: &str, title: &str, description: &str, main: String) -> Page {
    Page::new(path, Language::English, title, description, main)
}

fn text(subject: &str, count: usize) -> String {
    paragraphs(Language::English, subject, count)
}

fn lamp_links(count: u32) -> String {
    let items: String =
        (1..=count).map(|number| format!("<li><a href=\"/products/lamp-{number}\">Lamp {number}</a></li>")).collect();
    format!("<ul>{items}</ul>")
}

pub(crate) fn all() -> Vec<Page> {
    let home = format!(
        "{}<p><a href=\"/missing\">Read our story</a>, see <a href=\"/loop-a\">what is new</a> or \
<a href=\"/error\">ask the lamp finder</a>. Staff: <a href=\"/private/stock\">stock</a>. Also: <a href=\"/summer-sale\">summer sale</a>, \
<a href=\"/catalog.pdf\">printed catalog</a>, <a href=\"/app\">lamp planner</a>, <a href=\"/calendar/2026-01\">workshop calendar</a>.</p>",
        text("lamps that last", 4)
    );
    let byline = "<p class=\"byline\">By <a rel=\"author\" href=\"/about\">Ada Lovelace</a></p>";
    let guides: String =
        GUIDES.iter().map(|(slug, title, _)| format!("<li><a href=\"/guides/{slug}\">{title}</a></li>")).collect();
    let mut all = vec![
        page("/", "Lamps that last", "A small shop of lamps made to be mended, not replaced.", home)
            .translated("/", "/de/")
            .with_json_ld(organization()),
        page("/about", "About us", "Who makes our lamps.", format!("{}{byline}", text("about us", 4))),
        page(
            "/contact",
            "Contact",
            "Where to find us.",
            format!("{}<p>Write to us on paper: 1 Lamp Lane, Lampton.</p>", text("contact", 3)),
        ),
        page("/sale", "Sale", "Lamps at a lower price for a while.", format!("{}{}", text("sale", 3), lamp_links(6))),
        page(
            "/products",
            "All lamps",
            "Every lamp we make, with its price and its light.",
            format!("{}{}", text("all lamps", 3), lamp_links(LAMPS)),
        ),
        page(
            "/guides",
            "Guides to good light",
            "How to choose, place and mend a lamp.",
            format!("{}<ul>{guides}</ul>", text("guides to good light", 2)),
        ),
        page("/orphan", "Winter workshop", "Build a lamp with us in January.", text("winter workshop", 5)),
    ];
    let mut stock = page("/private/stock", "Stock", "Not for search.", String::new());
    stock.sitemap = false;
    all.push(stock);
    all.extend(GUIDES.iter().map(|(slug, title, description)| {
        let main = format!(
            "{}<p>By <span itemprop=\"author\">Grace Hopper</span>. See also <a href=\"/products/lamp-2\">lamp 2</a>.</p>",
            text(title, 6)
        );
        page(&format!("/guides/{slug}"), title, description, main)
    }));
    all.extend((1..=LAMPS).map(lamp));
    all
}

fn lamp(number: u32) -> Page {
    let path = format!("/products/lamp-{number}");
    let title = format!("Lamp {number}: brass, {} watts", 20 + number);
    let description = format!(
        "Lamp {number} gives {} lumens, stands {} cm high and can be mended at home.",
        400 + 10 * number,
        20 + number
    );
    let main = format!(
        "{}<p>Goes well with <a href=\"/products/lamp-{}\">lamp {}</a>.</p><p>Price: \u{20ac}{}.00</p><img src=\"/assets/lamp-{number}.png\" alt=\"Lamp {number} on a desk\" width=\"640\" height=\"480\" loading=\"lazy\">",
        text(&format!("lamp {number}"), 3 + number as usize % 3),
        number % LAMPS + 1,
        number % LAMPS + 1,
        40 + number
    );
    let mut made = page(&path, &title, &description, main);
    made.heading = Some(format!("Lamp {number}"));
    made.with_json_ld(product(&format!("Lamp {number}"), &path, 40 + number))
}

/// Product markup that a search engine can use.
pub(crate) fn product(name: &str, path: &str, price: u32) -> String {
    let slug = path.rsplit('/').next().unwrap_or_default();
    format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"@id\":\"{0}#product\",\"name\":\"{name}\",\"image\":\"{1}\",\"sku\":\"{slug}\",\"brand\":{{\"@type\":\"Brand\",\"name\":\"Lamp shop\"}},\"offers\":{{\"@type\":\"Offer\",\"url\":\"{0}\",\"price\":\"{price}.00\",\"priceCurrency\":\"EUR\",\"availability\":\"https://schema.org/InStock\"}}}}",
        url(path),
        url(&format!("/assets/{slug}.png"))
    )
}

fn organization() -> String {
    format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"Organization\",\"@id\":\"{0}#organization\",\"name\":\"Lamp shop\",\"url\":\"{0}\",\"logo\":\"{1}\"}}",
        url("/"),
        url("/assets/share.png")
    )
}
