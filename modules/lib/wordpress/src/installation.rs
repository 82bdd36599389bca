//! The WordPress installation of a website: which of the customer's connections reaches it.

use kit::url::{Url as Address, same_site};
use sdk::prelude::*;
use sdk::{Send, json};
use serde::Deserialize;
use site::{Property, Site};

use crate::NEED;

/// Seconds for which the home address of an installation is remembered.
const REMEMBERED: u32 = 86_400;

/// The WordPress of a website.
#[derive(Debug, Clone, PartialEq)]
pub struct Installation {
    /// The connection that reaches it.
    pub connection: String,
}

/// What the index of the REST interface says.
#[derive(Deserialize)]
struct Index {
    #[serde(default)]
    home: String,
}

impl Installation {
    /// The installation of a website: the one that is mapped to it, else the one whose home is on the website's host. `why`
    /// says what it is needed for.
    ///
    /// # Errors
    /// 422 `connection_required` without a WordPress; 409 `wordpress_not_of_site` when no connected one is of the website;
    /// what a provider that had to be asked refused.
    pub fn of(cx: &Cx, site: &Stored<Site>, why: &str) -> Result<Self> {
        let best = cx.connections().required(NEED, "/site_id", why)?;
        let held = cx.connections().of("wordpress");
        let maps = cx.records::<Property>().by("site_id_kind").equals(&site.id).equals("wordpress");
        if let Some(mapped) = maps.first().filter(|it| held.iter().any(|one| one.reference == it.connection_ref)) {
            return Ok(Self { connection: mapped.it.connection_ref });
        }
        let origin = Address::parse(&site.origin).ok();
        let mut refusal = None;
        for one in &held {
            match home(cx, &one.reference) {
                Ok(home) if origin.as_ref().is_some_and(|origin| is_home(&home, origin)) => {
                    return Ok(Self { connection: one.reference.clone() });
                }
                Ok(_) => {}
                Err(fault) => refusal = Some(fault),
            }
        }
        if let Some(fault) = refusal {
            return Err(fault);
        }
        let message = "no connected WordPress is the one of this website; connections.property.map maps one to it";
        let detail =
            json!({ "operation_id": "connections.property.list", "arguments": { "connection_ref": best.reference } });
        Err(Fault::conflict("wordpress_not_of_site", message).at("/site_id").detail(detail))
    }
}

fn is_home(home: &str, origin: &Address) -> bool {
    Address::parse(home).is_ok_and(|home| same_site(&home, origin))
}

/// The home address of an installation.
fn home(cx: &Cx, connection: &str) -> Result<String> {
    let key = format!("wordpress/home/{connection}");
    if let Some(known) = cx.cache().get::<String>(&key) {
        return Ok(known);
    }
    let request = Send::get(connection, "/wp-json").query("_fields", "home");
    let index: Index = cx.connections().send(&request)?.accepted()?.json()?;
    cx.cache().put(&key, &index.home, REMEMBERED);
    Ok(index.home)
}
