//! Pages of lists: a cursor is the place of the last item, and says nothing to anybody else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::clock::Moment;
use sandbox::platform::{Paging, Span, Untold};
use serde_json::{Value, json};

use super::invalid;

/// Items of a page, at most.
const MOST: u32 = 100;

/// How many items a page has.
pub(super) fn limit(paging: &Paging) -> u32 {
    paging.limit.clamp(1, MOST)
}

/// The cursor after an item that stands at this moment under this name.
pub(super) fn cursor(at: Moment, name: &str) -> Value {
    json!(URL_SAFE_NO_PAD.encode(format!("{}:{name}", at.0)))
}

/// Where a cursor leads.
pub(super) fn place(paging: &Paging) -> Result<Option<(Moment, String)>, Untold> {
    let Some(after) = &paging.after else { return Ok(None) };
    let read = || {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(after).ok()?).ok()?;
        let (at, name) = text.split_once(':')?;
        Some((Moment(at.parse().ok()?), name.to_owned()))
    };
    let unknown = || invalid("/cursor", "invalid_cursor", "cursor is not one that this list gave out");
    read().map(Some).ok_or_else(unknown)
}

/// The ends of a span.
pub(super) fn span(span: &Span) -> (Option<Moment>, Option<Moment>) {
    let moment = |at: u64| Moment(i64::try_from(at).unwrap_or(i64::MAX));
    (span.from.map(moment), span.until.map(moment))
}

/// A list and whether there was one more than asked for: then where it goes on.
pub(super) fn page<T>(mut items: Vec<T>, limit: u32, next: impl Fn(&T) -> Value) -> (Vec<T>, Value) {
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next = items.last().filter(|_| more).map_or(Value::Null, next);
    (items, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place_and_a_made_up_one_is_refused() {
        let after = cursor(Moment(17), "job_a:b").as_str().map(str::to_owned);
        let found = place(&Paging { after, limit: 5 }).ok().flatten();
        assert_eq!(found, Some((Moment(17), "job_a:b".to_owned())));
        for made_up in ["", "x", "!!", "MTc"] {
            let paging = Paging { after: Some(made_up.to_owned()), limit: 5 };
            assert!(matches!(place(&paging), Err(Untold::Fault(_))), "{made_up}");
        }
    }

    #[test]
    fn there_is_a_next_page_only_when_there_is_one_item_more() {
        let next = |item: &u32| json!(item);
        assert_eq!(page(vec![1, 2, 3], 2, next), (vec![1, 2], json!(2)));
        assert_eq!(page(vec![1, 2], 2, next), (vec![1, 2], Value::Null));
    }
}
