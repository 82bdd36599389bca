//! `/l/{code}`: where a visitor is sent, and what of the visit is kept.

use model::clock::Moment;
use model::refusal::Refusal;
use store::edges::hits::{Hit, Signs};
use store::edges::links::Followed;
use url::Url;

use super::agents;
use crate::edges::Edges;
use crate::execute::Spine;

/// The longest code.
const MOST_CODE: usize = 64;
/// Bytes of a target with the visitor's query.
const MOST_LOCATION: usize = 8 * 1024;

/// What a request for a link showed of itself.
#[derive(Clone, Debug, Default)]
pub struct Visit {
    /// Where it came from; goes into the day's name of the visitor and nowhere else.
    pub address: String,
    /// HEAD.
    pub head: bool,
    /// `Sec-Purpose` or `Purpose` says that it was fetched ahead.
    pub prefetch: bool,
    /// The headers that every browser sends are missing.
    pub bare: bool,
    /// `User-Agent`; as the address.
    pub agent: String,
    /// `Referer`, of which the host is kept.
    pub referrer: Option<String>,
    /// The query of the request.
    pub query: Option<String>,
}

impl Edges {
    /// Where a code leads; none: nowhere, and nobody learns why.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn follow_link(&self, code: &str, visit: Visit) -> Result<Option<String>, Refusal> {
        let is_code =
            code.len() <= MOST_CODE && code.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it));
        if !is_code {
            return Ok(None);
        }
        let now = self.core.clock().now();
        let followed = self
            .core
            .store()
            .edges
            .follow(code, now)
            .await
            .map_err(|error| Spine::of(&self.core).store_failed(&error))?;
        let Some(followed) = followed else { return Ok(None) };
        let Some(location) = location(&followed, visit.query.as_deref()) else {
            tracing::error!("a link leads where no link may");
            return Ok(None);
        };
        self.note_visit(followed, code, visit, now).await;
        Ok(Some(location))
    }

    /// Gathers a visit. A redirect does not fail for want of a salt; its hit does.
    async fn note_visit(&self, followed: Followed, code: &str, visit: Visit, now: Moment) {
        let Visit { address, head, prefetch, bare, agent, referrer, query: _ } = visit;
        let visitor = match self.visitor(&followed.customer, &address, &agent, now).await {
            Ok(visitor) => visitor,
            Err(error) => {
                tracing::warn!(error = %error, "a visit was lost");
                return;
            }
        };
        let referrer = referrer.and_then(|text| Url::parse(&text).ok()?.host_str().map(str::to_ascii_lowercase));
        self.core.0.visits.hit(Hit {
            customer: followed.customer,
            code: code.to_owned(),
            at: now,
            visitor,
            device: agents::device(&agent).to_owned(),
            signs: Signs { head, prefetch, agent: agents::is_program(&agent), bare },
            referrer: referrer.filter(|host| host.len() <= 253),
        });
    }
}

/// The address to send a visitor to. The target is checked once more: whatever wrote it, a link leads to the web only.
/// Of the visitor's request at most the query goes on, and only where the link says so; a query cannot change the host.
fn location(followed: &Followed, query: Option<&str>) -> Option<String> {
    let mut target = Url::parse(&followed.target).ok()?;
    let is_web = matches!(target.scheme(), "http" | "https") && target.host_str().is_some();
    if !is_web || !target.username().is_empty() || target.password().is_some() {
        return None;
    }
    if let Some(query) = query.filter(|query| followed.keeps_query && !query.is_empty()) {
        let together = match target.query() {
            Some(own) if !own.is_empty() => format!("{own}&{query}"),
            _ => query.to_owned(),
        };
        target.set_query(Some(&together));
    }
    let text = String::from(target);
    (text.len() <= MOST_LOCATION).then_some(text)
}

#[cfg(test)]
mod tests {
    use model::id::CustomerId;

    use super::*;

    fn followed(target: &str, keeps_query: bool) -> Followed {
        Followed { customer: CustomerId::from("cus_ann"), target: target.to_owned(), keeps_query }
    }

    #[test]
    fn a_query_goes_on_only_where_the_link_says_so_and_never_changes_the_host() {
        let plain = followed("https://shop.example/a?utm_source=x#part", false);
        assert_eq!(location(&plain, Some("next=//evil.example")).unwrap(), "https://shop.example/a?utm_source=x#part");
        let keeps = followed("https://shop.example/a?utm_source=x#part", true);
        assert_eq!(
            location(&keeps, Some("to=https://evil.example/#@evil.example")).unwrap(),
            "https://shop.example/a?utm_source=x&to=https://evil.example/%23@evil.example#part"
        );
        let bare = followed("https://shop.example", true);
        assert_eq!(location(&bare, Some("@evil.example/")).unwrap(), "https://shop.example/?@evil.example/");
        assert_eq!(location(&bare, Some("")).unwrap(), "https://shop.example/");
    }

    #[test]
    fn a_stored_target_that_is_not_of_the_web_is_never_followed() {
        for target in ["javascript:alert(1)", "//evil.example", "", "https://user@shop.example/", "data:text/html,x"] {
            assert_eq!(location(&followed(target, false), None), None, "{target}");
        }
    }
}
