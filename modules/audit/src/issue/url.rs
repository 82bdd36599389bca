//! `audit.issue.url.*`, the pages at fault for one rule.

use sdk::prelude::*;

use crate::evidence::Evidence;
use crate::stored::{Audit, IssueUrl, LISTED};

#[args(paged)]
pub(crate) struct ListUrls {
    /// The audit.
    audit_ref: Id<Audit>,
    /// The rule.
    rule: Text<1, 64>,
    /// The pages that are suppressed, in place of those that count.
    #[default(false)]
    suppressed: bool,
}

/// One page at fault.
#[value]
pub(crate) struct Listed {
    /// The page.
    url: String,
    /// The element, its exact value, and what was expected.
    evidence: Evidence,
}

/// Pages at fault, in the order of their addresses.
#[page]
pub(crate) struct Urls {
    /// Each with its proof.
    urls: Vec<Listed>,
}

/// Lists URLs affected by an issue with per-URL evidence, ordered by address.
///
/// At most 5,000 are listed for one rule; `audit.issue.get` gives their number.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["which pages have this problem", "list the urls without a title"],
    examples = [{ "audit_ref": "audit_01", "rule": "title.missing", "limit": 100 }]
)]
pub(crate) fn list(cx: &Cx, args: ListUrls) -> Result<Urls> {
    let audit = cx.records::<Audit>().get(&args.audit_ref)?;
    if super::find(cx, &audit.id, &args.rule).is_none() {
        return Err(super::missing(&args.rule));
    }
    let urls = || cx.records::<IssueUrl>().by("audit_rule_url").equals(&audit.id).equals(args.rule.as_str());
    let wanted = usize::from(args.limit);
    let (mut rows, mut cursor) = (Vec::new(), args.cursor);
    loop {
        let page = urls().page((wanted - rows.len()) as u64, cursor)?;
        cursor = page.next;
        rows.extend(page.items.into_iter().map(Stored::into_inner).filter(|row| row.suppressed == args.suppressed));
        if rows.len() == wanted || cursor.is_none() {
            break;
        }
    }
    let urls = rows.into_iter().map(|row| Listed { url: row.url, evidence: row.evidence }).collect();
    Ok(Urls { urls, next_cursor: cursor })
}

const _: () = assert!(LISTED == 5_000, "the number in the prose of audit.issue.url.list");
