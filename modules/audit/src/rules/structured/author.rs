//! Rules about how structured data names the author.

use kit::page::{DataNode, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::structured::node::named;

rules! {
    "structured.author_plain" StructuredData Notice Page Low 72 Page(author_plain);
    title "The author is a bare name";
    why "A Person or Organization with an address of its own tells namesakes apart; a text cannot.";
    fix "authors.markup.generate" "Write the author as a Person with name and url.";
    see "https://developers.google.com/search/docs/appearance/structured-data/article";

    "structured.author_decorated" StructuredData Notice Page Low 85 Page(author_decorated);
    title "The name of the author holds more than the name";
    why "Google asks for the name alone in author.name: no \"by\", no title, and one author in each node.";
    fix "authors.markup.generate" "Write the bare name; give each author a node.";
    see "https://developers.google.com/search/docs/appearance/structured-data/article";
}

fn articles(page: &PageFacts) -> impl Iterator<Item = &DataNode> {
    page.structured.nodes.iter().filter(|node| {
        node.types.iter().any(|kind| matches!(kind.as_str(), "Article" | "NewsArticle" | "BlogPosting" | "TechArticle"))
    })
}

fn author_plain(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (node, name) = articles(page).find_map(|node| Some((node, node.text("author")?)))?;
    Some(Evidence::at(named(node, "author"), name).expected("a Person or Organization with name and url"))
}

fn author_decorated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let data = &page.structured;
    let dressed = |name: &str| {
        let folded = name.trim().to_lowercase();
        let opened = ["by ", "written by ", "posted by ", "author:"].iter().any(|it| folded.starts_with(it));
        opened || folded.contains(" and ") || folded.contains(" & ") || folded.contains(" und ")
    };
    articles(page).find_map(|article| {
        let name = data.inner(article, "author").filter(|it| it.is("Person")).find_map(|it| it.text("name"))?;
        dressed(name).then(|| Evidence::at("name of Person", name).expected("one name, and nothing else"))
    })
}
