//! `#[args(paged)]`: the arguments `limit` and `cursor`, alike in every list.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, ItemStruct, Visibility, parse_quote};

use crate::grammar::{Entry, Value};

/// The most rows of one page, unless `most` says otherwise.
const MOST: u64 = 100;
/// The rows of one page when the caller names none, unless `default` says otherwise.
const DEFAULT: u64 = 25;

/// Adds both fields to the struct, and returns the implementation of `Paged`.
pub(crate) fn add(entry: &Entry, item: &mut ItemStruct) -> syn::Result<TokenStream> {
    let (mut most, mut default) = (MOST, DEFAULT);
    match &entry.value {
        Value::Word => {}
        Value::List(entries) => {
            for it in entries {
                match it.name.to_string().as_str() {
                    "most" => most = it.number()?,
                    "default" => default = it.number()?,
                    _ => return Err(it.error("write `paged(most = 100, default = 25)`")),
                }
            }
        }
        Value::Tokens(_) => return Err(entry.error("write `paged` or `paged(most = 100, default = 25)`")),
    }
    let bound = i64::try_from(most).map_err(|_| entry.error("`most` is too large"))?;
    if !(1..=most).contains(&default) {
        return Err(entry.error("`default` is from 1 to `most`"));
    }
    let default = default.cast_signed();
    let (name, seen) = (item.ident.clone(), seen_by(item));
    let Fields::Named(fields) = &mut item.fields else {
        return Err(syn::Error::new_spanned(&item.ident, "paged arguments have named fields"));
    };
    fields.named.push(parse_quote! {
        /// The most rows of one page.
        #[default(#default)]
        #seen limit: ::sdk::value::Count<1, #bound>
    });
    fields.named.push(parse_quote! {
        /// The `next_cursor` of the page before; leave it out for the first page.
        #seen cursor: ::core::option::Option<::sdk::Cursor>
    });
    Ok(quote! {
        impl ::sdk::Paged for #name {
            fn limit(&self) -> usize {
                self.limit.into()
            }

            fn cursor(&self) -> ::core::option::Option<&::sdk::Cursor> {
                self.cursor.as_ref()
            }
        }
    })
}

/// Who sees the struct's first field sees these too.
fn seen_by(item: &ItemStruct) -> Visibility {
    item.fields.iter().next().map_or(Visibility::Inherited, |it| it.vis.clone())
}
