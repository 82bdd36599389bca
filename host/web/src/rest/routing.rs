//! Paths to doors. A table of its own instead of a router's, because the specification says which of
//! 404, 405 and 401 comes first.

use model::refusal::Refusal;
use service::routes::Route;

use super::parts::decode;

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The public contract.
    OpenApi,
    /// One of the nine, with the arguments that stand in the path.
    Door {
        /// Which.
        route: Route,
        /// At most one: its name and value.
        named: Option<(&'static str, String)>,
    },
}

/// The pattern of each door's path, relative to `{base_url}`, as the contract writes it.
pub(crate) fn pattern(route: Route) -> &'static str {
    match route {
        Route::Account => "/account",
        Route::Usage => "/usage",
        Route::Websites => "/websites",
        Route::Website => "/websites/{site_id}",
        Route::Audit => "/seo/audits",
        Route::Search => "/capabilities",
        Route::Contract => "/capabilities/{operation_id}",
        Route::Execute => "/operations/{operation_id}",
        Route::Feedback => "/feedback",
    }
}

/// Finds the place of a path below the base; none when there is no such route.
///
/// # Errors
/// 400 when a segment is not percent-encoded UTF-8.
pub(super) fn resolve(path: &str) -> Result<Option<Place>, Refusal> {
    if path == "/openapi.json" {
        return Ok(Some(Place::OpenApi));
    }
    for route in Route::ALL {
        let pattern = pattern(route);
        let Some((fixed, name)) = pattern.split_once('{') else {
            if path == pattern {
                return Ok(Some(Place::Door { route, named: None }));
            }
            continue;
        };
        let name = name.trim_end_matches('}');
        let Some(segment) = path.strip_prefix(fixed).filter(|segment| !segment.is_empty() && !segment.contains('/'))
        else {
            continue;
        };
        let value =
            decode(segment, false).ok_or_else(|| Refusal::malformed("the path is not percent-encoded UTF-8"))?;
        return Ok(Some(Place::Door { route, named: Some((name, value)) }));
    }
    Ok(None)
}
