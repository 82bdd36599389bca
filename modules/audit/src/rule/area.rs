//! The areas that rules belong to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The part of a site that a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// Status codes, redirects, answer times.
    Response,
    /// Robots rules and directives.
    Indexability,
    /// Which address of a page counts.
    Canonical,
    /// Title and description.
    Metadata,
    /// The outline of a page.
    Headings,
    /// The text itself.
    Content,
    /// Links inside the site.
    Links,
    /// Pictures.
    Images,
    /// Language versions.
    Hreflang,
    /// JSON-LD and its kin.
    StructuredData,
    /// Share cards.
    Social,
    /// Transport and headers.
    Security,
    /// The form of addresses.
    Url,
    /// Use on a phone.
    Mobile,
    /// Weight and transfer.
    Performance,
    /// What the sitemap promises.
    Sitemap,
    /// Use by AI assistants.
    Ai,
    /// Use by people who do not see, hear or move as others do.
    Accessibility,
}

impl Area {
    /// All areas, in the order of reports.
    pub const ALL: [Area; 18] = [
        Area::Response,
        Area::Indexability,
        Area::Canonical,
        Area::Metadata,
        Area::Headings,
        Area::Content,
        Area::Links,
        Area::Images,
        Area::Hreflang,
        Area::StructuredData,
        Area::Social,
        Area::Security,
        Area::Url,
        Area::Mobile,
        Area::Performance,
        Area::Sitemap,
        Area::Ai,
        Area::Accessibility,
    ];

    /// The word used in answers and indexes.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Area::Response => "response",
            Area::Indexability => "indexability",
            Area::Canonical => "canonical",
            Area::Metadata => "metadata",
            Area::Headings => "headings",
            Area::Content => "content",
            Area::Links => "links",
            Area::Images => "images",
            Area::Hreflang => "hreflang",
            Area::StructuredData => "structured_data",
            Area::Social => "social",
            Area::Security => "security",
            Area::Url => "url",
            Area::Mobile => "mobile",
            Area::Performance => "performance",
            Area::Sitemap => "sitemap",
            Area::Ai => "ai",
            Area::Accessibility => "accessibility",
        }
    }
}
