//! Where the faults are planted: parts of right pages are changed, and some addresses are wrong as a whole.
//!
//! [`crate::FAULTS`] says the same in words; a test goes through it and looks for each.

use crate::Answer;
use crate::document::{Language, Page, file, moved, url};
use crate::words::paragraphs;
use crate::{HOST, INDEXNOW_KEY, articles, catalog, pages, places};

/// Months that the workshop's calendar shows.
const MONTHS: usize = 12;
/// Bytes of a picture that is far too large.
const HEAVY: usize = 1_200_000;
/// A grey dot as PNG: the header of every picture of the shop.
const DOT: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cch\0\0\0\x82\0\x81w\xcdr\xb6\0\0\0\0IEND\xaeB`\x82";

/// Every page, with its faults.
pub(crate) fn all() -> Vec<Page> {
    let mut all = pages::all();
    all.extend(catalog::all());
    all.extend(articles::all());
    all.extend(places::all());
    all.extend(extra());
    let mut all: Vec<Page> = all.into_iter().map(planted).collect();
    // The chain that no page links to but its own links.
    all.extend((1..=6).map(deep));
    all
}

fn planted(mut page: Page) -> Page {
    let path = page.path.clone();
    let english = |subject: &str| paragraphs(Language::English, subject, 4);
    match path.as_str() {
        "/about" => page.titles.clear(),
        "/contact" => page.description = None,
        "/sale" => page.titles = vec!["All lamps".to_owned()],
        "/products/lamp-3" => page.canonical = vec![url("/products/lamp-3-gone")],
        "/products/lamp-5" => page.robots = Some("noindex"),
        "/products/lamp-7" => page.main += "<img src=\"/assets/lamp-7-side.png\"><img src=\"/assets/lamp-7-back.png\">",
        "/products/lamp-9" => page.main += "<h1>And another heading</h1>",
        "/products/lamp-11" => page.main += "<script src=\"http://cdn.example/lamp.js\"></script>",
        "/products/lamp-13" => page.main = "<p>Soon.</p>".to_owned(),
        "/shop/desk-lamp-2" => page.titles = vec!["Desk lamp 2 in brass with a heavy foot, a linen shade, a quiet switch and a cord that can be changed at home in ten minutes".to_owned()],
        "/shop/desk-lamp-3" => page.titles = vec!["L".to_owned()],
        "/shop/desk-lamp-4" => page.titles.push("Another title of desk lamp 4".to_owned()),
        "/shop/desk-lamp-5" => page.description = Some("This desk lamp has a long story. ".repeat(16)),
        "/shop/desk-lamp-6" | "/shop/desk-lamp-7" => page.description = Some("A desk lamp of ours.".to_owned()),
        "/shop/desk-lamp-8" => page.description = Some(String::new()),
        "/shop/floor-lamp-2" => page.heading = None,
        "/shop/floor-lamp-3" => page.main = page.main.replace("<h2>Details</h2>", "<h4>Details</h4>"),
        "/shop/floor-lamp-4" => page.canonical.push(url("/shop/floor-lamp-1")),
        "/shop/floor-lamp-5" => page.canonical = vec!["/shop/floor-lamp-5".to_owned()],
        "/shop/floor-lamp-6" => page.headers.push(("link", format!("<{}>; rel=\"canonical\"", url("/shop/floor-lamp-1")))),
        "/shop/floor-lamp-7" => page.canonical = vec![url("/shop/floor-lamp-8")],
        "/shop/floor-lamp-8" => page.canonical = vec![url("/shop/floor-lamp-9")],
        "/shop/floor-lamp-10" => {
            page.canonical.clear();
            page.main += &format!("<link rel=\"canonical\" href=\"{}\">", url("/shop/floor-lamp-10"));
        }
        "/de/shop/tischlampe-1" => page.alternates.retain(|(code, _)| code == "de"),
        "/shop/table-lamp-2" => page.alternates.push(("en-UK".to_owned(), url("/shop/table-lamp-2"))),
        "/shop/table-lamp-3" => page.alternates.push(("fr".to_owned(), url("/fr/shop/lampe-3"))),
        "/shop/table-lamp-4" => page.alternates.retain(|(code, _)| code == "de"),
        "/de/shop/tischlampe-5" => page.lang = "en".to_owned(),
        "/shop/wall-lamp-1" => page.main += "<img src=\"/images/lost.png\" alt=\"A lost picture\" width=\"10\" height=\"10\">",
        "/shop/wall-lamp-2" => page.main = page.main.replace(" width=\"640\" height=\"480\"", ""),
        "/shop/wall-lamp-3" => page.main += "<img src=\"/assets/heavy.png\" alt=\"A very large picture\" width=\"640\" height=\"480\">",
        "/shop/wall-lamp-4" => page.json_ld = vec!["{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Wall lamp 4\",}".to_owned()],
        "/shop/wall-lamp-5" => page.json_ld = vec!["{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"sku\":\"wall-lamp-5\"}".to_owned()],
        "/shop/wall-lamp-6" => page.json_ld[0] = pages::product("Wall lamp 6", &path, 9_999),
        "/shop/wall-lamp-7" => page.json_ld = vec!["{\"@context\":\"https://schema.org\",\"@type\":\"Lampe\",\"name\":\"Wall lamp 7\"}".to_owned()],
        "/shop/wall-lamp-8" => page.json_ld = vec!["{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Wall lamp 8\",\"offers\":{\"@type\":\"Offer\",\"price\":\"49 Euro\",\"priceCurrency\":\"Euros\"}}".to_owned()],
        "/locations/leeds" => page.json_ld[0] = page.json_ld[0].replace("/#organization", "/#nobody"),
        "/shop/pendant-lamp-1" => page.headers.push(("x-robots-tag", "noindex".to_owned())),
        "/shop/pendant-lamp-2" => {
            page.robots = Some("noindex");
            page.canonical = vec![url("/shop/pendant-lamp-3")];
        }
        "/shop/pendant-lamp-3" => page.robots = Some("nofollow"),
        "/shop/pendant-lamp-4" | "/shop/pendant-lamp-5" => page.main = english("one lamp under two addresses"),
        "/shop/pendant-lamp-6" => page.main = english("nearly the same lamp"),
        "/shop/pendant-lamp-7" => page.main = format!("{}<p>Also in green.</p>", english("nearly the same lamp")),
        "/categories/floor-lamp/page/2" => page.canonical = vec![url("/categories/floor-lamp")],
        "/categories/table-lamp" => page.main += "<p>Sort by <a href=\"/categories/table-lamp?sort=price\">price</a>, <a href=\"/categories/table-lamp?sort=name&amp;session=8f3a\">name</a></p>",
        "/categories/clip-lamp" => page.main += "<p><a href=\"/Shop/Clip-Lamp-1\">Clip lamp 1</a>, <a href=\"/shop//clip-lamp-2\">Clip lamp 2</a></p>",
        "/help" => page.main += "<p><a href=\"/help/how_to_order\">How to order</a>, <a href=\"/help/draft\">Draft</a>, <a href=\"/help/newsletter\">Newsletter</a>, <a href=\"/help/discontinued\">Discontinued</a>, <a href=\"/help/old-terms\">Old terms</a>, <a href=\"/help/everything-that-anybody-ever-wanted-to-know-about-ordering-a-lamp-from-us-and-never-dared-to-ask-at-the-counter-on-a-busy-saturday\">Everything</a>, <a href=\"/deep/1\">More</a></p>",
        "/help/returns" => page.main += "<p>See <a href=\"/old-shipping\">shipping</a>.</p>",
        "/blog" => page.main += "<p><a href=\"/blog/anonymous\">A guest</a>, <a href=\"/blog/old-news\">old news</a></p>",
        "/blog/brass-history" => page.main += "<p>For more <a href=\"/guides/mending\">click here</a>.</p>",
        "/blog/brass-learned" => page.main += "<p><a href=\"/guides/bulbs\"></a></p>",
        "/blog/brass-questions" => page.main += "<p><a rel=\"nofollow\" href=\"/guides/reading\">Light for reading</a></p>",
        "/blog/shades-learned" => page.main += "<p><a href=\"javascript:void(0)\" onclick=\"location='/products'\">All lamps</a></p>",
        "/blog/shades-history" => page.head.clear(),
        "/blog/shades-rules" => page.main += "<meta name=\"robots\" content=\"noindex\"><p id=\"same\">One</p><p id=\"same\">Two</p>",
        "/blog/cords-rules" => page.main += "<p><a href=\"/guides/mending#step-nine\">Step nine</a></p>",
        "/help/privacy" => page.charset = false,
        "/help/terms" => page.headers.clear(),
        _ => {}
    }
    page
}

/// Pages that exist only for their fault.
fn extra() -> Vec<Page> {
    let page = |path: &str, title: &str, main: &str| {
        Page::new(path, Language::English, title, &format!("{title}, from the lamp shop."), main.to_owned())
    };
    let text = |subject: &str| paragraphs(Language::English, subject, 4);
    let long = "/help/everything-that-anybody-ever-wanted-to-know-about-ordering-a-lamp-from-us-and-never-dared-to-ask-at-the-counter-on-a-busy-saturday";
    let form = "<form action=\"http://forms.example/newsletter\" method=\"post\"><input type=\"email\" name=\"email\"><button>Send</button></form>";
    let mut all = vec![
        page("/help/how_to_order", "How to order", &text("how to order")),
        page(
            "/help/draft",
            "Draft",
            "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.</p>",
        ),
        page("/help/newsletter", "Newsletter", &format!("{}{form}", text("newsletter"))),
        page(
            "/help/discontinued",
            "Page not found",
            "<p>Sorry, this page could not be found. It may have been removed.</p>",
        ),
        page("/help/old-terms", "Old terms", &text("old terms")),
        page(long, "Everything about ordering", &text("everything about ordering")),
        page("/blog/anonymous", "A guest writes", &text("a guest writes")),
        page("/Shop/Clip-Lamp-1", "Clip lamp 1 again", &text("clip lamp 1 again")),
        page("/shop//clip-lamp-2", "Clip lamp 2 again", &text("clip lamp 2 again")),
        page(
            "/categories/clip-lamp/page/9",
            "Clip lamps, page 9",
            "<p>There is nothing on this page.</p><p><a href=\"/categories/clip-lamp\">Back</a></p>",
        ),
    ];
    for page in &mut all {
        page.sitemap = false;
    }
    let mut news = page("/blog/old-news", "Old news", "<p>We have moved.</p>");
    news.head += "<meta http-equiv=\"refresh\" content=\"0; url=/blog\">";
    news.sitemap = false;
    let mut app = page("/app", "Lamp planner", "<div id=\"root\"></div><script src=\"/assets/app.js\"></script>");
    app.heading = None;
    app.sitemap = false;
    all.extend([news, app]);
    // The same list under other addresses, each calling itself the original.
    for query in ["sort=price", "sort=name&session=8f3a"] {
        let mut sorted = page(&format!("/categories/table-lamp?{query}"), "Table lamps", &text("table lamps, sorted"));
        sorted.sitemap = false;
        all.push(sorted);
    }
    for month in 1..=MONTHS {
        let next = month % MONTHS + 1;
        let main = format!("<p>No workshops.</p><p><a href=\"/calendar/2026-{next:02}\">Next month</a></p>");
        let mut calendar = page(&format!("/calendar/2026-{month:02}"), &format!("Workshops in 2026-{month:02}"), &main);
        calendar.sitemap = false;
        all.push(calendar);
    }
    all
}

/// One of a chain of pages, each known only to the one before.
fn deep(number: usize) -> Page {
    let path = format!("/deep/{number}");
    let next = if number < 6 { format!("<p><a href=\"/deep/{}\">Deeper</a></p>", number + 1) } else { String::new() };
    let title = format!("Archive, drawer {number}");
    let main = format!("{}{next}", paragraphs(Language::English, &title, 3));
    Page::new(&path, Language::English, &title, &format!("Drawer {number} of the archive."), main)
}

/// Redirects, errors and files.
pub(crate) fn others() -> Vec<(String, Answer)> {
    let mut all = vec![
        ("/old-catalog", moved(301, "/older-catalog")),
        ("/older-catalog", moved(302, "/oldest-catalog")),
        ("/oldest-catalog", moved(301, "/products")),
        ("/loop-a", moved(302, "/loop-b")),
        ("/loop-b", moved(302, "/loop-a")),
        ("/summer-sale", moved(302, "/sale")),
        ("/catalog.pdf", moved(301, "/missing-catalog")),
        ("/old-shipping", moved(301, "/help/shipping")),
        (
            "/error",
            Answer {
                status: 500,
                headers: vec![("content-type", "text/plain".to_owned())],
                body: b"something broke".to_vec(),
            },
        ),
        ("/assets/site.css", file("text/css", "main{max-width:60ch}")),
        ("/assets/share.png", file("image/png", DOT)),
        ("/assets/heavy.png", file("image/png", [DOT, &vec![0; HEAVY]].concat())),
        ("/assets/lamp-7-side.png", file("image/png", DOT)),
        ("/assets/lamp-7-back.png", file("image/png", DOT)),
    ];
    let app = format!("document.getElementById('root').textContent='{HOST}'");
    let uncached =
        Answer { status: 200, headers: vec![("content-type", "text/javascript".to_owned())], body: app.into_bytes() };
    all.push(("/assets/app.js", uncached));
    let mut all: Vec<(String, Answer)> = all.into_iter().map(|(path, answer)| (path.to_owned(), answer)).collect();
    all.push((format!("/{INDEXNOW_KEY}.txt"), file("text/plain; charset=utf-8", INDEXNOW_KEY)));
    let lamps = (1..=24).map(|number| format!("lamp-{number}"));
    let products = catalog::CATEGORIES
        .iter()
        .flat_map(|it| (1..=10).flat_map(move |number| [format!("{}-{number}", it[0]), format!("{}-{number}", it[2])]));
    all.extend(lamps.chain(products).map(|name| (format!("/assets/{name}.png"), file("image/png", DOT))));
    all
}
