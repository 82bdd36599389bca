//! Schema: structured data of pages: what it says, whether it is valid, and putting it there.

mod check;
mod crawled;
mod deploy;
mod deployment;
mod eligibility;
mod entity_graph;
mod extract;
mod google;
mod judge;
mod lines;
mod live;
mod markup;
mod money;
mod organization;
mod page;
mod product_feed;
mod report;
mod same_as;
mod template;
mod type_;
mod vocabulary;

sdk::module! {
    operations: [
        page::extract,
        page::validate,
        markup::validate,
        eligibility::check,
        report::report as site::report,
        entity_graph::build,
        type_::get,
        type_::suggest::suggest as type_::suggest,
        markup::generate::generate as markup::generate,
        organization::generate,
        template::save,
        template::preview,
        deploy::deploy as deploy,
        deployment::list,
        deployment::rollback,
        product_feed::check,
        same_as::verify as sameas::verify,
    ],
    steps: [entity_graph::work as graph, deploy::work as deploy, product_feed::work as feed],
    collections: [
        deploy::Deployment,
        entity_graph::Graph,
        entity_graph::Node,
        product_feed::Checked,
        template::Template,
        wordpress::Change,
    ],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
