//! The shop's pages, written out from a few templates.

use crate::HOST;

/// Lamps on sale.
const LAMPS: u32 = 24;

pub(crate) fn robots() -> String {
    format!("User-agent: *\nDisallow: /private/\n\nSitemap: http://{HOST}/sitemap.xml\n")
}

pub(crate) fn sitemap() -> String {
    let mut paths: Vec<String> =
        ["/", "/about", "/contact", "/sale", "/products", "/guides", "/orphan"].map(String::from).into();
    paths.extend((1..=LAMPS).map(|number| format!("/products/lamp-{number}")));
    paths.extend(GUIDES.iter().map(|(slug, _, _)| format!("/guides/{slug}")));
    let entries: String = paths.iter().map(|path| format!("  <url><loc>http://{HOST}{path}</loc></url>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    )
}

/// The page at a path, if there is one.
pub(crate) fn page(path: &str) -> Option<String> {
    match path {
        "/" => Some(home()),
        "/about" => Some(document(Head { title: None, ..Head::of("About us", "Who makes our lamps.") }, &about())),
        "/contact" => Some(document(Head { description: None, ..Head::of("Contact", "") }, &contact())),
        "/sale" => Some(document(Head::of("All lamps", "Lamps at a lower price for a while."), &sale())),
        "/products" => {
            Some(document(Head::of("All lamps", "Every lamp we make, with its price and its light."), &products()))
        }
        "/guides" => {
            Some(document(Head::of("Guides to good light", "How to choose, place and mend a lamp."), &guides()))
        }
        "/orphan" => Some(document(
            Head::of("Winter workshop", "Build a lamp with us in January."),
            &paragraphs("Winter workshop", 5),
        )),
        "/private/stock" => Some(document(Head::of("Stock", "Not for search."), "<h1>Stock</h1>")),
        _ => guide(path).or_else(|| lamp(path)),
    }
}

struct Head<'a> {
    title: Option<&'a str>,
    description: Option<&'a str>,
    extra: String,
}

impl<'a> Head<'a> {
    fn of(title: &'a str, description: &'a str) -> Self {
        Self { title: Some(title), description: Some(description), extra: String::new() }
    }
}

fn document(head: Head<'_>, main: &str) -> String {
    let title = head.title.map_or(String::new(), |title| format!("<title>{title} | Lamp shop</title>"));
    let description =
        head.description.map_or(String::new(), |text| format!("<meta name=\"description\" content=\"{text}\">"));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{title}{description}\
<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"generator\" content=\"WordPress 6.8\">{extra}</head>\
<body><header><nav><a href=\"/\">Home</a> <a href=\"/products\">Lamps</a> <a href=\"/guides\">Guides</a> \
<a href=\"/about\">About</a> <a href=\"/contact\">Contact</a></nav></header><main>{main}</main>\
<footer><a href=\"/sale\">Sale</a> <a href=\"/old-catalog\">Last year's catalog</a></footer></body></html>",
        extra = head.extra
    )
}

fn home() -> String {
    let body = format!(
        "{}<p><a href=\"/missing\">Read our story</a>, see <a href=\"/loop-a\">what is new</a> or \
<a href=\"/error\">ask the lamp finder</a>. Staff: <a href=\"/private/stock\">stock</a>.</p>",
        paragraphs("Lamps that last", 4)
    );
    document(Head::of("Lamps that last", "A small shop of lamps made to be mended, not replaced."), &body)
}

fn about() -> String {
    format!(
        "{}<p class=\"byline\">By <a rel=\"author\" href=\"/about\">Ada Lovelace</a></p>",
        paragraphs("About us", 4)
    )
}

fn contact() -> String {
    format!("{}<p>Write to us on paper: 1 Lamp Lane, Lampton.</p>", paragraphs("Contact", 3))
}

fn sale() -> String {
    let links: String =
        (1..=6).map(|number| format!("<li><a href=\"/products/lamp-{number}\">Lamp {number}</a></li>")).collect();
    format!("{}<ul>{links}</ul>", paragraphs("Sale", 3))
}

fn products() -> String {
    let links: String =
        (1..=LAMPS).map(|number| format!("<li><a href=\"/products/lamp-{number}\">Lamp {number}</a></li>")).collect();
    format!("{}<ul>{links}</ul>", paragraphs("All lamps", 3))
}

fn lamp(path: &str) -> Option<String> {
    let number: u32 =
        path.strip_prefix("/products/lamp-")?.parse().ok().filter(|number| (1..=LAMPS).contains(number))?;
    let title = format!("Lamp {number}: brass, {} watts", 20 + number);
    let description = format!(
        "Lamp {number} gives {} lumens, stands {} cm high and can be mended at home.",
        400 + 10 * number,
        20 + number
    );
    let mut head = Head::of(&title, &description);
    let mut body = paragraphs(&format!("Lamp {number}"), 3 + number as usize % 3);
    let next = number % LAMPS + 1;
    body += &format!("<p>Goes well with <a href=\"/products/lamp-{next}\">lamp {next}</a>.</p>");
    match number {
        3 => head.extra = format!("<link rel=\"canonical\" href=\"http://{HOST}/products/lamp-3-gone\">"),
        5 => head.extra = "<meta name=\"robots\" content=\"noindex\">".to_owned(),
        7 => body += "<img src=\"/lamp-7.jpg\"><img src=\"/lamp-7-side.jpg\">",
        9 => body += "<h1>And another heading</h1>",
        11 => body += "<script src=\"http://cdn.example/lamp.js\"></script>",
        13 => body = "<h1>Lamp 13</h1><p>Soon.</p>".to_owned(),
        _ => {
            head.extra = format!(
                "<link rel=\"canonical\" href=\"http://{HOST}{path}\"><script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Lamp {number}\",\"offers\":{{\"@type\":\"Offer\",\"price\":\"{}.00\",\"priceCurrency\":\"EUR\"}}}}</script>",
                40 + number
            );
            body += &format!(
                "<img src=\"/lamp-{number}.jpg\" alt=\"Lamp {number} on a desk\" width=\"640\" height=\"480\">"
            );
        }
    }
    Some(document(head, &body))
}

const GUIDES: &[(&str, &str, &str)] = &[
    ("reading", "Light for reading", "Where a lamp should stand when you read."),
    ("mending", "Mending a lamp", "A new cord in ten minutes."),
    ("bulbs", "Which bulb", "Lumens, kelvin and what they mean at a desk."),
];

fn guides() -> String {
    let links: String =
        GUIDES.iter().map(|(slug, title, _)| format!("<li><a href=\"/guides/{slug}\">{title}</a></li>")).collect();
    format!("{}<ul>{links}</ul>", paragraphs("Guides to good light", 2))
}

fn guide(path: &str) -> Option<String> {
    let wanted = path.strip_prefix("/guides/")?;
    let (_, title, description) = GUIDES.iter().find(|(slug, _, _)| *slug == wanted)?;
    let body = format!(
        "{}<p>By <span itemprop=\"author\">Grace Hopper</span>. See also <a href=\"/products/lamp-2\">lamp 2</a>.</p>",
        paragraphs(title, 6)
    );
    Some(document(Head::of(title, description), &body))
}

/// A heading and so many paragraphs of plain, differing text.
fn paragraphs(heading: &str, count: usize) -> String {
    const SENTENCES: [&str; 8] = [
        "Good light falls where the work is and nowhere else.",
        "Brass wears in; paint wears off.",
        "A cord that can be changed keeps a lamp for a lifetime.",
        "Warm light calms an evening, cool light wakes a morning.",
        "The shade decides more than the bulb does.",
        "Two small lamps beat one large one in most rooms.",
        "Dust takes a tenth of the light each year.",
        "Every part we use can be bought on its own.",
    ];
    let seed = heading.bytes().map(usize::from).sum::<usize>();
    let body: String = (0..count)
        .map(|index| {
            let text: Vec<&str> =
                (0..5).map(|step| SENTENCES[(seed + index * 3 + step * (1 + index % 3)) % SENTENCES.len()]).collect();
            format!("<p>{} About {}, part {}.</p>", text.join(" "), heading.to_lowercase(), index + 1)
        })
        .collect();
    format!("<h1>{heading}</h1>{body}")
}
