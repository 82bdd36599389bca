//! Indexing: robots.txt, sitemaps and hreflang, what stands between a page and the index, what search engines say of it,
//! and notices to them.

mod authority;
mod auto_submit;
mod bing;
mod coverage;
mod demand;
mod google;
mod google_jobs;
mod hreflang;
mod indexnow;
mod inspection;
mod priority;
mod removal;
mod robots;
mod sitemap;
mod stored;
mod submission;
#[cfg(test)]
mod trial;
mod url;

sdk::module! {
    operations: [
        robots::get,
        robots::test,
        robots::linting::lint as robots::lint,
        robots::composing::compose as robots::compose,
        sitemap::discover,
        sitemap::validation::validate as sitemap::validate,
        sitemap::audit::audit as sitemap::audit,
        sitemap::generate::generate as sitemap::generate,
        hreflang::validate,
        hreflang::generating::generate as hreflang::generate,
        url::check,
        url::inspecting::inspect as url::inspect,
        inspection::run,
        coverage::report,
        priority::list,
        indexnow::create as indexnow::key::create,
        indexnow::verify as indexnow::key::verify,
        indexnow::submit,
        bing::submit,
        bing::status as bing::status::get,
        google_jobs::notify,
        auto_submit::set,
        submission::list,
        removal::plan,
    ],
    steps: [sitemap::audit::work as audit, sitemap::generate::work as generate, inspection::work as inspect],
    collections: [
        stored::UrlState,
        stored::IndexNowKey,
        stored::Submission,
        stored::AutoSubmit,
        stored::SitemapAudit,
    ],
    untrusted: [web, provider],
}
