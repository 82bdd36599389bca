//! Which operations each kind of connection unlocks, as `catalog/operations.tsv` has it.

/// A kind or a group of kinds, and the operations that need it or do more with it.
pub(crate) const UNLOCKS: [(&str, &[&str]); 15] = [
    ("bing_webmaster", &["indexing.bing.submit", "indexing.bing.status.get"]),
    (
        "dataforseo",
        &[
            "onpage.term_gap.analyze",
            "keywords.idea.autocomplete",
            "keywords.idea.related",
            "keywords.metric.refresh",
            "keywords.cluster.serp",
            "keywords.gap.analyze",
            "keywords.competitor.list",
            "content.brief.create",
            "rankings.tracker.create",
            "rankings.check.run",
            "rankings.serp.live",
            "backlinks.refresh.run",
            "backlinks.gap.analyze",
            "backlinks.mention.scan",
            "backlinks.prospect.find",
            "ai_visibility.ai_overview.check",
            "local_grid.run.start",
            "listings.citation.scan",
        ],
    ),
    (
        "dns_provider",
        &[
            "domains.dns.record.list",
            "domains.dns.record.upsert",
            "domains.dns.record.delete",
            "domains.dns.zone.import",
            "domains.dns.zone.export",
            "domains.dns.template.apply",
            "domains.dnssec.set",
        ],
    ),
    (
        "fulfilment",
        &[
            "local_grid.gmb_signals.campaign.create",
            "ux_signals.viral.campaign.create",
            "ux_signals.viral.campaign.stop",
            "ux_signals.audience.list",
        ],
    ),
    ("ga4", &["ai_visibility.referral.report"]),
    (
        "google_business_profile",
        &[
            "listings.location.list",
            "listings.location.get",
            "listings.location.audit",
            "listings.location.update",
            "listings.hours.update",
            "listings.category.suggest",
            "listings.category.update",
            "listings.service.update",
            "listings.google_edit.resolve",
            "listings.performance.report",
            "listings.search_term.report",
            "listings.post.list",
            "listings.post.publish",
            "listings.post.delete",
            "listings.media.upload",
            "listings.review.sync",
            "listings.review.reply.publish",
            "listings.review.invite.create",
            "listings.landing_page.check",
        ],
    ),
    ("google_indexing", &["indexing.google_jobs.notify"]),
    (
        "google_search_console",
        &[
            "indexing.url.inspect",
            "indexing.inspection.run",
            "search_console.sync.run",
            "search_console.sitemap.list",
            "search_console.sitemap.submit",
            "search_console.sitemap.delete",
        ],
    ),
    ("indexnow", &["indexing.indexnow.submit"]),
    (
        "llm",
        &[
            "audit.fix.suggest",
            "onpage.title.suggest",
            "onpage.description.suggest",
            "onpage.entity.extract",
            "onpage.alt_text.suggest",
            "content.draft.generate",
            "content.draft.revise",
            "ai_visibility.run.start",
            "ai_visibility.sentiment.report",
            "ai_visibility.fanout.expand",
            "listings.post.draft",
            "listings.review.reply.draft",
            "reports.narrative.generate",
        ],
    ),
    ("mailbox", &["outreach.inbox.sync"]),
    ("pagespeed", &["monitoring.psi.run", "monitoring.crux.get", "monitoring.crux.history.get"]),
    (
        "registrar",
        &[
            "domains.list",
            "domains.register.quote",
            "domains.register.order",
            "domains.settings.update",
            "domains.nameserver.update",
        ],
    ),
    (
        "smtp",
        &[
            "outreach.sender.add",
            "outreach.sender.check",
            "outreach.campaign.launch",
            "outreach.message.send",
            "outreach.thread.reply",
        ],
    ),
    (
        "wordpress",
        &[
            "schema.deploy",
            "schema.deployment.rollback",
            "links.suggestion.apply",
            "content.inventory.sync",
            "cms.site.inspect",
            "cms.content.list",
            "cms.content.get",
            "cms.content.create",
            "cms.content.update",
            "cms.content.publish",
            "cms.content.unpublish",
            "cms.content.trash",
            "cms.draft.push",
            "cms.seo_meta.get",
            "cms.seo_meta.update",
            "cms.seo_meta.bulk_update",
            "cms.media.upload",
            "cms.alt_text.bulk_update",
            "cms.link.replace",
            "cms.taxonomy.audit",
            "cms.redirect.list",
            "cms.redirect.upsert",
            "cms.redirect.delete",
            "cms.change.rollback",
        ],
    ),
];

/// The operations of a kind: its own and its group's.
pub(crate) fn unlocks(kind: &str, group: Option<&str>) -> Vec<&'static str> {
    let fits = |name: &str| name == kind || Some(name) == group;
    UNLOCKS.iter().filter(|(name, _)| fits(name)).flat_map(|(_, operations)| operations.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::UNLOCKS;

    #[test]
    fn the_table_is_the_catalogs() {
        let text =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../catalog/operations.tsv")).unwrap();
        let mut lines = text.lines();
        let head: Vec<_> = lines.next().unwrap().split('\t').collect();
        let needs = head.iter().position(|name| *name == "needs").unwrap();
        let mut wanted = BTreeSet::new();
        for cells in lines.map(|line| line.split('\t').collect::<Vec<_>>()) {
            let kinds = cells[needs].split(',').filter_map(|need| need.strip_prefix("connection:"));
            let kinds = kinds.map(|kind| kind.trim_end_matches('?')).filter(|kind| *kind != "any");
            wanted.extend(kinds.map(|kind| (kind.to_owned(), cells[0].to_owned())));
        }
        let own = |(kind, operations): &(&str, &[&str])| {
            operations.iter().map(|it| (kind.to_string(), it.to_string())).collect::<Vec<_>>()
        };
        assert_eq!(UNLOCKS.iter().flat_map(own).collect::<BTreeSet<_>>(), wanted);
    }
}
