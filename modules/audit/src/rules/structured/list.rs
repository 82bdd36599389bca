//! Rules about breadcrumbs and lists in structured data.

use kit::page::{DataNode, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::structured::node::named;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "structured.breadcrumb_incomplete",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A breadcrumb lacks names, places or addresses",
        explanation: "Every step needs its position and name, and all but the last an address; otherwise the path is not shown.",
        advice: "Add what is missing to each ListItem.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/breadcrumb",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(breadcrumb_incomplete),
    },
    Rule {
        id: "structured.breadcrumb_order",
        area: Area::StructuredData,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The steps of a breadcrumb are not counted in order",
        explanation: "Positions count up from 1 in the order of the path; others leave open which step comes first.",
        advice: "Number the steps 1, 2, 3.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/breadcrumb",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 88,
        check: Check::Page(breadcrumb_order),
    },
    Rule {
        id: "structured.list_incomplete",
        area: Area::StructuredData,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A list names no pages",
        explanation: "A carousel is made from the addresses of a list's items; items without position or address are left out.",
        advice: "Give each ListItem a position, and a url or an item with one.",
        reference: "https://developers.google.com/search/docs/appearance/structured-data/carousel",
        operation: "schema.markup.generate",
        effort: Effort::Low,
        confidence: 70,
        check: Check::Page(list_incomplete),
    },
];

/// The items of the lists of a kind, list by list; lists that are not wholly kept are left out.
fn lists<'a>(page: &'a PageFacts, kind: &'a str) -> impl Iterator<Item = (&'a DataNode, Vec<&'a DataNode>)> + 'a {
    let data = &page.structured;
    let lists = data.nodes.iter().filter(move |node| node.is(kind) && !node.is_reference() && !data.nodes_cut);
    lists.map(move |node| (node, data.inner(node, "itemListElement").collect()))
}

fn breadcrumb_incomplete(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let data = &page.structured;
    lists(page, "BreadcrumbList").find_map(|(list, steps)| {
        let Some(last) = steps.len().checked_sub(1) else {
            return Some(Evidence::absent(named(list, "itemListElement")).expected("the steps of the path"));
        };
        steps.iter().enumerate().find_map(|(at, step)| {
            let inside = |property: &str| data.inner(step, "item").any(|it| it.has(property));
            let missing = if !step.has("position") {
                "position"
            } else if !step.has("name") && !inside("name") {
                "name"
            } else if at < last && step.text("item").is_none() && !inside("@id") && !inside("url") {
                "item"
            } else {
                return None;
            };
            Some(Evidence::absent(named(step, missing)).expected(format!("{missing} in step {}", at + 1)))
        })
    })
}

fn breadcrumb_order(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    lists(page, "BreadcrumbList").find_map(|(_, steps)| {
        let positions: Vec<&str> = steps.iter().filter_map(|step| step.text("position")).collect();
        let counted = positions.iter().zip(1..).all(|(position, number)| position.trim() == number.to_string());
        (!counted && positions.len() == steps.len()).then(|| {
            Evidence::at("position of ListItem", positions.join(", ")).expected("1, 2, 3 in the order of the path")
        })
    })
}

fn list_incomplete(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let data = &page.structured;
    lists(page, "ItemList").find_map(|(list, items)| {
        let led = |item: &&DataNode| {
            item.has("url") || data.inner(item, "item").any(|it| it.has("url") || it.has("@id") || it.has("name"))
        };
        let bare = items
            .iter()
            .filter(|item| item.is("ListItem"))
            .position(|item| !led(item) && item.text("item").is_none())?;
        Some(Evidence::absent(named(list, "url")).expected(format!("an address in item {}", bare + 1)))
    })
}
