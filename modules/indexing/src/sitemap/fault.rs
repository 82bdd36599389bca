//! What can be wrong with a sitemap.

use sdk::prelude::*;

/// Faults of one code that are told.
const EACH: usize = 50;

/// What is wrong. Stable.
#[value]
pub(crate) enum Code {
    /// The XML cannot be read to its end.
    NotWellFormed,
    /// The root is neither `urlset` nor `sitemapindex`.
    WrongRoot,
    /// The root is not in the namespace of the protocol.
    WrongNamespace,
    /// Nothing is listed.
    Empty,
    /// An element that has no place there.
    UnexpectedElement,
    /// An element a second time.
    RepeatedElement,
    /// An element out of the order of the schema; search engines do not mind.
    ElementOrder,
    /// An element that is needed is not there.
    MissingElement,
    /// Text where elements belong.
    UnexpectedText,
    /// No whole http(s) address.
    LocInvalid,
    /// Longer than 2,048 characters.
    LocTooLong,
    /// With a fragment, which search engines drop.
    LocFragment,
    /// No date.
    LastmodInvalid,
    /// A date that only one of W3C Datetime and XML Schema knows.
    LastmodForm,
    /// A date that is yet to come.
    LastmodFuture,
    /// None of the seven words.
    ChangefreqInvalid,
    /// No number from 0.0 to 1.0.
    PriorityInvalid,
    /// Something of the image, video, news or hreflang extensions.
    ExtensionInvalid,
    /// An extension whose namespace is not known.
    UnknownExtension,
    /// Two hreflang of one language.
    HreflangInvalid,
    /// More than 50,000 entries.
    TooMany,
    /// More than 52,428,800 bytes after inflation.
    TooLarge,
    /// Not UTF-8.
    NotUtf8,
    /// A gzip file that cannot be inflated to its end.
    BadGzip,
    /// Of another host than the file, and not named by that host's robots.txt.
    OtherHost,
    /// Outside of the folder of the file, and not named by robots.txt.
    OutsideFolder,
    /// Listed before.
    Duplicate,
    /// An index that lists an index.
    NestedIndex,
    /// A news entry older than two days, or more than 1,000 news entries.
    NewsBounds,
}

impl Code {
    /// Whether the schemas of sitemaps.org would refuse the file for it.
    pub(crate) fn of_schema(self) -> bool {
        matches!(
            self,
            Self::NotWellFormed
                | Self::WrongRoot
                | Self::WrongNamespace
                | Self::Empty
                | Self::UnexpectedElement
                | Self::RepeatedElement
                | Self::ElementOrder
                | Self::MissingElement
                | Self::UnexpectedText
                | Self::LastmodInvalid
                | Self::ChangefreqInvalid
                | Self::PriorityInvalid
        )
    }

    /// Whether search engines pass over it.
    pub(crate) fn is_warning(self) -> bool {
        matches!(
            self,
            Self::ElementOrder
                | Self::LastmodForm
                | Self::LastmodFuture
                | Self::LocFragment
                | Self::ChangefreqInvalid
                | Self::PriorityInvalid
                | Self::UnknownExtension
                | Self::Duplicate
        )
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    /// From 1.
    pub(crate) line: u32,
    pub(crate) message: String,
    /// Whether the schemas refuse the file for it.
    pub(crate) of_schema: bool,
}

impl Fault {
    pub(crate) fn new(code: Code, line: u32, message: String) -> Self {
        Self { code, line, message, of_schema: code.of_schema() }
    }

    /// A fault that the schemas do not see.
    pub(crate) fn beside_schema(code: Code, line: u32, message: String) -> Self {
        Self { of_schema: false, ..Self::new(code, line, message) }
    }

    /// A fault that the schemas see.
    pub(crate) fn of_schema(code: Code, line: u32, message: String) -> Self {
        Self { of_schema: true, ..Self::new(code, line, message) }
    }
}

/// Everything that is wrong: the first 50 of each code, and how many there are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults {
    told: Vec<Fault>,
    counts: std::collections::BTreeMap<Code, u32>,
    schema: bool,
}

impl Faults {
    pub(crate) fn push(&mut self, fault: Fault) {
        self.schema |= fault.of_schema;
        let count = self.counts.entry(fault.code).or_default();
        *count += 1;
        if *count as usize <= EACH {
            self.told.push(fault);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    pub(crate) fn has(&self, code: Code) -> bool {
        self.counts.contains_key(&code)
    }

    /// Forgets faults of one code.
    pub(crate) fn forgive(&mut self, code: Code) {
        self.counts.remove(&code);
        self.told.retain(|it| it.code != code);
    }

    /// Whether the schemas of sitemaps.org refuse the file.
    #[cfg(test)]
    pub(crate) fn breaks_schema(&self) -> bool {
        self.schema
    }

    /// Whether something is wrong that search engines mind.
    pub(crate) fn matter(&self) -> bool {
        self.counts.keys().any(|code| !code.is_warning())
    }

    pub(crate) fn total(&self) -> u32 {
        self.counts.values().sum()
    }

    /// In the order of the file.
    pub(crate) fn told(&self) -> Vec<Fault> {
        let mut out = self.told.clone();
        out.sort_by_key(|it| (it.line, it.code));
        out
    }
}
