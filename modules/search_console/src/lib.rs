//! Google Search Console: what people search, where the website is shown and what they click, stored beyond Google's 16
//! months, and what follows from it.

mod appearance;
mod brand;
mod ctr_gap;
mod drop;
mod forecast;
mod given;
mod google;
mod market;
mod mover;
mod new_query;
mod page;
mod performance;
mod question;
mod segment;
mod significance;
mod sitemap;
mod status;
mod stored;
mod striking;
mod sync;
#[cfg(test)]
mod trial;

sdk::module! {
    operations: [
        sync::run::run as sync::run,
        status::get as sync::status::get,
        performance::query::query as performance::query,
        performance::compare::compare as performance::compare,
        drop::explain::explain as drop::explain,
        mover::report,
        striking::list as striking_distance::list,
        ctr_gap::list,
        page::list as page::query::list,
        brand::split::split as brand::split,
        new_query::list,
        segment::report,
        market::report,
        appearance::report,
        forecast::get,
        sitemap::list,
        sitemap::submit,
        sitemap::delete,
    ],
    steps: [sync::work::work as sync],
    collections: [stored::Totals, stored::Sync],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
