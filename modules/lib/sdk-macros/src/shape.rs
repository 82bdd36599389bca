//! `#[args]`, `#[value]` and `#[page]`: the derives that make a type cross the boundary.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Fields, Item, ItemStruct, Type, parse_quote};

use crate::{grammar, paging};

/// `#[args]`: closed to unknown members; `#[default(…)]` on a field is its value when absent. `paged` adds `limit` and
/// `cursor`.
pub(crate) fn args(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut item: ItemStruct = syn::parse2(item)?;
    let mut paged = TokenStream::new();
    for entry in grammar::entries(attribute)? {
        if entry.name != "paged" {
            return Err(entry.error("arguments have `paged` or `paged(most = 100, default = 25)`"));
        }
        paged = paging::add(&entry, &mut item)?;
    }
    let defaults = defaults(&mut item)?;
    item.attrs.push(parse_quote!(#[serde(deny_unknown_fields)]));
    let derives = derives();
    Ok(quote! { #(#derives)* #item #defaults #paged })
}

/// `#[value]`: a struct is also a result; an enum is written in snake case.
pub(crate) fn value(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    nothing(attribute)?;
    let derives = derives();
    match syn::parse2(item)? {
        Item::Struct(mut item) => {
            let defaults = defaults(&mut item)?;
            let name = &item.ident;
            let (impls, types, wheres) = item.generics.split_for_impl();
            Ok(quote! {
                #(#derives)* #item #defaults
                impl #impls ::sdk::Reply for #name #types #wheres {
                    type Data = Self;
                    fn into_parts(self) -> (Self, u64) { (self, 0) }
                }
            })
        }
        Item::Enum(mut item) => {
            item.attrs.push(parse_quote!(#[serde(rename_all = "snake_case")]));
            let plain = item.variants.iter().all(|it| matches!(it.fields, Fields::Unit));
            let copy = plain.then(|| quote!(#[derive(Copy, Eq, PartialOrd, Ord, Hash)]));
            Ok(quote! { #(#derives)* #copy #item })
        }
        other => Err(syn::Error::new_spanned(other, "`#[value]` stands on a struct or an enum")),
    }
}

/// `#[page]`: the first field is the list; `next_cursor` is added last.
pub(crate) fn page(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    nothing(attribute)?;
    let mut item: ItemStruct = syn::parse2(item)?;
    words(&mut item.fields);
    let wanted = "`#[page]` stands on a struct whose first field is the list: `authors: Vec<Stored<Author>>`";
    let Fields::Named(fields) = &mut item.fields else { return Err(syn::Error::new_spanned(&item.ident, wanted)) };
    let Some(first) = fields.named.first() else { return Err(syn::Error::new_spanned(&item.ident, wanted)) };
    let Some(row) = element(&first.ty) else { return Err(syn::Error::new_spanned(&first.ty, wanted)) };
    let (list, row, alone) = (first.ident.clone(), row.clone(), fields.named.len() == 1);
    fields.named.push(parse_quote! {
        /// The `cursor` of the next page; null on the last page.
        next_cursor: ::core::option::Option<::sdk::Cursor>
    });
    let name = &item.ident;
    let derives = derives();
    let from = alone.then(|| {
        quote! {
            impl ::core::convert::From<::sdk::Page<#row>> for #name {
                fn from(page: ::sdk::Page<#row>) -> Self { Self { #list: page.items, next_cursor: page.next } }
            }
        }
    });
    Ok(quote! {
        #(#derives)* #item
        impl ::sdk::Reply for #name {
            type Data = Self;
            fn into_parts(self) -> (Self, u64) {
                let rows = self.#list.len() as u64;
                (self, rows)
            }
        }
        #from
    })
}

/// What every shape derives, through the sdk's own copies of serde and schemars.
pub(crate) fn derives() -> Vec<Attribute> {
    vec![
        parse_quote!(#[derive(Debug, Clone, PartialEq, ::sdk::serde::Serialize, ::sdk::serde::Deserialize, ::sdk::schemars::JsonSchema)]),
        parse_quote!(#[serde(crate = "::sdk::serde")]),
        parse_quote!(#[schemars(crate = "::sdk::schemars")]),
    ]
}

/// Turns `#[own]` and `#[untrusted]` on fields into marks of the schema: words that the module wrote itself, and words that
/// it did not.
fn words(fields: &mut Fields) {
    for attribute in fields.iter_mut().flat_map(|it| &mut it.attrs) {
        if attribute.path().is_ident("own") {
            *attribute = parse_quote!(#[schemars(extend("own" = true))]);
        } else if attribute.path().is_ident("untrusted") {
            *attribute = parse_quote!(#[schemars(extend("untrusted" = true))]);
        }
    }
}

/// Turns `#[default(…)]` on fields into serde defaults, which the schema shows too.
pub(crate) fn defaults(item: &mut ItemStruct) -> syn::Result<TokenStream> {
    words(&mut item.fields);
    let owner = item.ident.clone();
    let mut functions = TokenStream::new();
    for field in &mut item.fields {
        let Some(at) = field.attrs.iter().position(|it| it.path().is_ident("default")) else { continue };
        let attribute = field.attrs.remove(at);
        let literal: syn::Expr = attribute.parse_args()?;
        let Some(name) = &field.ident else {
            return Err(syn::Error::new_spanned(field, "a default needs a named field"));
        };
        let function = format_ident!("default_{}", name);
        let path = format!("{owner}::{function}");
        let ty = &field.ty;
        field.attrs.push(parse_quote!(#[serde(default = #path)]));
        functions.extend(quote! {
            #[doc(hidden)]
            fn #function() -> #ty { ::sdk::value::literal(#literal) }
        });
    }
    if functions.is_empty() {
        return Ok(functions);
    }
    Ok(quote! { impl #owner { #functions } })
}

fn nothing(attribute: TokenStream) -> syn::Result<()> {
    match grammar::entries(attribute)?.first() {
        Some(entry) => Err(entry.error("this attribute takes no arguments")),
        None => Ok(()),
    }
}

/// `T` of `Vec<T>`.
fn element(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(row) if last.ident == "Vec" => Some(row),
        _ => None,
    }
}
