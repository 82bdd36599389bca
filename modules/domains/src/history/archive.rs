//! The public web archive: its index (CDX server, github.com/internetarchive/wayback, wayback-cdx-server) and its captures.

use sdk::Failure;
use sdk::prelude::*;

use super::{READ, Year};

/// Bytes of the index.
const INDEX: u32 = 256 << 10;
/// Bytes of a capture.
const CAPTURE: u32 = 1 << 20;
/// Years that are asked for.
const YEARS: usize = 40;

/// A capture of the home page.
pub(super) struct Capture {
    pub(super) at: Moment,
    year: u32,
    status: Option<u16>,
    is_html: bool,
    /// As the archive names the moment.
    stamp: String,
    original: String,
    digest: String,
}

/// Captures, one a year, the newest first.
pub(super) struct Index(Vec<Capture>);

/// One capture of the home page a year.
///
/// # Errors
/// Why there is none, for people.
pub(super) fn index(cx: &Cx, domain: &str) -> Result<Index, String> {
    let address = format!(
        "https://web.archive.org/cdx/search/cdx?url={domain}/&collapse=timestamp:4&fl=timestamp,original,statuscode,mimetype,digest&limit={YEARS}&output=json"
    );
    let url: Url = address.parse().map_err(|_| "the archive cannot be asked for this name".to_owned())?;
    let request = Request::get(&url).follow(2).max_bytes(INDEX).timeout(20_000);
    let answer = cx.web().fetch(&request).map_err(|failure| match failure {
        Failure::Disallowed => "the archive does not want programs to ask its index".to_owned(),
        other => format!("the archive did not answer: {}", other.name()),
    })?;
    if answer.status != 200 {
        return Err(format!("the archive answers {}", answer.status));
    }
    let text = answer.text();
    if text.trim().is_empty() {
        return Ok(Index(Vec::new()));
    }
    let rows: Vec<Vec<String>> =
        sdk::serde_json::from_str(&text).map_err(|_| "the archive's index is not in its documented form".to_owned())?;
    let mut all: Vec<Capture> = rows.iter().filter_map(|row| capture(row)).collect();
    all.sort_by(|a, b| b.stamp.cmp(&a.stamp));
    Ok(Index(all))
}

/// A row of the index; none for its heading, and for what cannot be read.
fn capture(row: &[String]) -> Option<Capture> {
    let [stamp, original, status, media, digest] = row else { return None };
    if stamp.len() != 14 || !stamp.bytes().all(|it| it.is_ascii_digit()) || !original.starts_with("http") {
        return None;
    }
    let part = |from: usize, to: usize| &stamp[from..to];
    let text =
        format!("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12), part(12, 14));
    Some(Capture {
        at: text.parse().ok()?,
        year: part(0, 4).parse().ok()?,
        status: status.parse().ok(),
        is_html: media.contains("html") || media == "warc/revisit",
        stamp: stamp.clone(),
        original: original.clone(),
        digest: digest.clone(),
    })
}

impl Index {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Captures that are read: spread evenly over those with a page of their own, the newest first.
    pub(super) fn spread(&self) -> Vec<&Capture> {
        let mut all: Vec<&Capture> =
            self.0.iter().filter(|it| it.is_html && it.status.is_none_or(|it| it < 400)).collect();
        // The same bytes as the year before say nothing new.
        all.dedup_by(|a, b| a.digest == b.digest);
        if all.len() <= READ {
            return all;
        }
        let last = all.len() - 1;
        (0..READ).map(|at| all[at * last / (READ - 1)]).collect()
    }

    pub(super) fn years(self) -> Vec<Year> {
        let year = |it: Capture| {
            let capture_url = format!("https://web.archive.org/web/{}/{}", it.stamp, it.original).parse().ok()?;
            Some(Year { year: it.year, captured_at: it.at, status: it.status, capture_url })
        };
        self.0.into_iter().filter_map(year).collect()
    }
}

/// The pages of captures as they were, without the archive's own bar, and where a redirect led; none where one does not come.
pub(super) fn read(cx: &Cx, captures: &[&Capture]) -> Vec<Option<(String, Option<String>)>> {
    let address = |it: &Capture| format!("https://web.archive.org/web/{}id_/{}", it.stamp, it.original);
    let urls: Vec<Option<Url>> = captures.iter().map(|it| address(it).parse().ok()).collect();
    let requests = urls.iter().flatten().map(|url| Request::get(url).follow(3).max_bytes(CAPTURE).timeout(20_000));
    let mut answers = cx.web().fetch_many(requests).into_iter();
    urls.iter()
        .map(|url| {
            url.as_ref()?;
            let answer = answers.next()?.ok()?;
            (answer.status == 200).then(|| (answer.text(), original(&answer.url)))
        })
        .collect()
}

/// The address within an address of the archive.
fn original(url: &str) -> Option<String> {
    let at = url.find("id_/")?;
    Some(url[at + 4..].to_owned())
}
