//! A website's WordPress: its items, their SEO fields, every change that was made to them, and the way back.

mod alt_text;
mod batch;
mod change;
mod content;
mod crawled;
mod demand;
mod diff;
mod link;
mod markup;
mod media;
mod redirect;
mod seo_meta;
mod shown;
mod site_inspect;
mod target;
mod taxonomy;
mod terms;
#[cfg(test)]
mod trial;

sdk::module! {
    operations: [
        site_inspect::inspect as site::inspect,
        content::list::list as content::list,
        content::get::get as content::get,
        content::create::create as content::create,
        content::update::update as content::update,
        content::publish::publish as content::publish,
        content::unpublish::unpublish as content::unpublish,
        content::trash::trash as content::trash,
        seo_meta::get::get as seo_meta::get,
        seo_meta::update::update as seo_meta::update,
        seo_meta::bulk_update::bulk_update as seo_meta::bulk_update,
        media::upload,
        alt_text::bulk_update,
        link::replace,
        taxonomy::audit,
        redirect::list::list as redirect::list,
        redirect::upsert::upsert as redirect::upsert,
        redirect::delete::delete as redirect::delete,
        redirect::map::build::build as redirect::map::build,
        redirect::map::probe::test as redirect::map::test,
        redirect::map::export::export as redirect::map::export,
        change::list::list as change::list,
        change::rollback::rollback as change::rollback,
    ],
    steps: [seo_meta::bulk_update::work as write, link::work as links, alt_text::work as alts, redirect::map::work::work as map, redirect::map::probe::work as probe],
    collections: [wordpress::Change, redirect::held::Kept, redirect::map::Map],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
