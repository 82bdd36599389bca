//! What a crawl learned of the files of pictures, what is wrong with them, and what they could weigh.

use kit::outcome::Outcome;
use sdk::Degraded;
use sdk::prelude::*;

use super::Estimate;
use crate::evidence::Evidence;
use crate::rule::Severity;
use site::Run;

/// Files that one report reads.
const READ: usize = 4_000;
/// Larger pictures hold up a page on a phone.
const HEAVY: u64 = 300_000;
/// Bytes of JPEG that WebP saves at the same quality, in hundredths: 25 to 34 (Google, "WebP Compression Study").
const JPEG: u64 = 30;
/// Bytes of PNG that lossless WebP saves, in hundredths (Google, "Lossless and Transparency Encoding in WebP").
const PNG: u64 = 26;

/// A file that pages show as a picture, as the crawl noted it.
#[foreign(collection = "crawl.resources", thing = "resource", reference = "resource_ref", index(run, kind))]
pub(super) struct File {
    /// The crawl.
    pub(super) run: String,
    /// `image` here.
    pub(super) kind: String,
    /// Its address.
    pub(super) url: String,
    /// `checked` once its headers were read.
    pub(super) state: String,
    /// Of the answer; 0 when none came.
    pub(super) status: Option<u16>,
    /// As its server says.
    pub(super) bytes: Option<u64>,
    /// Its media type.
    pub(super) content_type: Option<String>,
    /// Pages that show it.
    pub(super) pages: u64,
    /// The first of them.
    pub(super) sample: Vec<String>,
}

/// What can be wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// It is not there.
    Broken,
    /// It is large.
    Heavy,
    /// A younger format is smaller.
    OldFormat,
}

impl Problem {
    /// All, the worst first.
    pub(super) const ALL: [Self; 3] = [Self::Broken, Self::Heavy, Self::OldFormat];

    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Broken => "file.broken",
            Self::Heavy => "file.heavy",
            Self::OldFormat => "file.old_format",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Broken => "A picture does not load",
            Self::Heavy => "A picture is larger than 300 kB",
            Self::OldFormat => "A picture would be smaller in a modern format",
        }
    }

    pub(super) fn severity(self) -> Severity {
        match self {
            Self::Broken => Severity::Error,
            Self::Heavy => Severity::Warning,
            Self::OldFormat => Severity::Notice,
        }
    }

    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Broken => "Put the file back, or correct the address on the pages that show it.",
            Self::Heavy => "Make the picture no larger than it is shown, and compress it.",
            Self::OldFormat => "Serve it as WebP or AVIF, with the old file for old browsers.",
        }
    }

    pub(super) fn operation(self) -> &'static str {
        match self {
            Self::Broken => "cms.content.update",
            Self::Heavy | Self::OldFormat => "onpage.image.check",
        }
    }

    pub(super) fn evidence(self, file: &File) -> Evidence {
        let (value, expected) = match self {
            Self::Broken if file.status == Some(0) => ("no answer".to_owned(), "a picture"),
            Self::Broken => (file.status.map_or_else(String::new, |it| it.to_string()), "a picture"),
            Self::Heavy => (file.bytes.map_or_else(String::new, |it| format!("{it} bytes")), "300000 bytes or fewer"),
            Self::OldFormat => (file.content_type.clone().unwrap_or_default(), "image/webp or image/avif"),
        };
        Evidence::at(format!("<img src=\"{}\">", file.url), value).expected(expected)
    }

    fn is_of(self, file: &File) -> bool {
        match self {
            Self::Broken => file.status.is_some_and(|it| Outcome::of(it, None).is_broken()),
            Self::Heavy => file.arrives() && file.bytes.is_some_and(|it| it > HEAVY),
            Self::OldFormat => file.arrives() && OLD.contains(&file.format()),
        }
    }
}

/// Formats of which a younger one is smaller.
const OLD: [&str; 5] = ["jpeg", "png", "gif", "bmp", "tiff"];

impl File {
    fn arrives(&self) -> bool {
        self.status.is_some_and(|it| (200..300).contains(&it))
    }

    /// The first page that shows it; itself when none is known.
    pub(super) fn page(&self) -> &str {
        self.sample.first().unwrap_or(&self.url)
    }

    /// By the media type, such as `jpeg`.
    fn format(&self) -> &str {
        let kind = self.content_type.as_deref().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        match kind.strip_prefix("image/").unwrap_or_default() {
            "jpg" | "pjpeg" => "jpeg",
            "x-ms-bmp" => "bmp",
            format => format,
        }
    }

    /// Bytes that WebP would save; none when the size is unknown or nobody measured the format.
    pub(super) fn saving(&self) -> Option<u64> {
        let hundredths = match self.format() {
            "jpeg" => JPEG,
            "png" => PNG,
            _ => return None,
        };
        self.bytes.filter(|_| self.arrives()).map(|bytes| bytes / 100 * hundredths + bytes % 100 * hundredths / 100)
    }
}

/// The files of a crawl's pictures.
pub(super) struct Files {
    files: Vec<File>,
    /// There are more than one report reads.
    more: bool,
}

impl Files {
    /// Those of a crawl, the largest saving first.
    pub(super) fn of(cx: &Cx, run: &Id<Run>) -> Self {
        let all = cx.records::<File>().by("run_kind").equals(run.as_str()).equals("image").scan();
        let mut files: Vec<File> = all.take(READ + 1).map(Stored::into_inner).collect();
        let more = files.len() > READ;
        files.truncate(READ);
        files.sort_by_cached_key(|file| (std::cmp::Reverse(file.saving()), file.url.clone()));
        Self { files, more }
    }

    /// Each fault of each file, the worst first.
    pub(super) fn faults(&self) -> impl Iterator<Item = (Problem, &File)> {
        let of = |problem: Problem| {
            self.files.iter().filter(move |file| problem.is_of(file)).map(move |file| (problem, file))
        };
        Problem::ALL.into_iter().flat_map(of)
    }

    /// Bytes that would be saved, and what that stands on.
    pub(super) fn estimate(&self) -> (u64, Estimate) {
        let known: Vec<(u64, u64)> = self.files.iter().filter_map(|file| Some((file.bytes?, file.saving()?))).collect();
        let estimate = Estimate {
            files: u32::try_from(known.len()).unwrap_or(u32::MAX),
            bytes: known.iter().map(|it| it.0).sum(),
            formula: format!("{JPEG}% of JPEG and {PNG}% of PNG files, as WebP of the same quality and size in pixels"),
        };
        (known.iter().map(|it| it.1).sum(), estimate)
    }

    /// What could not be considered.
    pub(super) fn degraded(&self) -> Vec<Degraded> {
        let mut out = vec![Degraded::new(
            "pixels",
            "a crawl reads no pixels, so upscaled pictures are unknown; onpage.image.check measures a page",
        )];
        if self.files.is_empty() {
            out.push(Degraded::new(
                "files",
                "the crawl recorded no picture files: whether they load and what they weigh is unknown",
            ));
        }
        let unasked = self.files.iter().filter(|file| file.state != "checked").count();
        if unasked > 0 {
            let why = format!(
                "{unasked} of {} pictures were not fetched: their servers forbid it, or the crawl's allowance was used up",
                self.files.len()
            );
            out.push(Degraded::new("files", why));
        }
        let silent = self.files.iter().filter(|file| file.arrives() && file.bytes.is_none()).count();
        if silent > 0 {
            out.push(Degraded::new("bytes", format!("the servers do not say how large {silent} pictures are")));
        }
        if self.more {
            out.push(Degraded::new("files", format!("only the first {READ} pictures were read")));
        }
        out
    }
}
