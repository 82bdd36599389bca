//! What the product modules answer in their real sandbox. On SQLite: what each database does is said by the engine's tests
//! and by those of `store`.

mod advice;
mod audit;
mod authors;
mod backlinks;
mod campaigns;
mod cms;
mod connections;
mod crawl;
mod directives;
mod domains;
mod hostile_sites;
mod indexing;
mod injection;
mod large_pages;
mod links;
mod local_grid;
mod logs;
mod manners;
mod monitoring;
mod onpage;
mod schema;
mod websites;
