//! Groups of keywords: by tag, intent, and the segment of the page that ranks.

use sdk::prelude::*;
use site::Rules;

use crate::board::Board;
use crate::rows::Row;

/// What keywords are grouped by.
#[value]
pub(crate) enum By {
    /// Their tags; a keyword counts in each of them.
    Tag,
    /// The segments of the page that ranks; keywords without one are in none.
    Segment,
    /// Their intent.
    Intent,
}

/// Ready to tell the groups of rows.
pub(crate) struct Groups {
    by: By,
    segments: Vec<(String, Rules)>,
}

impl Groups {
    /// The groups of a tracker's website.
    pub(crate) fn of(board: &Board<'_>, by: By) -> Self {
        let segments = match by {
            By::Segment => {
                site::segments(board.cx, &board.site.id).filter_map(|it| Some((it.name.clone(), it.ready()?))).collect()
            }
            By::Tag | By::Intent => Vec::new(),
        };
        Self { by, segments }
    }

    /// The groups of a row.
    pub(crate) fn names(&self, board: &Board<'_>, row: &Row) -> Vec<String> {
        let known = board.keywords.get(&row.keyword);
        match self.by {
            By::Tag => known.map(|it| it.tags.clone()).unwrap_or_default(),
            By::Intent => known.and_then(|it| it.intent.clone()).into_iter().collect(),
            By::Segment => {
                let Some(url) = &row.url else { return Vec::new() };
                self.segments.iter().filter(|it| site::holds(&it.1, url)).map(|it| it.0.clone()).collect()
            }
        }
    }
}
