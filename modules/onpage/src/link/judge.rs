//! What is wrong with a link, and what fixes it.

use kit::outcome::{self, Outcome};
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Failure, Response};

use super::read::Reference;
use crate::live::Live;
use kit::url::decoded;

/// `rel` tokens of links that mean something (HTML 4.6.7, and the search engines' own).
const KNOWN_REL: &[&str] = &[
    "alternate",
    "author",
    "bookmark",
    "external",
    "help",
    "license",
    "me",
    "next",
    "nofollow",
    "noopener",
    "noreferrer",
    "opener",
    "prev",
    "privacy-policy",
    "search",
    "sponsored",
    "tag",
    "terms-of-service",
    "ugc",
    "canonical",
    "home",
    "index",
    "first",
    "last",
    "up",
    "category",
    "shortlink",
];

/// What is wrong with a link.
#[value]
pub(crate) enum Fault {
    /// The target answers 4xx or 5xx; not where it only keeps crawlers out.
    Broken,
    /// The target does not answer, or its name does not exist.
    Unreachable,
    Redirect,
    RedirectChain,
    EmptyAnchor,
    GenericAnchor,
    /// `javascript:`, no address, or no `href`.
    Uncrawlable,
    /// The fragment names nothing on this page.
    FragmentMissing,
    /// `http:` on a page served over `https:`.
    Insecure,
    /// This machine or a private network.
    Local,
    /// `nofollow` on a link of the same site.
    InternalNofollow,
    /// A `rel` token that nobody knows.
    UnknownRel,
}

impl Fault {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Unreachable => "unreachable",
            Self::Redirect => "redirect",
            Self::RedirectChain => "redirect_chain",
            Self::EmptyAnchor => "empty_anchor",
            Self::GenericAnchor => "generic_anchor",
            Self::Uncrawlable => "uncrawlable",
            Self::FragmentMissing => "fragment_missing",
            Self::Insecure => "insecure",
            Self::Local => "local",
            Self::InternalNofollow => "internal_nofollow",
            Self::UnknownRel => "unknown_rel",
        }
    }
}

/// How a target answered.
pub(crate) struct Target {
    pub(crate) status: u16,
    pub(crate) outcome: Outcome,
    doubtful: bool,
    pub(crate) redirects: u32,
    pub(crate) final_url: Option<String>,
}

impl Target {
    pub(crate) fn of(answer: &Result<Response, Failure>) -> Self {
        let (status, failure) = match answer {
            Ok(response) => (response.status, None),
            Err(failure) => (0, Some(failure.name())),
        };
        let (outcome, doubtful) = (Outcome::of(status, failure), outcome::head_is_doubtful(status, failure));
        match answer {
            Ok(response) => Self {
                status,
                outcome,
                doubtful,
                redirects: u32::try_from(response.hops.len()).unwrap_or(u32::MAX),
                final_url: Some(response.url.clone()),
            },
            Err(_) => Self { status, outcome, doubtful, redirects: 0, final_url: None },
        }
    }

    /// Whether an answer without a body is to be confirmed by one with it.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.doubtful
    }
}

/// What is wrong with a link.
pub(crate) fn problems(link: &Reference, target: Option<&Target>, page: &Live) -> Vec<Fault> {
    let mut out = Vec::new();
    if link.other_scheme {
        return out;
    }
    let mut add = |wrong: bool, fault| {
        if wrong {
            out.push(fault);
        }
    };
    add(link.target.is_none(), Fault::Uncrawlable);
    if let Some(target) = target {
        add(target.outcome == Outcome::Broken, Fault::Broken);
        let silent = matches!(target.outcome, Outcome::Silent | Outcome::Unresolved);
        add(silent && !link.local, Fault::Unreachable);
        add(target.redirects == 1, Fault::Redirect);
        add(target.redirects > 1, Fault::RedirectChain);
    }
    add(link.anchor.is_empty(), Fault::EmptyAnchor);
    add(kit::anchor::is_generic(&link.anchor), Fault::GenericAnchor);
    let own = link.target.as_deref() == Some(page.facts.final_url.as_str());
    add(own && link.fragment.as_ref().is_some_and(|it| !is_there(page, it)), Fault::FragmentMissing);
    add(link.insecure, Fault::Insecure);
    add(link.local, Fault::Local);
    add(link.internal && link.target.is_some() && link.rel.iter().any(|it| it == "nofollow"), Fault::InternalNofollow);
    add(link.rel.iter().any(|it| !KNOWN_REL.contains(&it.as_str())), Fault::UnknownRel);
    out
}

/// Whether a fragment leads somewhere on the page (HTML 7.4.6.4); `top` and text fragments always do.
fn is_there(page: &Live, fragment: &str) -> bool {
    let dom = &page.dom;
    let plain = decoded(fragment);
    let names =
        |id| dom.attribute(id, "id").into_iter().chain(dom.attribute(id, "name").filter(|_| dom.name(id) == "a"));
    fragment.eq_ignore_ascii_case("top")
        || fragment.starts_with(":~:")
        || dom.descendants(0).any(|id| names(id).any(|it| it == fragment || it == plain))
}

/// What fixes the first of the problems.
pub(crate) fn fix(link: &Reference, problems: &[Fault], target: Option<&Target>, page: &Live) -> Option<Fix> {
    let first = problems.first()?;
    let own = page.facts.final_url.as_str();
    Some(match (first, target.and_then(|it| it.final_url.as_ref()), &link.target) {
        (Fault::Redirect | Fault::RedirectChain, Some(end), _) => Fix::new("indexing.url.check", json!({ "url": end })),
        (Fault::Broken | Fault::Unreachable, _, Some(target)) => Fix::new("audit.page.check", json!({ "url": target })),
        _ => Fix::on("onpage.markup.validate", own),
    })
}
