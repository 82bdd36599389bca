//! Rules about breadcrumbs and lists in structured data.

use kit::page::{DataNode, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::structured::node::named;

rules! {
    "structured.breadcrumb_incomplete" StructuredData Warning Page Low 90 Page(breadcrumb_incomplete);
    title "A breadcrumb lacks names, places or addresses";
    why "Every step needs its position and name, and all but the last an address; otherwise the path is not shown.";
    fix "schema.markup.generate" "Add what is missing to each ListItem.";
    see "https://developers.google.com/search/docs/appearance/structured-data/breadcrumb";

    "structured.breadcrumb_order" StructuredData Notice Page Low 88 Page(breadcrumb_order);
    title "The steps of a breadcrumb are not counted in order";
    why "Positions count up from 1 in the order of the path; others leave open which step comes first.";
    fix "schema.markup.generate" "Number the steps 1, 2, 3.";
    see "https://developers.google.com/search/docs/appearance/structured-data/breadcrumb";

    "structured.list_incomplete" StructuredData Warning Page Low 70 Page(list_incomplete);
    title "A list names no pages";
    why "A carousel is made from the addresses of a list's items; items without position or address are left out.";
    fix "schema.markup.generate" "Give each ListItem a position, and a url or an item with one.";
    see "https://developers.google.com/search/docs/appearance/structured-data/carousel";
}

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
