//! The operation `crawl.page.content.get`.

use kit::crawled::{PageRecord, page_id};
use sdk::Degraded;
use sdk::prelude::*;

use crate::run;
use crate::stored::Page;
use crate::work::{MainText, Text, text_blob};

/// Bytes of HTML that are read for a text which the crawl did not keep: reading costs some 480 units of fuel a byte.
const MOST_READ: u64 = 350_000;

#[args]
pub(crate) struct Get {
    /// The crawl; without it the latest that has pages.
    run_ref: Option<Id<crate::stored::Run>>,
    /// The address; it is normalised as the crawl does.
    url: Url,
    /// The main text as Markdown or plain, or the page's HTML as it came.
    #[default("markdown")]
    form: Form,
    /// Characters to leave out at the beginning; of HTML, bytes.
    #[default(0)]
    offset: Count<0, 100_000_000>,
    /// Characters at most; of HTML, bytes.
    #[default(8000)]
    length: Count<1, 20_000>,
}

/// How a page's content is given.
#[value]
pub(crate) enum Form {
    Markdown,
    Text,
    Html,
}

/// A part of a page's content.
#[value]
pub(crate) struct Content {
    /// The crawl.
    run_ref: Id<crate::stored::Run>,
    /// The address.
    url: String,
    /// How it is given.
    form: Form,
    /// The part.
    content: String,
    /// Characters of all of it; of HTML, bytes.
    total_chars: u64,
    /// Where to go on, when there is more.
    next_offset: Option<u64>,
    /// The first title.
    extracted_title: String,
    /// Words of the main text.
    word_count: u32,
    /// When it was fetched.
    fetched_at: Moment,
    /// What was missing.
    degraded: Vec<Degraded>,
}

/// Returns the main text of a crawled page as Markdown or plain, or a part of its HTML.
///
/// The main text is that of `<main>` or of the only `<article>`, otherwise of the body without navigation, header, side
/// bar and footer. It is what the crawl stored; nothing is fetched.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["show the text of a crawled page", "get page content as markdown", "read the stored html of a url", "what does this page say"],
    examples = [{ "url": "https://shop.example/" }, { "url": "https://shop.example/", "form": "html", "length": 2000 }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Content> {
    let run = run::given(cx, args.run_ref.as_ref())?;
    let url = run::normal(&args.url);
    let page = cx.records::<Page>().find(&Id::new(page_id(run.id.as_str(), &url)));
    let page = page.ok_or_else(|| {
        Fault::not_found("page_not_found", "this crawl has no such address; crawl.page.list shows those it has")
            .at("/url")
    })?;
    let page = page.into_inner().0;
    let (offset, length) = (u64::from(args.offset), u64::from(args.length));
    let mut degraded = Vec::new();
    if page.facts.truncated {
        degraded.push(Degraded::new("content", "the page was longer than the crawl reads, so its end is missing"));
    }
    let (content, total_chars) = if args.form == Form::Html {
        html(cx, &page, offset, length)?
    } else {
        let text = text(cx, &run, &page)?;
        let text = if args.form == Form::Text { text.plain } else { text.markdown };
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let part = text.chars().skip(from).take(usize::try_from(length).unwrap_or(usize::MAX)).collect();
        (part, text.chars().count() as u64)
    };
    let end = offset.saturating_add(length);
    Ok(Content {
        run_ref: run.id,
        url: page.url,
        form: args.form,
        content,
        total_chars,
        next_offset: (end < total_chars).then_some(end),
        extracted_title: page.facts.titles.into_iter().next().unwrap_or_default(),
        word_count: page.facts.word_count,
        fetched_at: Moment::from_millis(page.fetched_ms),
        degraded,
    })
}

/// Bytes of the page, cut where characters begin.
fn html(cx: &Cx, page: &PageRecord, offset: u64, length: u64) -> Result<(String, u64)> {
    let key = page.html_blob.as_deref().ok_or_else(not_kept)?;
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let bytes = cx.blobs().read(key, offset, length).ok_or_else(not_kept)?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), page.facts.html_bytes))
}

/// The text that the crawl kept, or, of a page that is small enough, the text of its HTML.
pub(crate) fn text(cx: &Cx, run: &Stored<crate::stored::Run>, page: &PageRecord) -> Result<Text> {
    if let Some(at) = &page.text {
        let bytes = cx.blobs().read(&text_blob(run.id.as_str(), at.pack), u64::from(at.offset), at.length);
        if let Some(text) = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return Ok(text);
        }
    }
    let key = page.html_blob.as_deref().filter(|_| page.facts.html_bytes <= MOST_READ).ok_or_else(not_kept)?;
    let body = cx.blobs().read(key, 0, u32::try_from(MOST_READ).unwrap_or(u32::MAX)).ok_or_else(not_kept)?;
    let headers: Vec<(String, String)> = page
        .facts
        .headers
        .get("content-type")
        .map(|value| ("content-type".to_owned(), value.to_owned()))
        .into_iter()
        .collect();
    let (facts, document) = kit::page::read_whole(&kit::page::Answer {
        url: &page.url,
        final_url: &page.url,
        status: page.status,
        hops: &[],
        headers: &headers,
        body: &body,
        truncated: false,
        timing: kit::page::Timing::default(),
    });
    let text = MainText::of(document.as_ref(), &page.url);
    let headings: Vec<&str> = facts.headings.iter().map(|heading| heading.text.as_str()).collect();
    Ok(Text {
        url: page.url.clone(),
        title: facts.titles.first().cloned().unwrap_or_default(),
        headings: headings.join("\n"),
        plain: text.plain,
        markdown: text.markdown,
    })
}

fn not_kept() -> Fault {
    let message =
        "the crawl kept no content of this address: it is no HTML page, or the crawl ran with `store_html` off";
    Fault::conflict("content_not_stored", message).at("/url")
}
