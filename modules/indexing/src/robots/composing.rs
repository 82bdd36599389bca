//! The operation `indexing.robots.compose`.

use bots::{Use, agents};
use kit::robots::Robots;
use kit::robots::crawler::{is_everyone, product_token};
use kit::robots::line::Key;
use sdk::Basis;
use sdk::Degraded;
use sdk::prelude::*;

use super::Effect;
use super::lines::Written;
use crate::robots;
use site::Site;

/// Crawlers of search engines, by their product tokens.
const SEARCH: [&str; 6] = ["Googlebot", "Bingbot", "DuckDuckBot", "YandexBot", "Baiduspider", "Applebot"];
/// Changed verdicts that are told.
const TOLD: usize = 200;

#[args]
pub(crate) struct Compose {
    /// The website, as listed.
    site_id: Id<Site>,
    /// What crawlers may do.
    policy: Policy,
    /// Keeps the rules of the live file, and puts the policy beside them.
    #[default(true)]
    keep_existing: bool,
}

/// What crawlers may do. What is left out stays as it is.
#[args]
pub(crate) struct Policy {
    /// Crawlers of search engines.
    search_bots: Option<Access>,
    /// Crawlers that collect texts for the training of models.
    ai_training_bots: Option<Access>,
    /// Crawlers that fetch pages for answers of assistants.
    ai_search_bots: Option<Access>,
    /// Query parameters whose addresses nobody shall fetch: `sort`, `sessionid`.
    blocked_parameters: Option<List<Text<1, 60>, 0, 50>>,
    /// Paths that nobody shall fetch: `/cart`, `/search*`.
    private_paths: Option<List<Text<1, 300>, 0, 100>>,
    /// Sitemaps to be named; those of the live file when left out.
    sitemaps: Option<List<Url, 0, 50>>,
}

/// Whether crawlers may fetch.
#[value]
pub(crate) enum Access {
    Allow,
    Disallow,
}

/// An address whose verdict changes.
#[value]
pub(crate) struct Changed {
    url: String,
    agent: String,
    /// Whether it may be fetched now.
    before: bool,
    /// Whether it may be with the new file.
    after: bool,
}

/// A robots.txt that was composed.
#[value]
pub(crate) struct Composed {
    robots_txt: String,
    /// Known addresses whose verdict changes, at most 200.
    changed: Vec<Changed>,
    /// How many there are.
    changed_total: u64,
    warnings: Vec<String>,
    /// The crawl whose addresses were tried; none without one.
    basis: Option<Basis>,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Composes a robots.txt from a policy (search bots, AI training bots, AI search bots, parameters, private paths) and lists which known URLs change verdict against the current file.
///
/// Nothing is published: put the text at `/robots.txt` of the website. A crawler that a group names reads no other
/// group, so paths and parameters are repeated in each.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store", "web"],
    phrasings = [
        "write a robots.txt for my site",
        "block AI training bots but keep search engines",
        "how do I stop GPTBot from crawling my website",
        "keep crawlers out of filter parameters",
    ],
    examples = [
        { "site_id": "4503599627370496", "policy": { "ai_training_bots": "disallow", "private_paths": ["/cart"] } },
        { "site_id": "4503599627370496", "policy": { "blocked_parameters": ["sort"] }, "keep_existing": false },
    ]
)]
pub(crate) fn compose(cx: &Cx, args: Compose) -> Result<Composed> {
    let site = site::get(cx, &args.site_id)?;
    check(&args.policy)?;
    let mut degraded = Vec::new();
    let mut warnings = Vec::new();
    let live = robots::fetch(cx, &site.origin, "/site_id")?;
    if live.effect() == Effect::DisallowAll {
        degraded.push(Degraded::new("robots.txt", "the live file cannot be had, so that nothing of it is kept"));
    }
    let readable = live.effect() == Effect::Rules;
    let written = if readable { Written::read(&live.body) } else { Written::default() };
    let kept = if args.keep_existing { written.clone() } else { Written::default() };
    let robots_txt = compose_text(&args.policy, &kept, &written);
    if args.policy.search_bots == Some(Access::Disallow) {
        warnings
            .push("search engines may fetch nothing; pages that they know stay in results without texts".to_owned());
    }
    if args.policy.ai_training_bots == Some(Access::Disallow) {
        warnings.push(
            "Google-Extended and Applebot-Extended are switches, not crawlers: Googlebot and Applebot still come"
                .to_owned(),
        );
    }
    if args.policy.private_paths.as_ref().is_some_and(|it| !it.is_empty()) {
        warnings.push(
            "robots.txt is public and no lock: whoever reads it sees the private paths; protect them by a login"
                .to_owned(),
        );
    }
    let (changed, basis) = match site::newest(cx, &site.id) {
        None => {
            degraded.push(Degraded::new("crawl", "no crawl of this website has ended; no addresses were tried"));
            (Vec::new(), None)
        }
        Some(run) => {
            let pages = addresses::of(cx, &run.id);
            degraded.extend(pages.degraded);
            let urls: Vec<&str> = pages.all.iter().map(|it| it.url.as_str()).collect();
            (compare(&live, &robots_txt, &urls), Some(site::basis(cx, &run)))
        }
    };
    let changed_total = changed.len() as u64;
    if changed.iter().any(|it| it.agent == "Googlebot" && !it.after) {
        warnings.push("pages that Googlebot may fetch today are forbidden by the new file; see changed".to_owned());
    }
    let changed = changed.into_iter().take(TOLD).collect();
    Ok(Composed { robots_txt, changed, changed_total, warnings, basis, degraded })
}

/// Refuses what cannot stand in a rule.
fn check(policy: &Policy) -> Result<()> {
    for (at, path) in policy.private_paths.iter().flatten().enumerate() {
        let fits = path.starts_with(['/', '*']) && !path.contains(['#', '\n', '\r']);
        if !fits {
            let message = "a path begins with / or * and has no # and no line break";
            return Err(Fault::invalid(format!("/policy/private_paths/{at}"), "invalid_path", message));
        }
    }
    for (at, name) in policy.blocked_parameters.iter().flatten().enumerate() {
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '[' | ']' | '%')) {
            let message = "a parameter's name has letters, digits, and - _ . [ ] % only";
            return Err(Fault::invalid(format!("/policy/blocked_parameters/{at}"), "invalid_parameter", message));
        }
    }
    Ok(())
}

/// The file: kept groups with the new paths in each, then a group for each sort of crawlers that the policy speaks of.
fn compose_text(policy: &Policy, kept: &Written, live: &Written) -> String {
    let mut paths: Vec<String> = policy.private_paths.iter().flatten().map(|it| it.as_str().to_owned()).collect();
    for name in policy.blocked_parameters.iter().flatten() {
        paths.push(format!("/*?{name}="));
        paths.push(format!("/*&{name}="));
    }
    let named = |purposes: &[Use]| {
        agents().iter().filter(|it| purposes.contains(&it.purpose)).map(|it| it.token).collect::<Vec<_>>()
    };
    let decided: Vec<(Vec<&str>, Access)> = [
        (SEARCH.to_vec(), policy.search_bots),
        (named(&[Use::Training, Use::TrainingToken]), policy.ai_training_bots),
        (named(&[Use::AnswerSearch, Use::AnswerUser]), policy.ai_search_bots),
    ]
    .into_iter()
    .filter_map(|(agents, access)| Some((agents, access?)))
    .collect();
    let is_decided = |agent: &str| {
        decided.iter().any(|(agents, _)| agents.iter().any(|it| it.eq_ignore_ascii_case(product_token(agent))))
    };
    let mut out = String::new();
    let everyone: Vec<String> = kept.rules_for("*").iter().map(|it| rule(it.allow, &it.path)).collect();
    let mut has_everyone = false;
    for mut group in kept.groups() {
        group.agents.retain(|agent| !is_decided(agent));
        if group.agents.is_empty() {
            continue;
        }
        has_everyone |= group.agents.iter().any(|it| is_everyone(it));
        let own = group.rules.iter().map(|it| rule(it.allow, &it.path)).collect::<Vec<_>>();
        write_group(&mut out, &group.agents, &own, &paths, group.crawl_delay.as_deref());
    }
    if !has_everyone {
        write_group(&mut out, &["*".to_owned()], &[], &paths, None);
    }
    for (agents, access) in &decided {
        let agents: Vec<String> = agents.iter().map(|it| (*it).to_owned()).collect();
        match access {
            Access::Disallow => write_group(&mut out, &agents, &["Disallow: /".to_owned()], &[], None),
            Access::Allow => {
                // A crawler with a group of its own reads no other: what holds for all is said here again.
                let own = if everyone.iter().any(|it| it == "Disallow: /") { Vec::new() } else { everyone.clone() };
                write_group(&mut out, &agents, &own, &paths, None);
            }
        }
    }
    let given: Vec<String> = match &policy.sitemaps {
        Some(given) => given.iter().map(|it| it.as_str().to_owned()).collect(),
        None => live.sitemaps().map(|(_, url)| url.to_owned()).collect(),
    };
    for url in given {
        out.push_str(&format!("Sitemap: {url}\n"));
    }
    for line in kept.lines.iter().filter(|it| it.key == Key::Other) {
        out.push_str(&format!("{}\n", line.text));
    }
    out
}

fn rule(allow: bool, path: &str) -> String {
    format!("{}: {path}", if allow { "Allow" } else { "Disallow" })
}

fn write_group(out: &mut String, agents: &[String], own: &[String], paths: &[String], delay: Option<&str>) {
    for agent in agents {
        out.push_str(&format!("User-agent: {agent}\n"));
    }
    let mut rules: Vec<String> = own.to_vec();
    for path in paths {
        let line = rule(false, path);
        if !rules.contains(&line) {
            rules.push(line);
        }
    }
    if rules.is_empty() {
        rules.push("Disallow:".to_owned());
    }
    for line in rules {
        out.push_str(&line);
        out.push('\n');
    }
    if let Some(delay) = delay {
        out.push_str(&format!("Crawl-delay: {delay}\n"));
    }
    out.push('\n');
}

/// Every known address whose verdict changes, for a crawler of each sort.
fn compare(live: &robots::Fetched, new: &str, urls: &[&str]) -> Vec<Changed> {
    let mut out = Vec::new();
    for agent in ["Googlebot", "Bingbot", "GPTBot", "OAI-SearchBot"] {
        let (before, after) = (live.rules(agent), Robots::parse(new.as_bytes(), agent));
        for url in urls {
            let (was, will) = (before.allows(url), after.allows(url));
            if was != will {
                out.push(Changed { url: (*url).to_owned(), agent: agent.to_owned(), before: was, after: will });
            }
        }
    }
    out
}
