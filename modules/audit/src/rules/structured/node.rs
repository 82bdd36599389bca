//! How rules look at the nodes of structured data.

use kit::page::{DataNode, DataValue, PageFacts, StructuredData};

use crate::evidence::Evidence;

/// A local business and the kinds of it that websites name most.
pub(super) const BUSINESSES: &[&str] = &[
    "LocalBusiness",
    "AutoDealer",
    "AutoRepair",
    "Bakery",
    "BarOrPub",
    "BeautySalon",
    "CafeOrCoffeeShop",
    "ClothingStore",
    "Dentist",
    "Electrician",
    "FinancialService",
    "FurnitureStore",
    "GroceryStore",
    "HairSalon",
    "HealthAndBeautyBusiness",
    "HomeAndConstructionBusiness",
    "Hotel",
    "LegalService",
    "LodgingBusiness",
    "MedicalBusiness",
    "MedicalClinic",
    "Optician",
    "Pharmacy",
    "Physician",
    "Plumber",
    "ProfessionalService",
    "RealEstateAgent",
    "Restaurant",
    "RoofingContractor",
    "Store",
    "TravelAgency",
    "VeterinaryCare",
];

/// Where structured data stands.
pub(super) const SCRIPT: &str = "<script type=\"application/ld+json\">";

/// The nodes that the page is about: those that stand by themselves, and the main entity of one that does.
pub(super) fn subjects(page: &PageFacts) -> impl Iterator<Item = &DataNode> {
    let nodes = &page.structured.nodes;
    nodes.iter().enumerate().filter_map(move |(at, node)| {
        let main = || {
            let parent = nodes.get(node.parent? as usize)?;
            let own = |value: &DataValue| matches!(value, DataValue::Node(it) if *it as usize == at);
            parent.all("mainEntity").any(own).then_some(())
        };
        (!node.is_reference() && (node.parent.is_none() || main().is_some())).then_some(node)
    })
}

/// Whether a node has a value on one of the paths `a|b.c`. A text where a node could stand is taken for enough.
fn has(data: &StructuredData, node: &DataNode, paths: &str) -> bool {
    paths.split('|').any(|path| match path.split_once('.') {
        None => node.has(path),
        Some((property, rest)) => {
            node.text(property).is_some() || data.inner(node, property).any(|it| has(data, it, rest))
        }
    })
}

/// The first of some nodes that lacks some of what is wanted.
fn first<'a>(
    page: &'a PageFacts,
    mut nodes: impl Iterator<Item = &'a DataNode>,
    kinds: &[&str],
    wanted: &[&str],
) -> Option<Evidence> {
    let data = &page.structured;
    // Of data that is not all kept nobody can say what is missing.
    if data.nodes.is_empty() || data.nodes_cut {
        return None;
    }
    nodes.find_map(|node| {
        let kind = node.types.iter().find(|it| kinds.contains(&it.as_str()))?;
        let missing: Vec<&str> = wanted.iter().copied().filter(|paths| !has(data, node, paths)).collect();
        let shortest = |paths: &&str| paths.split('|').next().unwrap_or_default().to_owned();
        let names: Vec<String> = missing.iter().map(shortest).collect();
        let element = format!("{} of {kind}", names.first()?);
        Some(Evidence::absent(element).expected(names.join(", ")).count(names.len()))
    })
}

/// What a subject of the page of these kinds lacks.
pub(super) fn lacks(page: &PageFacts, kinds: &[&str], wanted: &[&str]) -> Option<Evidence> {
    first(page, subjects(page), kinds, wanted)
}

/// What a node of these kinds lacks, wherever it stands.
pub(super) fn lacks_anywhere(page: &PageFacts, kinds: &[&str], wanted: &[&str]) -> Option<Evidence> {
    first(page, page.structured.nodes.iter().filter(|it| !it.is_reference()), kinds, wanted)
}

/// What a node of these kinds lacks by which a product is sold; offers of services, tickets and apps have other needs.
pub(super) fn lacks_sold(page: &PageFacts, kinds: &[&str], wanted: &[&str]) -> Option<Evidence> {
    let nodes = &page.structured.nodes;
    let product = |it: &&DataNode| it.parent.and_then(|at| nodes.get(at as usize)).is_some_and(|it| it.is("Product"));
    first(page, nodes.iter().filter(product), kinds, wanted)
}

/// What a node of these kinds lacks that names a price; one without has a rule of its own.
pub(super) fn lacks_priced(page: &PageFacts, kinds: &[&str], wanted: &[&str]) -> Option<Evidence> {
    let priced = |it: &&DataNode| it.has("price") || it.has("priceSpecification");
    first(page, page.structured.nodes.iter().filter(priced), kinds, wanted)
}

/// Every text that stands as a value of one of these properties: the node, the property, the text.
pub(super) fn texts<'a>(
    page: &'a PageFacts,
    properties: &'a [&'a str],
) -> impl Iterator<Item = (&'a DataNode, &'a str, &'a str)> + 'a {
    page.structured.nodes.iter().flat_map(move |node| {
        properties.iter().flat_map(move |property| {
            node.all(property).filter_map(move |value| match value {
                DataValue::Text(text) => Some((node, *property, text.as_str())),
                DataValue::Node(_) => None,
            })
        })
    })
}

/// A property as evidence names it: `price of Offer`.
pub(super) fn named(node: &DataNode, property: &str) -> String {
    match node.types.first() {
        Some(kind) => format!("{property} of {kind}"),
        None => property.to_owned(),
    }
}
