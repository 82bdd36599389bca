//! Redirects where they are held: read, made, changed and removed.
//!
//! Source: `api/api-redirect.php` of the plugin johngodley/redirection: pages count from 0 and have 5 to 200 redirects, two of one
//! source are taken without a word, and a group must exist.

use kit::url::Url as Address;
use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use site::Site;
use wordpress::{Installation, seo};

use super::graph::{Edge, Graph};
use super::{Source, key, origin, place};

/// Redirects of one page of the plugin, and pages that are read.
const PAGE: usize = 200;
const PAGES: usize = 25;
/// Redirects that are kept here for a website without the plugin.
const MOST: usize = 5_000;
/// The plugin's routes.
const ROUTE: &str = "/wp-json/redirection/v1/redirect";

/// A redirect that is kept here, since nothing on the website holds it. Its id is made of the website and the source.
#[record(collection = "redirects", index(site_id, from))]
pub(crate) struct Kept {
    pub(crate) site_id: String,
    /// A path with its query.
    pub(crate) from: String,
    /// None for what is gone.
    pub(crate) to: Option<String>,
    pub(crate) code: u16,
    pub(crate) at_ms: u64,
}

/// A redirect, wherever it is held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    /// Its number at the plugin, or its id here.
    pub(crate) id: String,
    /// A path with its query.
    pub(crate) from: String,
    /// Where it leads; none for what is gone.
    pub(crate) to: Option<String>,
    /// Its status.
    pub(crate) code: u16,
    /// Whether it answers.
    pub(crate) enabled: bool,
    /// Whether its source is a pattern, which is never touched here.
    pub(crate) is_pattern: bool,
    /// Visitors since it was made; none where nobody counts.
    pub(crate) hits: Option<u64>,
    /// The day of the last one, as the plugin writes it.
    pub(crate) last_access: Option<String>,
}

/// Who holds the redirects of a website.
pub(crate) enum Holder {
    /// The plugin.
    Plugin(Installation),
    /// Nobody: they are kept here, and do nothing by themselves.
    Here,
}

/// The redirects of a website.
pub(crate) struct Redirects<'a> {
    cx: &'a Cx,
    pub(crate) site: &'a Stored<Site>,
    pub(crate) origin: Address,
    pub(crate) holder: Holder,
    pub(crate) all: Vec<Held>,
    /// Whether there are more than were read.
    pub(crate) cut: bool,
    /// The first group of the plugin that can take redirects.
    group: Option<u64>,
}

impl<'a> Redirects<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// What the provider refused.
    pub(crate) fn of(cx: &'a Cx, site: &'a Stored<Site>) -> Result<Self> {
        let origin = origin(site)?;
        let holder = holder(cx, site)?;
        let mut redirects = Self { cx, site, origin, holder, all: Vec::new(), cut: false, group: None };
        match &redirects.holder {
            Holder::Plugin(at) => (redirects.all, redirects.cut) = read(cx, at)?,
            Holder::Here => {
                let kept = cx.records::<Kept>().by("site_id_from").equals(&site.id).scan().take(MOST);
                redirects.all = kept.map(|it| of_kept(&it)).collect();
            }
        }
        Ok(redirects)
    }

    /// Whether they answer visitors.
    pub(crate) const fn are_live(&self) -> bool {
        matches!(self.holder, Holder::Plugin(_))
    }

    /// The exact ones that answer, as a graph.
    pub(crate) fn graph(&self) -> Graph {
        Graph::of(
            self.exact()
                .map(|it| Edge { from: key(&it.from), to: it.to.as_deref().and_then(|to| place(&self.origin, to)) }),
        )
    }

    fn exact(&self) -> impl Iterator<Item = &Held> {
        self.all.iter().filter(|it| it.enabled && !it.is_pattern)
    }

    /// The redirect of a source.
    pub(crate) fn find(&self, source: &str) -> Option<&Held> {
        let wanted = key(source);
        self.all.iter().find(|it| !it.is_pattern && key(&it.from) == wanted)
    }

    /// A place of the graph as an address: of the website, or of another host.
    pub(crate) fn whole(&self, place: &str) -> String {
        let exact = self.all.iter().filter_map(|it| it.to.as_deref());
        let written = exact.into_iter().find(|to| super::place(&self.origin, to).as_deref() == Some(place));
        match written {
            Some(to) => to.to_owned(),
            None if place.starts_with("http") => place.to_owned(),
            None => format!("{}{}", kit::url::origin(&self.origin), if place.is_empty() { "/" } else { place }),
        }
    }

    /// Makes or changes a redirect; how it is held then.
    ///
    /// # Errors
    /// What the provider refused.
    pub(crate) fn save(&mut self, from: &Source, to: Option<&str>, code: u16) -> Result<Held> {
        let known = self.find(from.as_str()).cloned();
        let held = match &self.holder {
            Holder::Plugin(at) => {
                let at = at.clone();
                self.save_at(&at, known.as_ref(), from, to, code)?
            }
            Holder::Here => self.keep(from, to, code)?,
        };
        match self.all.iter_mut().find(|it| it.id == held.id) {
            Some(one) => *one = held.clone(),
            None => self.all.push(held.clone()),
        }
        Ok(held)
    }

    fn save_at(
        &mut self,
        at: &Installation,
        known: Option<&Held>,
        from: &Source,
        to: Option<&str>,
        code: u16,
    ) -> Result<Held> {
        let cx = self.cx;
        let mut body = match to {
            Some(to) => {
                json!({ "url": from.as_str(), "match_type": "url", "action_type": "url", "action_code": code, "action_data": { "url": to } })
            }
            None => {
                json!({ "url": from.as_str(), "match_type": "url", "action_type": "error", "action_code": code, "action_data": { "url": "" } })
            }
        };
        if let Some(known) = known {
            body["id"] = json!(known.id.parse::<u64>().unwrap_or_default());
            body["group_id"] = json!(self.group()?);
            let request = Send::post(&at.connection, format!("{ROUTE}/{}", known.id)).json(&body);
            match cx.connections().send(&request) {
                // The same values again change nothing more.
                Err(SendFailure::UnknownOutcome) => drop(cx.connections().send(&request)?.accepted()?),
                answer => drop(answer?.accepted()?),
            }
            let to = to.map(str::to_owned);
            return Ok(Held { from: from.as_str().to_owned(), to, code, enabled: known.enabled, ..known.clone() });
        }
        body["group_id"] = json!(self.group()?);
        body["title"] = json!("");
        let request = Send::post(&at.connection, ROUTE).json(&body);
        let found = |answer: &Value| {
            let rows = answer["items"].as_array().into_iter().flatten();
            rows.filter_map(of_plugin).find(|it| it.from == from.as_str())
        };
        let made = match cx.connections().send(&request) {
            Ok(answer) => found(&answer.accepted()?.json()?),
            // It is looked for before it is made again: the plugin would take two.
            Err(SendFailure::UnknownOutcome) => None,
            Err(failure) => return Err(failure.into()),
        };
        let made = match made {
            Some(made) => Some(made),
            None => {
                let list =
                    Send::get(&at.connection, ROUTE).query("filterBy[url]", from.as_str()).query("per_page", PAGE);
                found(&cx.connections().send(&list)?.accepted()?.json()?)
            }
        };
        made.ok_or_else(|| {
            Fault::unavailable(
                "unknown_outcome",
                "WordPress did not confirm the redirect; list the redirects before you try again",
            )
        })
    }

    fn keep(&self, from: &Source, to: Option<&str>, code: u16) -> Result<Held> {
        let id = kept_id(self.site, from.as_str());
        let it = Kept {
            site_id: self.site.id.to_string(),
            from: from.as_str().to_owned(),
            to: to.map(str::to_owned),
            code,
            at_ms: self.cx.now().millis(),
        };
        let kept = self.cx.records::<Kept>();
        let stored = match kept.find(&id) {
            Some(mut known) => {
                known.it = it;
                kept.save(known)?
            }
            None => kept.insert_as(id, it)?,
        };
        Ok(of_kept(&stored))
    }

    /// Removes redirects.
    ///
    /// # Errors
    /// What the provider refused.
    pub(crate) fn remove(&mut self, held: &[Held]) -> Result<()> {
        match &self.holder {
            Holder::Plugin(at) => {
                let ids: Vec<&str> = held.iter().map(|it| it.id.as_str()).collect();
                let body = json!({ "items": ids.join(",") });
                let request = Send::post(&at.connection, "/wp-json/redirection/v1/bulk/redirect/delete").json(&body);
                match self.cx.connections().send(&request) {
                    // What is gone cannot be removed again.
                    Err(SendFailure::UnknownOutcome) => drop(self.cx.connections().send(&request)?.accepted()?),
                    answer => drop(answer?.accepted()?),
                }
            }
            Holder::Here => {
                let kept = self.cx.records::<Kept>();
                for it in held {
                    if let Some(stored) = kept.find(&Id::new(it.id.clone())) {
                        kept.remove(&stored)?;
                    }
                }
            }
        }
        self.all.retain(|it| !held.iter().any(|gone| gone.id == it.id));
        Ok(())
    }

    /// A group of the plugin that can take redirects.
    fn group(&mut self) -> Result<u64> {
        if let Some(group) = self.group {
            return Ok(group);
        }
        let Holder::Plugin(at) = &self.holder else { return Ok(0) };
        let groups = Send::get(&at.connection, "/wp-json/redirection/v1/group").query("per_page", PAGE);
        let groups: Value = self.cx.connections().send(&groups)?.accepted()?.json()?;
        let usable = |it: &&Value| it["enabled"] != false && it["module_id"] == 1;
        let group = groups["items"].as_array().into_iter().flatten().find(usable).and_then(|it| it["id"].as_u64());
        let message =
            "the Redirection plugin has no group that WordPress answers for; make one under Tools, Redirection, Groups";
        self.group = Some(group.ok_or_else(|| Fault::conflict("no_redirect_group", message))?);
        Ok(self.group.unwrap_or_default())
    }
}

/// Who holds the redirects of a website. One without a WordPress keeps them here.
fn holder(cx: &Cx, site: &Stored<Site>) -> Result<Holder> {
    if cx.connections().of("wordpress").is_empty() {
        return Ok(Holder::Here);
    }
    let at = match Installation::of(cx, site, NEED_WHY) {
        Ok(at) => at,
        Err(fault) if fault.code == "wordpress_not_of_site" => return Ok(Holder::Here),
        Err(fault) => return Err(fault),
    };
    let has = seo::detect(cx, &at)?.namespaces.iter().any(|it| it == "redirection/v1");
    Ok(if has { Holder::Plugin(at) } else { Holder::Here })
}

const NEED_WHY: &str = "the redirects of the website are in its WordPress";

/// All redirects of the plugin, and whether there are more.
fn read(cx: &Cx, at: &Installation) -> Result<(Vec<Held>, bool)> {
    let mut all = Vec::new();
    for page in 0..PAGES {
        let request = Send::get(&at.connection, ROUTE)
            .query("per_page", PAGE)
            .query("page", page)
            .query("orderby", "id")
            .query("direction", "asc");
        let answer = cx.connections().send(&request)?;
        if matches!(answer.status, 401 | 403) {
            let message =
                "the user of the connection may not manage redirects; connect one with the role Administrator";
            return Err(Fault::conflict("redirects_not_permitted", message).at("/site_id"));
        }
        let listed: Value = answer.accepted()?.json()?;
        let rows = listed["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        all.extend(rows.iter().filter_map(of_plugin));
        let total = listed["total"].as_u64().unwrap_or_default();
        if rows.is_empty() || (page as u64 + 1) * PAGE as u64 >= total {
            return Ok((all, false));
        }
    }
    Ok((all, true))
}

/// A redirect as the plugin shows it.
fn of_plugin(it: &Value) -> Option<Held> {
    let to = it["action_data"]["url"].as_str().filter(|_| it["action_type"] == "url").filter(|to| !to.is_empty());
    Some(Held {
        id: it["id"].as_u64()?.to_string(),
        from: it["url"].as_str()?.to_owned(),
        to: to.map(str::to_owned),
        code: it["action_code"].as_u64().and_then(|it| u16::try_from(it).ok()).unwrap_or(301),
        enabled: it["enabled"] != false,
        is_pattern: it["regex"] == true || it["match_type"].as_str().is_some_and(|it| it != "url"),
        hits: it["hits"].as_u64(),
        last_access: it["last_access"].as_str().filter(|it| *it != "-" && !it.is_empty()).map(str::to_owned),
    })
}

fn kept_id(site: &Stored<Site>, from: &str) -> Id<Kept> {
    Id::new(format!(
        "red_{}",
        &kit::text::hex(&kit::text::sha256(format!("{}\n{}", site.id, key(from)).as_bytes()))[..24]
    ))
}

fn of_kept(it: &Stored<Kept>) -> Held {
    Held {
        id: it.id.to_string(),
        from: it.from.clone(),
        to: it.to.clone(),
        code: it.code,
        enabled: true,
        is_pattern: false,
        hits: None,
        last_access: None,
    }
}
