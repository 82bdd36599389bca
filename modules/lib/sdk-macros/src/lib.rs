//! The attributes of the module SDK, and the macro that lists what a module offers.
//!
//! Each attribute leaves the item it stands on as the author wrote it and adds beside it what
//! could be written by hand against `sdk`: an operation's contract, a record's collection, a
//! value's schema. Nothing is registered at run time; `module!` is the only list.

mod cost;
mod doc;
mod grammar;
mod module;
mod operation;
mod outside;
mod paging;
mod record;
mod shape;
mod step;

use proc_macro::TokenStream;

/// Makes a function an operation: see `modules/README.md` for the grammar.
#[proc_macro_attribute]
pub fn operation(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(operation::expand(attribute.into(), item.into()))
}

/// Makes a function a step of a job.
#[proc_macro_attribute]
pub fn step(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(step::expand(attribute.into(), item.into()))
}

/// Makes a struct the arguments of an operation: unknown members are refused, `#[default(…)]` reaches the schema, and
/// `paged` adds `limit` and `cursor`.
#[proc_macro_attribute]
pub fn args(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(shape::args(attribute.into(), item.into()))
}

/// Makes a struct or enum a value: part of a result, of a record, or of arguments.
#[proc_macro_attribute]
pub fn value(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(shape::value(attribute.into(), item.into()))
}

/// Makes a struct one page of a list: adds `next_cursor`, counts its rows, converts from `Page`.
#[proc_macro_attribute]
pub fn page(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(shape::page(attribute.into(), item.into()))
}

/// Makes a struct a record of a collection of this module.
#[proc_macro_attribute]
pub fn record(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(record::own(attribute.into(), item.into()))
}

/// Makes a struct what this module reads of another module's collection.
#[proc_macro_attribute]
pub fn foreign(attribute: TokenStream, item: TokenStream) -> TokenStream {
    finish(record::foreign(attribute.into(), item.into()))
}

/// Lists what a module offers; written once, in its `lib.rs`.
#[proc_macro]
pub fn module(input: TokenStream) -> TokenStream {
    finish(module::expand(input.into()))
}

fn finish(expansion: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expansion.unwrap_or_else(syn::Error::into_compile_error).into()
}
