//! `#[record(…)]` and `#[foreign(…)]`: a struct as the rows of a collection.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Fields, ItemStruct, parse_quote};

use crate::grammar::{self, Entry};
use crate::shape;

/// A collection of this module.
pub(crate) fn own(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let tracked = tracked(&syn::parse2(item.clone())?);
    let (name, common) = common(attribute, item)?;
    let tracked = tracked.then(|| {
        quote! {
            impl ::sdk::Tracked for #name {
                fn track(&mut self, job: ::sdk::value::Id<::sdk::Job>) { self.job_ref = ::core::option::Option::Some(job); }
            }
        }
    });
    Ok(quote! { #common impl ::sdk::Record for #name {} #tracked })
}

/// Whether a record remembers its job: it has the field `job_ref: Option<Id<Job>>`.
fn tracked(item: &ItemStruct) -> bool {
    let spelled = |ty: &syn::Type| quote!(#ty).to_string().replace(' ', "");
    item.fields
        .iter()
        .any(|it| it.ident.as_ref().is_some_and(|name| name == "job_ref") && spelled(&it.ty) == "Option<Id<Job>>")
}

/// A collection of another module, named `module.collection`; readable only.
pub(crate) fn foreign(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    Ok(common(attribute, item)?.1)
}

fn common(attribute: TokenStream, item: TokenStream) -> syn::Result<(syn::Ident, TokenStream)> {
    let mut item: ItemStruct = syn::parse2(item)?;
    if matches!(item.fields, Fields::Unnamed(_)) {
        // One field around a body that another crate describes.
        item.attrs.push(parse_quote!(#[serde(transparent)]));
    }
    let defaults = shape::defaults(&mut item)?;
    let name = item.ident.clone();
    let mut thing = snake(&name.to_string());
    let (mut collection, mut reference) = (None, None);
    let mut indexes = Vec::new();
    let mut missing = false;
    let (mut version, mut upgrade) = (None, None);
    for entry in grammar::entries(attribute)? {
        match entry.name.to_string().as_str() {
            "collection" => collection = Some(entry.text()?),
            "reference" => reference = Some(entry.text()?),
            "thing" => thing = entry.text()?,
            "index" => indexes.push(index(&entry, &item)?),
            "may_be_missing" => missing = true,
            "version" => version = Some(self::version(&entry)?),
            "upgrade" => upgrade = Some(entry.tokens("function")?),
            _ => {
                let known = "a record has `collection`, `thing`, `reference`, `index(field, …)`, `version` with `upgrade`, \
                             and, when it is another module's, `may_be_missing`";
                return Err(entry.error(known));
            }
        }
    }
    let collection = collection
        .ok_or_else(|| syn::Error::new(Span::call_site(), "say where it is kept: `collection = \"authors\"`"))?;
    let reference = reference.unwrap_or_else(|| format!("{thing}_ref"));
    let upgrade = match (version, upgrade) {
        (None, None) => None,
        (Some(version), Some(upgrade)) => Some(quote! {
            const VERSION: u32 = #version;
            fn upgrade(before: ::sdk::Before) -> ::sdk::Result<Self> { #upgrade(before) }
        }),
        (Some(_), None) | (None, Some(_)) => {
            let words = "rows of another version need both: `version = 2, upgrade = Note::of_before`";
            return Err(syn::Error::new(Span::call_site(), words));
        }
    };
    let derives = shape::derives();
    let common = quote! {
        #(#derives)* #item #defaults
        impl ::sdk::Readable for #name {
            const COLLECTION: &'static str = #collection;
            const THING: &'static str = #thing;
            const REFERENCE: &'static str = #reference;
            const INDEXES: &'static [::sdk::Index] = &[#(#indexes),*];
            const MAY_BE_MISSING: bool = #missing;
            #upgrade
        }
    };
    Ok((name, common))
}

/// Rows begin with version 1, which nobody has to write.
fn version(entry: &Entry) -> syn::Result<u32> {
    match u32::try_from(entry.number()?) {
        Ok(version @ 2..) => Ok(version),
        _ => Err(entry.error("rows begin with version 1, and the next one is 2")),
    }
}

/// `index(site_id, lastname)` is named `site_id_lastname`.
fn index(entry: &Entry, item: &ItemStruct) -> syn::Result<TokenStream> {
    let mut fields = Vec::new();
    for field in entry.list()? {
        let named = matches!(item.fields, Fields::Named(_));
        if named && !item.fields.iter().any(|it| it.ident.as_ref() == Some(&field.name)) {
            return Err(field.error("no such field"));
        }
        fields.push(field.name.to_string());
    }
    let name = fields.join("_");
    Ok(quote!(::sdk::Index { name: #name, fields: &[#(#fields),*] }))
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
