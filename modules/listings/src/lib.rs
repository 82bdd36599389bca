//! Business profiles on Google: what they say, what is wrong with them and how it is changed; reviews and answers; and where the
//! rest of the web speaks of a location.

mod address;
mod category;
mod citation;
mod edit;
mod google;
mod google_edit;
mod hours;
mod landing_page;
mod leaders;
mod location;
mod media;
mod nap;
mod performance;
mod place;
mod post;
mod profile;
mod review;
mod search_term;
mod service;
mod stored;
#[cfg(test)]
mod trial;
mod week;

sdk::module! {
    operations: [
        location::list::list as location::list,
        location::get::get as location::get,
        location::audit::audit as location::audit,
        location::update::update as location::update,
        hours::update,
        category::suggest::suggest as category::suggest,
        category::update::update as category::update,
        service::update,
        google_edit::resolve,
        performance::report,
        search_term::report,
        post::list::list as post::list,
        post::draft::draft as post::draft,
        post::publish::publish as post::publish,
        post::delete::delete as post::delete,
        media::upload,
        review::sync::sync as review::sync,
        review::list::list as review::list,
        review::report::report as review::report,
        review::reply::draft::draft as review::reply::draft,
        review::reply::publish::publish as review::reply::publish,
        review::invite::create as review::invite::create,
        nap::set::set as nap::set,
        citation::scan::scan as citation::scan,
        citation::list::list as citation::list,
        citation::report::report as citation::report,
        citation::pack::create as citation::pack::create,
        landing_page::check,
    ],
    steps: [review::work::reviews as reviews, citation::work::citations as citations],
    collections: [
        stored::Location,
        stored::Change,
        post::stored::OwnPost,
        media::Uploaded,
        review::stored::Review,
        review::stored::SyncState,
        nap::stored::Nap,
        citation::stored::Citation,
        citation::stored::Scanned,
        citation::stored::Pack,
    ],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
