//! A small stored crawl, for the tests of this module.

use kit::crawled::{ExternalRecord, LinkRecord, PageRecord, RunRecord, TextAt, page_id};
use kit::inverted::{Whole, Writer, vocabulary};
use sdk::serde_json::Value;
use sdk::{Fake, json};

use site::{Crawled, External, Linked, Run, Site};
use texts::{Indexed, Text};

use crate::stored::Row;

pub(crate) const ORIGIN: &str = "https://shop.example";
pub(crate) const SITE: &str = "4503599627370496";
pub(crate) const RUN: &str = "run-1";
const TABLE: &str = include_str!("../../../catalog/operations.tsv");

/// Pages got these clicks from searches in the last days.
pub(crate) fn searched(fake: &Fake, clicks: &[(&str, u64)]) {
    let day = fake.now().day().plus(-3);
    let row = |(page, clicks): &(&str, u64)| {
        let figures = kit::pack::Search { impressions: 20 * clicks + 1, clicks: *clicks, positions: 60 * clicks + 3 };
        (day, (*page).to_owned(), figures)
    };
    search::trial::store_pages(fake, SITE, &clicks.iter().map(row).collect::<Vec<_>>());
}

/// A website without a crawl.
pub(crate) fn website() -> Fake {
    crate::fake().with_as(SITE, Site { origin: ORIGIN.to_owned(), ..Site::default() })
}

/// A crawl that has ended an hour ago and has no page yet.
pub(crate) fn ended(fake: &Fake) {
    run(fake, RUN, 0);
}

fn run(fake: &Fake, id: &str, packs: u32) {
    let ended = site::trial::ended(SITE, fake.now().millis() - 3_600_000);
    fake.put_as(id, Run(RunRecord { packs, ..ended }));
}

/// A crawl that grows page by page.
pub(crate) struct Crawl<'a> {
    fake: &'a Fake,
    run: String,
    seq: u64,
    pack: Vec<u8>,
}

impl<'a> Crawl<'a> {
    pub(crate) fn begin(fake: &'a Fake, id: &str) -> Self {
        run(fake, id, 1);
        Self { fake, run: id.to_owned(), seq: 0, pack: Vec::new() }
    }

    pub(crate) fn page(&mut self, path: &str, status: u16, headers: &[(&str, &str)], html: &str) -> &mut Self {
        let url = format!("{ORIGIN}{path}");
        let mut facts = site::trial::facts(&url, status, headers, html);
        for link in std::mem::take(&mut facts.links) {
            self.fake.put(Linked(LinkRecord {
                run: self.run.clone(),
                source: url.clone(),
                target: link.url,
                anchor: link.anchor,
                rel: link.rel,
                placement: link.placement,
                internal: link.internal,
                ..LinkRecord::default()
            }));
        }
        self.seq += 1;
        let heading = facts.headings.iter().find(|it| it.level == 1).map(|it| it.text.clone());
        let title = facts.titles.first().cloned().unwrap_or_default();
        let canonical = facts.canonicals.first().and_then(|it| it.url.clone());
        self.fake.put(Row {
            run: self.run.clone(),
            seq: self.seq,
            url: url.clone(),
            status,
            in_sitemap: path == "/lost",
            indexability_reason: facts.indexability.reason.word().to_owned(),
            redirect_to: facts.redirect_to.clone(),
            canonical,
            lang: Some("en".to_owned()),
            title: title.clone(),
            h1: heading,
            word_count: facts.word_count,
            ..Row::default()
        });
        let plain = html.split("<main>").nth(1).unwrap_or_default().replace("</main>", "");
        let headings = facts.headings.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n");
        let text = Text { url: url.clone(), title, headings, plain: without_tags(&plain), ..Text::default() };
        let line = sdk::serde_json::to_vec(&text).unwrap();
        let number = |value: usize| u32::try_from(value).unwrap();
        let at = TextAt { pack: 0, offset: number(self.pack.len()), length: number(line.len()) };
        self.pack.extend(line.into_iter().chain([b'\n']));
        self.fake.blobs().write(&format!("crawl.text/{}/0", self.run), &self.pack).unwrap();
        let record = PageRecord {
            run: self.run.clone(),
            seq: self.seq,
            url: url.clone(),
            status,
            text: Some(at),
            facts,
            ..PageRecord::default()
        };
        self.fake.put_as(&page_id(&self.run, &url), Crawled(record));
        self
    }

    /// Makes the search index of the texts so far, as a crawl does at its end.
    pub(crate) fn index(&self) {
        let mut writer = Writer::new("en");
        let (mut places, mut offset) = (Vec::new(), 0);
        for line in self.pack.split_inclusive(|byte| *byte == b'\n') {
            let text: Text = sdk::serde_json::from_slice(line).unwrap();
            writer.add(&format!("{}\n{}", text.title, text.plain));
            for value in [0, offset, line.len() - 1] {
                places.extend_from_slice(&u32::try_from(value).unwrap().to_le_bytes());
            }
            offset += line.len();
        }
        let texts = u32::try_from(writer.len()).unwrap();
        let segment = writer.finish();
        let counts = vocabulary(&segment).map(|(_, count)| u64::from(count));
        let search = Whole::of(u64::from(texts), 1_000, counts);
        self.fake.blobs().write(&format!("crawl.index/{}/0", self.run), &segment).unwrap();
        self.fake.blobs().write(&format!("crawl.places/{}/0", self.run), &places).unwrap();
        self.fake.put_as(&self.run, Indexed { segments: vec![texts], language: "en".to_owned(), search });
    }

    pub(crate) fn html(&mut self, path: &str, html: &str) -> &mut Self {
        self.page(path, 200, &[("content-type", "text/html; charset=utf-8")], html)
    }
}

fn without_tags(html: &str) -> String {
    let mut out = String::new();
    for piece in html.split('<') {
        let (tag, rest) = piece.split_once('>').unwrap_or(("", piece));
        if tag.starts_with(['p', 'h']) || tag.starts_with("/p") {
            out.push('\n');
        }
        out.push_str(rest);
    }
    out
}

/// A shop of nine pages that stand for themselves, a redirect, and links of every sort.
pub(crate) fn shop(fake: &Fake, id: &str) {
    shop_beside(fake, id, 410);
}

/// The shop, beside a website that answers so.
pub(crate) fn shop_beside(fake: &Fake, id: &str, status: u16) {
    let mut crawl = Crawl::begin(fake, id);
    crawl
        .html(
            "/",
            "<title>Shop of lamps | Shop</title><nav><a href=/lamps>Lamps</a><a href=/blog/>Blog</a></nav><main>\
             <a href=/old>Our old lamps</a> <a href=/blog/clean-brass-lamps-guide>How to clean</a> \
             <a href=https://dead.example/>Friend</a> <a rel=nofollow href=/desks>Desks</a> <a href=/secret>Secret</a></main>",
        )
        .html("/lamps", "<title>Brass lamps | Shop</title><main><a href=/>Home</a> <p>Lamps that last for all who read at night.</p></main>")
        .html("/desks", "<title>Oak desks | Shop</title><main><a href=/lamps>Lamps for desks</a></main>")
        .html("/blog/", "<title>Blog | Shop</title><main><a href=/blog/clean-brass-lamps>Cleaning</a> <a href=/blog/desk-care>Care</a></main>")
        .html(
            "/blog/clean-brass-lamps",
            "<title>How to clean brass lamps | Shop</title><main><h1>How to clean brass lamps</h1><p>Put salt on a soft cloth and wait for a while.</p></main>",
        )
        .html(
            "/blog/desk-care",
            "<title>Care of an oak desk | Shop</title><main><h1>Care of an oak desk</h1>\
             <p>Wax keeps the wood alive for many years to come.</p>\
             <p>We told you before how to clean brass lamps with salt and vinegar.</p><p><a href=/>Home again</a></p></main>",
        )
        .html(
            "/lost",
            &format!("<title>The lost lamp | Shop</title><main>{}</main>", "Nobody ever links to this long page of ours. ".repeat(20)),
        )
        .page("/secret", 200, &[("content-type", "text/html"), ("x-robots-tag", "noindex")], "<title>Secret</title>")
        .page("/old", 301, &[("location", "/lamps")], "")
        .page("/blog/clean-brass-lamps-guide", 404, &[("content-type", "text/html")], "<title>Gone</title>");
    fake.put_as(
        &page_id(id, "https://dead.example/"),
        External(ExternalRecord {
            run: id.to_owned(),
            url: "https://dead.example/".to_owned(),
            state: "checked".to_owned(),
            status,
            ..ExternalRecord::default()
        }),
    );
}

/// Builds the graph of a crawl.
pub(crate) fn build(fake: &Fake, arguments: Value) {
    fake.call("links.graph.build", arguments).unwrap();
    fake.work();
}

/// A shop whose graph is built.
pub(crate) fn built() -> Fake {
    let fake = website();
    shop(&fake, RUN);
    build(&fake, json!({ "run_ref": RUN }));
    fake
}

/// Makes sure that the catalog has the operation that a row names, and that it takes the arguments.
pub(crate) fn takes(row: &Value) {
    let row = row.get("fix").unwrap_or(row);
    let name = row["operation_id"].as_str().unwrap_or_else(|| panic!("no operation: {row}"));
    let mut rows = TABLE.lines().map(|it| it.split('\t').collect::<Vec<_>>());
    let listed = rows.find(|row| row[0] == name).unwrap_or_else(|| panic!("no operation {name}"));
    let arguments = row["arguments"].as_object().unwrap();
    assert!(sdk::served(name), "{row}");
    kit::listed::fits(listed[9], arguments).unwrap_or_else(|why| panic!("{why}: {row}"));
}
