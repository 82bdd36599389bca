//! Events as they are stored.

use sdk::prelude::*;

use crate::monitor::stored::Monitor;

/// Events of a monitor whose texts are kept.
const KEPT: usize = 100;
/// The most bytes of a text that is kept.
pub(crate) const MAX_TEXT: usize = 256 * 1024;

/// What has happened.
#[value]
#[derive(Default)]
pub(crate) enum EventKind {
    #[default]
    Down,
    StatusError,
    NoindexAdded,
    NoindexRemoved,
    RobotsBlocked,
    CanonicalForeign,
    CanonicalMoved,
    TitleLost,
    TitleChanged,
    DescriptionChanged,
    HreflangLost,
    RedirectAdded,
    HeadChanged,
    ContentChanged,
    RobotsChanged,
    SitemapMissing,
    SitemapShrunk,
    SitemapChanged,
    CertificateExpires,
    CertificateInvalid,
    DomainExpires,
    NotIndexed,
    VitalPoor,
    RankFell,
    MetricOut,
}

impl EventKind {
    /// Its name.
    pub(crate) fn name(self) -> String {
        let written = serde_json::to_value(self).unwrap_or_default();
        written.as_str().unwrap_or_default().to_owned()
    }

    /// How much it matters.
    pub(crate) const fn severity(self) -> Severity {
        match self {
            Self::Down
            | Self::StatusError
            | Self::NoindexAdded
            | Self::RobotsBlocked
            | Self::CanonicalForeign
            | Self::TitleLost
            | Self::SitemapMissing
            | Self::CertificateInvalid => Severity::Critical,
            Self::CanonicalMoved
            | Self::TitleChanged
            | Self::HreflangLost
            | Self::RedirectAdded
            | Self::SitemapShrunk
            | Self::CertificateExpires
            | Self::DomainExpires
            | Self::NotIndexed
            | Self::VitalPoor
            | Self::RankFell
            | Self::MetricOut => Severity::Warning,
            Self::NoindexRemoved
            | Self::DescriptionChanged
            | Self::HeadChanged
            | Self::ContentChanged
            | Self::RobotsChanged
            | Self::SitemapChanged => Severity::Info,
        }
    }

    /// What it does to search, in one sentence.
    pub(crate) const fn effect(self) -> &'static str {
        match self {
            Self::Down => "Visitors and search engines do not reach the page; after days of errors Google drops pages.",
            Self::StatusError => "A page that answers with an error is dropped from the index.",
            Self::NoindexAdded => "Search engines drop the page when they fetch it next.",
            Self::NoindexRemoved => "Search engines may index the page again.",
            Self::RobotsBlocked => "Search engines may not fetch the page, and show it without text or not at all.",
            Self::CanonicalForeign => {
                "The page says that a page of another host is the original, and may be dropped for it."
            }
            Self::CanonicalMoved => "The page names another original; signals go there.",
            Self::TitleLost => "Search engines make up a title of their own.",
            Self::TitleChanged => "Rankings and clicks may change with the title.",
            Self::DescriptionChanged => "The text below the result may change; rankings do not.",
            Self::HreflangLost => "Visitors of other languages may be led to the wrong version.",
            Self::RedirectAdded => "The address leads elsewhere now; it is dropped for its target.",
            Self::HeadChanged => "A part of the head has changed that search engines read.",
            Self::ContentChanged => "The text has changed.",
            Self::RobotsChanged => "The rules for crawlers have changed; the watched page may still be fetched.",
            Self::SitemapMissing => "Search engines find new pages later.",
            Self::SitemapShrunk => "Many addresses are no longer named to search engines.",
            Self::SitemapChanged => "Addresses were added to the sitemap or taken away.",
            Self::CertificateExpires => "Browsers refuse the website when the certificate has ended.",
            Self::CertificateInvalid => "Browsers warn of the website or refuse it.",
            Self::DomainExpires => "The website vanishes when the registration has ended.",
            Self::NotIndexed => "The page cannot be found in Google.",
            Self::VitalPoor => "Visitors wait; page experience counts a little in rankings.",
            Self::RankFell => "Fewer people see the page for this keyword.",
            Self::MetricOut => "The figure is outside what was called good.",
        }
    }
}

/// How much an event matters.
#[value]
#[derive(Default)]
pub(crate) enum Severity {
    #[default]
    Info,
    Warning,
    Critical,
}

/// What somebody made of an event.
#[value]
pub(crate) enum Judged {
    /// It was meant.
    Intended,
    /// It says nothing; the like is not told again.
    Noise,
    /// It is to be mended.
    Problem,
}

/// A part that differs.
#[value]
pub(crate) struct Changed {
    /// Its name, such as `title` or `canonical`.
    #[own]
    pub(crate) name: String,
    /// Null where it was not there.
    pub(crate) before: Option<String>,
    /// Null where it is not there any more.
    pub(crate) after: Option<String>,
}

/// An event.
#[record(collection = "events", thing = "event", index(site_id, at_ms), index(monitor, at_ms))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Event {
    pub(crate) site_id: String,
    pub(crate) monitor: String,
    pub(crate) kind: EventKind,
    pub(crate) severity: Severity,
    pub(crate) at_ms: u64,
    /// Of an incident that has ended.
    pub(crate) ended_ms: Option<u64>,
    /// Whether it has a beginning and an end.
    pub(crate) is_incident: bool,
    pub(crate) target: String,
    /// What was seen, in a few words.
    pub(crate) seen: String,
    pub(crate) fields: Vec<Changed>,
    /// The blobs with the texts.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) judged: Option<Judged>,
}

impl Event {
    /// The blobs that are its own: the text after it is also that of the next check.
    pub(crate) fn snapshots(&self) -> impl Iterator<Item = &str> {
        self.before.as_deref().into_iter()
    }

    /// Stores a new one, and lets the texts of old ones of its monitor go.
    ///
    /// # Errors
    /// The host's refusal of a record.
    pub(crate) fn keep(cx: &Cx, event: Self) -> Result<Stored<Self>> {
        let records = cx.records::<Self>();
        let kept = records.insert(event)?;
        let newest = records.by("monitor_at_ms").equals(&kept.monitor).descending();
        let old: Vec<Stored<Self>> = newest.scan().take(KEPT + 20).skip(KEPT).collect();
        for mut old in old {
            if let Some(snapshot) = old.before.take() {
                cx.blobs().write(&snapshot, &[])?;
                old.after = None;
                records.save(old)?;
            }
        }
        Ok(kept)
    }
}

/// The blob of a text of a monitor at a moment.
pub(crate) fn snapshot(monitor: &Id<Monitor>, at: Moment) -> String {
    format!("texts/{monitor}/{}", at.millis())
}

/// Reads a text.
pub(crate) fn read(cx: &Cx, key: Option<&str>) -> Option<String> {
    let bytes = cx.blobs().read(key?, 0, u32::try_from(MAX_TEXT).unwrap_or(u32::MAX))?;
    String::from_utf8(bytes).ok().filter(|it| !it.is_empty())
}
