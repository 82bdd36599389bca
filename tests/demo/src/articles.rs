//! What people read: the blog with its authors, help, and the German guides.

use crate::document::{Language, Page, url};
use crate::words::{Dice, paragraphs};

/// Slug, name and what the author does.
pub(crate) const AUTHORS: [(&str, &str, &str); 4] = [
    ("ada", "Ada Lovelace", "founded the shop and still winds the wires"),
    ("grace", "Grace Hopper", "mends what others gave up on"),
    ("lise", "Lise Meitner", "measures light, and argues about kelvin"),
    ("emmy", "Emmy Noether", "designs shades that are the same from every side"),
];
const TOPICS: [&str; 10] = [
    "brass",
    "shades",
    "cords",
    "reading",
    "winter evenings",
    "small rooms",
    "old sockets",
    "colour",
    "glare",
    "workshops",
];
const ANGLES: [&str; 4] = ["What we learned about", "A short history of", "Five rules for", "Questions about"];
const POSTS: usize = TOPICS.len() * ANGLES.len();
/// Posts on one page of the blog.
const A_PAGE: usize = 10;
const HELP: [(&str, &str); 20] = [
    ("shipping", "Shipping"),
    ("returns", "Returns"),
    ("payment", "Payment"),
    ("warranty", "Warranty"),
    ("repair", "Repair by post"),
    ("spare-parts", "Spare parts"),
    ("bulbs", "Choosing a bulb"),
    ("cleaning", "Cleaning a shade"),
    ("dimmers", "Dimmers"),
    ("voltage", "Voltage abroad"),
    ("plugs", "Plugs and adapters"),
    ("safety", "Safety"),
    ("recycling", "Recycling"),
    ("gift-cards", "Gift cards"),
    ("trade", "Trade customers"),
    ("press", "Press"),
    ("jobs", "Jobs"),
    ("privacy", "Privacy"),
    ("terms", "Terms"),
    ("accessibility", "Accessibility"),
];
const HILFE: [(&str, &str); 8] = [
    ("versand", "Versand"),
    ("rueckgabe", "Rückgabe"),
    ("zahlung", "Zahlung"),
    ("garantie", "Garantie"),
    ("reparatur", "Reparatur per Post"),
    ("ersatzteile", "Ersatzteile"),
    ("birnen", "Die richtige Birne"),
    ("reinigung", "Einen Schirm reinigen"),
];
const RATGEBER: [(&str, &str); 10] = [
    ("leselicht", "Licht zum Lesen"),
    ("kabel", "Ein neues Kabel"),
    ("schirme", "Welcher Schirm"),
    ("kelvin", "Was Kelvin bedeutet"),
    ("flur", "Licht im Flur"),
    ("kueche", "Licht in der Küche"),
    ("kinderzimmer", "Licht im Kinderzimmer"),
    ("messing", "Messing pflegen"),
    ("dimmer", "Dimmer verstehen"),
    ("garten", "Licht im Garten"),
];

pub(crate) fn all() -> Vec<Page> {
    let mut all: Vec<Page> = (0..POSTS).map(post).collect();
    all.extend((1..=POSTS.div_ceil(A_PAGE)).map(blog));
    all.extend(AUTHORS.iter().enumerate().map(author));
    all.extend(section(Language::English, "/help", "Help", "Answers to what people ask us.", &HELP));
    all.extend(section(Language::German, "/de/hilfe", "Hilfe", "Antworten auf das, was man uns fragt.", &HILFE));
    all.extend(section(
        Language::German,
        "/de/ratgeber",
        "Ratgeber",
        "Wie man eine Lampe wählt, stellt und repariert.",
        &RATGEBER,
    ));
    all
}

fn slug(nth: usize) -> String {
    let angle = ["learned", "history", "rules", "questions"][nth % ANGLES.len()];
    format!("{}-{angle}", TOPICS[nth / ANGLES.len()].replace(' ', "-"))
}

fn title(nth: usize) -> String {
    format!("{} {}", ANGLES[nth % ANGLES.len()], TOPICS[nth / ANGLES.len()])
}

/// The day of a post, some days apart from the next.
fn day(nth: usize) -> String {
    format!("2026-{:02}-{:02}", 1 + nth / 4, 1 + (nth % 4) * 7)
}

fn post(nth: usize) -> Page {
    let path = format!("/blog/{}", slug(nth));
    let (title, day) = (title(nth), day(nth));
    let (author_slug, author, _) = AUTHORS[Dice::of(&path).below(AUTHORS.len())];
    let next = slug((nth + 1) % POSTS);
    let main = format!(
        "<p class=\"byline\">By <a rel=\"author\" href=\"/blog/authors/{author_slug}\">{author}</a>, <time datetime=\"{day}\">{day}</time></p>{}<h2>Read on</h2><p><a href=\"/blog/{next}\">{}</a></p>",
        paragraphs(Language::English, &title, 6),
        self::title((nth + 1) % POSTS)
    );
    let data = format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"BlogPosting\",\"headline\":\"{title}\",\"datePublished\":\"{day}\",\"image\":\"{0}\",\"author\":{{\"@type\":\"Person\",\"name\":\"{author}\",\"url\":\"{1}\"}},\"publisher\":{{\"@id\":\"{2}#organization\"}}}}",
        url("/assets/share.png"),
        url(&format!("/blog/authors/{author_slug}")),
        url("/")
    );
    let about = format!("{title}, told by {author} of the lamp shop.");
    Page::new(&path, Language::English, &title, &about, main).with_json_ld(data)
}

fn blog(number: usize) -> Page {
    let place = |number: usize| if number == 1 { "/blog".to_owned() } else { format!("/blog/page/{number}") };
    let from = (number - 1) * A_PAGE;
    let items: String = (from..(from + A_PAGE).min(POSTS))
        .map(|nth| format!("<li><a href=\"/blog/{}\">{}</a></li>", slug(nth), title(nth)))
        .collect();
    let mut around = String::new();
    if number > 1 {
        around += &format!("<a rel=\"prev\" href=\"{}\">Newer</a> ", place(number - 1));
    }
    if number < POSTS.div_ceil(A_PAGE) {
        around += &format!("<a rel=\"next\" href=\"{}\">Older</a>", place(number + 1));
    }
    let title = if number == 1 { "Blog".to_owned() } else { format!("Blog, page {number}") };
    let about = if number == 1 {
        "News from the workshop.".to_owned()
    } else {
        format!("Older news from the workshop, page {number}.")
    };
    let main = format!("{}<ul>{items}</ul><p>{around}</p>", paragraphs(Language::English, &title, 1));
    Page::new(&place(number), Language::English, &title, &about, main)
}

fn author((nth, (slug, name, does)): (usize, &(&str, &str, &str))) -> Page {
    let path = format!("/blog/authors/{slug}");
    let data = format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"ProfilePage\",\"mainEntity\":{{\"@type\":\"Person\",\"name\":\"{name}\",\"url\":\"{}\"}}}}",
        url(&path)
    );
    let main = format!(
        "<p>{name} {does}.</p>{}<p><a href=\"/blog/{}\">A post</a></p>",
        paragraphs(Language::English, name, 3),
        self::slug(nth)
    );
    Page::new(&path, Language::English, name, &format!("{name} {does}."), main).with_json_ld(data)
}

/// An index and the pages under it.
fn section(language: Language, root: &str, title: &str, about: &str, under: &[(&str, &str)]) -> Vec<Page> {
    let items: String =
        under.iter().map(|(slug, title)| format!("<li><a href=\"{root}/{slug}\">{title}</a></li>")).collect();
    let index = Page::new(root, language, title, about, format!("{}<ul>{items}</ul>", paragraphs(language, title, 2)));
    let one = |(at, (slug, own)): (usize, &(&str, &str))| {
        let (next, next_title) = under[(at + 1) % under.len()];
        let also = if language == Language::English { "See also" } else { "Siehe auch" };
        let about = if language == Language::English {
            format!("{own}: what to know before and after you order.")
        } else {
            format!("{own}: was man vor und nach dem Kauf wissen sollte.")
        };
        let main = format!("{}<p>{also} <a href=\"{root}/{next}\">{next_title}</a>.</p>", paragraphs(language, own, 4));
        Page::new(&format!("{root}/{slug}"), language, own, &about, main)
    };
    std::iter::once(index).chain(under.iter().enumerate().map(one)).collect()
}
