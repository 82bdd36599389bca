//! Whose links are meant: those of the website, or those of a competitor, which are kept beside them.

use sdk::prelude::*;
use site::Site;

/// Whose links are meant.
pub(crate) struct Subject {
    /// What its links are kept under.
    pub(crate) id: Id<Site>,
    /// The website, or what is known of the competitor's.
    pub(crate) site: Site,
    /// Whether it is a competitor.
    pub(crate) is_rival: bool,
}

/// The website, or with a domain that competitor of it.
///
/// # Errors
/// 404 for a website that is not the customer's; 422 `own_domain` for a competitor that is the website.
pub(crate) fn subject(cx: &Cx, site: &Id<Site>, rival: Option<&str>) -> Result<Subject> {
    let own = site::get(cx, site)?;
    let Some(rival) = rival else {
        return Ok(Subject { id: own.id.clone(), site: own.into_inner(), is_rival: false });
    };
    let domain = crate::link::registrable(rival).to_owned();
    if crate::link::is_own(&own, &format!("https://{domain}/")) {
        return Err(Fault::invalid("/of", "own_domain", "a competitor is another domain than the website's"));
    }
    let hash = kit::text::hex(&kit::text::sha256(domain.as_bytes())[..12]);
    let site = Site { origin: format!("https://{domain}"), domain, ..Site::default() };
    Ok(Subject { id: Id::new(format!("{}-{hash}", own.id)), site, is_rival: true })
}
