//! The call that acts on what a rule found. What only a person knows, such as the item of a CMS, makes no call:
//! then it is the one that proposes a value, or says what to do.

use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::fix;
use crate::rule::Rule;
use crate::stored::Audit;

/// Addresses that one call names.
const NAMED: usize = 5;

/// Operations that need an address and nothing else.
const ON_A_PAGE: &[&str] = &[
    "crawl.url.fetch",
    "monitoring.headers.check",
    "monitoring.page_weight.check",
    "monitoring.ttfb.sample",
    "onpage.alt_text.suggest",
    "onpage.date.extract",
    "onpage.description.suggest",
    "onpage.heading.outline",
    "onpage.image.check",
    "onpage.language.detect",
    "onpage.link.check",
    "onpage.markup.validate",
    "onpage.render_risk.check",
    "onpage.social.preview",
    "onpage.title.suggest",
    "schema.eligibility.check",
    "schema.page.extract",
    "schema.page.validate",
    "schema.type.suggest",
];

/// Operations that need a crawl and nothing else.
const ON_A_CRAWL: &[&str] = &[
    "crawl.trap.detect",
    "indexing.hreflang.validate",
    "links.anchor.report",
    "links.depth.report",
    "links.leak.report",
];

/// Operations that need a website and nothing else.
const ON_A_SITE: &[&str] =
    &["authors.byline.audit", "content.duplicate.find", "content.prune.plan", "schema.organization.generate"];

/// What is known where a finding is told.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    /// The audit that found it.
    pub(crate) audit: Option<&'a str>,
    /// The crawl that it was found in.
    pub(crate) run: Option<&'a str>,
    /// The website.
    pub(crate) site: Option<&'a str>,
    /// Scheme, host and port of the website.
    pub(crate) origin: &'a str,
}

impl<'a> Known<'a> {
    /// What an audit knows.
    pub(crate) fn of(audit: &'a Stored<Audit>) -> Self {
        Self {
            audit: Some(audit.id.as_str()),
            run: Some(&audit.run_ref),
            site: Some(&audit.site_id),
            origin: &audit.origin,
        }
    }

    /// What acts on the findings of a rule on these pages.
    pub(crate) fn act(&self, rule: &Rule, urls: &[String]) -> Fix {
        if let Some(audit) = self.audit.filter(|_| fix::mends(rule.id)) {
            return Fix::new("audit.fix.suggest", json!({ "audit_ref": audit, "rule": rule.id }));
        }
        if let Some(act) = self.own(rule.operation, urls).and_then(Fix::if_served) {
            return act;
        }
        match (self.audit, self.run, urls.first()) {
            (Some(audit), _, _) => Fix::new("audit.issue.get", json!({ "audit_ref": audit, "rule": rule.id })),
            (None, Some(run), _) => Fix::new("audit.run.start", json!({ "run_ref": run })),
            (None, None, Some(url)) => on_page(rule, url),
            (None, None, None) => Fix::new("audit.rule.list", json!({ "query": rule.id })),
        }
    }

    /// The rule's own operation, where all that it must be given is known.
    fn own(&self, operation: &str, urls: &[String]) -> Option<Fix> {
        let url = urls.first();
        let arguments = match operation {
            it if ON_A_PAGE.contains(&it) => json!({ "url": url? }),
            it if ON_A_CRAWL.contains(&it) => json!({ "run_ref": self.run? }),
            it if ON_A_SITE.contains(&it) => json!({ "site_id": self.site? }),
            "content.refresh.plan" | "links.suggestion.for_page" => json!({ "site_id": self.site?, "url": url? }),
            "domains.dns.health.check" => json!({ "domain": self.origin.parse::<Url>().ok()?.host_str()? }),
            "domains.tls.check" => json!({ "host": self.origin.parse::<Url>().ok()?.host_str()? }),
            "indexing.robots.get" => json!({ "origin": self.origin.parse::<Url>().ok()? }),
            "indexing.robots.test" | "monitoring.psi.run" => {
                url?;
                json!({ "urls": urls.iter().take(NAMED).collect::<Vec<_>>() })
            }
            _ => return None,
        };
        Some(Fix::new(operation, arguments))
    }
}

/// For a page that was looked at alone: what proposes a value, else what looks at it again once it is mended.
fn on_page(rule: &Rule, url: &str) -> Fix {
    match (rule.id.split('.').next(), rule.operation) {
        (Some("title"), _) => Fix::on("onpage.title.suggest", url),
        (Some("description"), _) => Fix::on("onpage.description.suggest", url),
        (_, "cms.alt_text.bulk_update") => Fix::on("onpage.alt_text.suggest", url),
        (_, "cms.link.replace") => Fix::on("onpage.link.check", url),
        _ if rule.is_of_page() => Fix::new("audit.page.check", json!({ "url": url, "rules": [rule.id] })),
        _ => Fix::on("audit.opportunities.analyze", url),
    }
}

#[cfg(test)]
mod tests;
