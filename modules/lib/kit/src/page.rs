//! What a page says about itself, read from its bytes in one pass.
//!
//! [`read`] takes an answer as it came and gives [`PageFacts`]; it never fails and asks nobody anything.

mod body;
mod byline;
mod content;
mod early;
mod facts;
mod head;
mod headers;
mod layout;
mod marks;
mod markup;
mod nodes;
mod parts;
mod placement;
mod read;
mod structured;
mod verdict;
mod walk;

pub use body::MOST_LINKS;
pub use byline::people;
pub use facts::PageFacts;
pub use headers::{HeaderLink, link_header};
pub use markup::Markup;
pub use nodes::{DataNode, DataValue};
pub use parts::{
    Alternate, Canonical, Charset, CharsetSource, FormFact, HeadEnd, Heading, Hop, Image, Indexability, Link,
    LinkCounts, MetaRefresh, Place, Placement, Reason, Resource, ResponseHeaders, StructuredData, Timing, Verdict,
};
pub use read::{Answer, Document, read, read_whole, unanswered};
pub use verdict::judge;

#[cfg(test)]
mod tests;
