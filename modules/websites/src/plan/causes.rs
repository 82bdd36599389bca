//! Which findings have the same root cause, and which causes are mended before others.

/// Root causes with the audit rules that show them. A rule that is in none is its own.
const CAUSES: &[(&str, &str, &[&str])] = &[
    ("server", "Make the server answer", &["response.server_error", "response.no_answer"]),
    (
        "broken",
        "Mend what leads to pages that are gone",
        &[
            "links.broken_internal",
            "response.client_error",
            "redirect.to_error",
            "sitemap.error",
            "canonical.target_error",
        ],
    ),
    (
        "redirects",
        "Lead straight to where pages are",
        &[
            "links.to_redirect",
            "redirect.chain",
            "redirect.hops",
            "redirect.loop",
            "redirect.temporary",
            "sitemap.redirect",
            "canonical.target_redirects",
        ],
    ),
    (
        "noindex",
        "Decide which pages may be found, and say it once",
        &[
            "indexability.noindex",
            "indexability.conflict",
            "indexability.noindex_canonical",
            "sitemap.not_indexable",
            "canonical.target_not_indexable",
            "hreflang.target_not_indexable",
        ],
    ),
    (
        "canonical",
        "Give every page one right canonical",
        &[
            "canonical.missing",
            "canonical.multiple",
            "canonical.relative",
            "canonical.invalid",
            "canonical.fragment",
            "canonical.misplaced",
            "canonical.header_conflict",
            "canonical.chain",
        ],
    ),
    (
        "https",
        "Use https everywhere",
        &[
            "canonical.insecure",
            "links.insecure",
            "security.mixed_content",
            "security.insecure_page",
            "security.insecure_script",
            "security.insecure_form",
        ],
    ),
    (
        "title",
        "Give every page its own title",
        &["title.missing", "title.placeholder", "title.duplicate", "title.boilerplate"],
    ),
    ("title_length", "Bring titles to a length that is shown", &["title.too_long", "title.too_short"]),
    ("description", "Give every page its own description", &["description.missing", "description.duplicate"]),
    (
        "description_length",
        "Bring descriptions to a length that is shown",
        &["description.too_long", "description.too_short"],
    ),
    ("heading", "Give every page one main heading", &["heading.h1_missing", "heading.h1_empty", "heading.h1_multiple"]),
    ("alt_text", "Describe pictures", &["image.alt_missing", "image.alt_file_name", "image.linked_without_alt"]),
    (
        "image_loading",
        "Load pictures well",
        &["image.size_missing", "image.not_lazy", "image.first_lazy", "image.legacy_format"],
    ),
    ("internal_links", "Link to pages that are hard to reach", &["links.orphan", "links.few_inlinks", "links.deep"]),
    (
        "security_headers",
        "Send the headers that protect visitors",
        &[
            "security.csp_missing",
            "security.framing_open",
            "security.nosniff_missing",
            "security.referrer_open",
            "security.hsts_missing",
        ],
    ),
    ("mobile", "Fit pages to phones", &["mobile.viewport_missing", "mobile.viewport_fixed", "mobile.zoom_forbidden"]),
    (
        "hreflang",
        "Join language versions",
        &[
            "hreflang.ambiguous",
            "hreflang.canonical_conflict",
            "hreflang.invalid_code",
            "hreflang.misplaced",
            "hreflang.no_default",
            "hreflang.no_return",
            "hreflang.no_self",
            "hreflang.relative",
        ],
    ),
    ("duplicate", "Bring copies of pages together", &["content.duplicate", "url.variant_duplicate"]),
    (
        "social",
        "Give pages a share card",
        &["social.no_card", "social.incomplete", "social.image_relative", "social.url_differs"],
    ),
];

/// Causes that are mended before others: the first before the second.
pub(super) const BEFORE: &[(&str, &str)] = &[
    ("reach.robots", "reach.crawl"),
    ("reach.door", "reach.crawl"),
    ("reach.crawl", "reach.audit"),
    ("reach.crawl", "reach.sitemap"),
    ("reach.verify", "reach.search_data"),
    ("server", "broken"),
    ("https", "redirects"),
    ("https", "canonical"),
    ("broken", "redirects"),
    ("duplicate", "canonical"),
    ("noindex", "reach.sitemap"),
    ("canonical", "reach.sitemap"),
    ("redirects", "reach.sitemap"),
    ("canonical", "hreflang"),
    ("redirects", "internal_links"),
    ("title", "title_length"),
    ("description", "description_length"),
];

/// The root cause behind a rule.
pub(super) fn cause(rule: &str) -> &str {
    CAUSES.iter().find(|(_, _, rules)| rules.contains(&rule)).map_or(rule, |(cause, _, _)| cause)
}

/// What is to be done about a root cause that several rules show.
pub(super) fn title(cause: &str) -> Option<&'static str> {
    CAUSES.iter().find(|(name, _, _)| *name == cause).map(|(_, title, _)| *title)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{BEFORE, CAUSES, cause};

    #[test]
    fn every_rule_has_one_cause_and_no_cause_waits_for_itself() {
        let mut seen = BTreeSet::new();
        for rule in CAUSES.iter().flat_map(|(_, _, rules)| *rules) {
            assert!(seen.insert(rule), "{rule} stands twice");
        }
        assert_eq!((cause("title.missing"), cause("content.thin")), ("title", "content.thin"));
        // Each edge leads away from where a walk began: a walk longer than all edges would be a circle.
        for (from, _) in BEFORE {
            let mut reached: BTreeSet<&str> = BTreeSet::from([*from]);
            for _ in BEFORE {
                let next: Vec<&str> = BEFORE.iter().filter(|(a, _)| reached.contains(a)).map(|(_, b)| *b).collect();
                assert!(!next.contains(from), "{from} waits for itself");
                reached.extend(next);
            }
        }
    }
}
