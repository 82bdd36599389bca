//! Pages as large sites have them, made up: an article, a shop's list of products, an index of links, tables.

use std::fmt::Write as _;

/// What a page is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Paragraphs with headings and a few links.
    Article,
    /// Cards with picture, price, links and structured data.
    Shop,
    /// A list of links in nested lists, as a documentation's index has them.
    Index,
    /// Tables of short cells.
    Table,
    /// Paragraphs in scripts that part words by no spaces.
    Spaceless,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 5] = [Shape::Article, Shape::Shop, Shape::Index, Shape::Table, Shape::Spaceless];

    /// Its name in an address.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Article => "article",
            Shape::Shop => "shop",
            Shape::Index => "index",
            Shape::Table => "table",
            Shape::Spaceless => "spaceless",
        }
    }
}

const WORDS: &[&str] = &[
    "lamp", "brass", "light", "shade", "room", "wall", "warm", "table", "floor", "glass", "linen", "order", "delivery",
    "bright", "evening", "reading", "cable", "switch", "garden", "kitchen", "simple", "modern", "classic", "handmade",
];

const SENTENCES: &[&str] = &[
    "我们的黄铜灯具在德国手工制作，适合客厅和卧室的阅读角落。",
    "真鍮のランプは職人が一つずつ手作りし、長く使えるように仕上げています。",
    "โคมไฟทองเหลืองทำด้วยมือและเหมาะกับห้องนั่งเล่นและห้องนอน",
    "搜索引擎优化需要时间，内容质量和网站结构同样重要。",
    "配送は三営業日以内で、送料は全国一律です。",
];

/// A page of this shape and about this many bytes.
///
/// # Panics
/// Never: a string can be written to.
pub fn page(shape: Shape, bytes: usize) -> String {
    let mut html = String::with_capacity(bytes + 4_096);
    html.push_str(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Brass lamps for every room</title>\
         <meta name=\"description\" content=\"Lamps of brass and linen, made by hand.\">\
         <link rel=\"canonical\" href=\"http://large.example/\"></head><body><header><nav><a href=\"/\">Home</a></nav>\
         </header><main><h1>Brass lamps</h1>",
    );
    let mut n = 0_usize;
    while html.len() < bytes {
        n += 1;
        let word = |at: usize| WORDS[(n * 7 + at * 5) % WORDS.len()];
        match shape {
            Shape::Article => {
                write!(html, "<h2>{} and {}</h2><p>", word(1), word(2)).expect("a string");
                for at in 0..120 {
                    write!(html, "{} ", word(at * n)).expect("a string");
                }
                write!(html, "<a href=\"/{}-{n}.html\">{} {n}</a>.</p>", word(3), word(3)).expect("a string");
            }
            Shape::Shop => {
                write!(
                    html,
                    "<article class=\"card\"><a href=\"/p/{n}\"><img src=\"/img/{n}.jpg\" alt=\"{a} {b} {n}\" width=\"300\" \
                     height=\"300\"><h3>{a} {b} {n}</h3></a><p class=\"price\"><span>{n}.99</span> EUR</p><p>{c} {d} \
                     {a}, {b} and {c}</p><ul><li>{d}</li><li>{b}</li></ul><button type=\"button\">Add</button>\
                     <script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\
                     \"name\":\"{a} {b} {n}\",\"offers\":{{\"@type\":\"Offer\",\"price\":\"{n}.99\",\"priceCurrency\":\
                     \"EUR\"}}}}</script></article>",
                    a = word(1),
                    b = word(2),
                    c = word(3),
                    d = word(4)
                )
                .expect("a string");
            }
            Shape::Index => {
                write!(html, "<section><h3 id=\"s{n}\">{} {n}</h3><ul>", word(1)).expect("a string");
                for at in 0..8 {
                    write!(html, "<li><a href=\"/ref/{n}/{at}.html#x{at}\"><code>{}_{}</code></a></li>", word(at), at)
                        .expect("a string");
                }
                html.push_str("</ul></section>");
            }
            Shape::Table => {
                html.push_str("<table><tr><th>Name<th>Size<th>Watt</tr>");
                for at in 0..30 {
                    write!(html, "<tr><td>{}<td>{at}<td>{}</tr>", word(at), at * n).expect("a string");
                }
                html.push_str("</table>");
            }
            Shape::Spaceless => {
                write!(html, "<h2>灯具 {n}</h2><p>").expect("a string");
                for at in 0..12 {
                    html.push_str(SENTENCES[(n + at) % SENTENCES.len()]);
                }
                write!(html, "<a href=\"/{n}.html\">更多灯具 {n}</a>。</p>").expect("a string");
            }
        }
    }
    html.push_str("</main><footer><p>Lamps since 1999</p></footer></body></html>");
    html
}
