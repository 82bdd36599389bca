//! The cost classes of the catalog, as an attribute writes them.
//!
//! Points: indexed-read 1; list 1 + ceil(rows / 50); live 5 + 3 per outside request after the first;
//! bulk 3 + ceil(items / 25); write 3; job 10 + work units.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitInt, Token, parenthesized};

use crate::grammar::{self, Entry};

/// Turns `list`, `live(most = 8)`, `job(unit = "pages", every = 50, most = max_pages)` into an expression of `sdk::Cost`.
pub(crate) fn expand(tokens: TokenStream) -> syn::Result<TokenStream> {
    let (class, entries) = class.parse2(tokens)?;
    let bound = bound(&entries)?;
    let entry = |name: &str| entries.iter().find(|it| it.name == name);
    let text = |name: &str, otherwise: &str| entry(name).map_or_else(|| Ok(otherwise.to_owned()), Entry::text);
    let number = |name: &str, otherwise: u64| entry(name).map_or(Ok(otherwise), Entry::number);
    for it in &entries {
        if !["most", "otherwise", "unit", "every"].iter().any(|known| it.name == known) {
            return Err(it.error("a cost has `most`, `otherwise`, `unit` and `every`"));
        }
    }
    match class.to_string().as_str() {
        "indexed_read" => Ok(quote!(::sdk::Cost::indexed_read())),
        "write" => Ok(quote!(::sdk::Cost::write())),
        "list" => {
            let most = bound.unwrap_or_else(|| quote!(::sdk::Most::argument("limit")));
            Ok(quote!(::sdk::Cost::list(#most)))
        }
        "live" => {
            let most = bound.ok_or_else(|| missing(&class, "live(most = 8)"))?;
            Ok(quote!(::sdk::Cost::live(#most)))
        }
        "bulk" => {
            let most = bound.ok_or_else(|| missing(&class, "bulk(most = urls)"))?;
            let unit = text("unit", "items")?;
            Ok(quote!(::sdk::Cost::bulk(#unit, #most)))
        }
        "job" => {
            let most = bound.ok_or_else(|| missing(&class, "job(unit = \"pages\", every = 50, most = max_pages)"))?;
            let unit = text("unit", "pages")?;
            let every = number("every", 50)?;
            Ok(quote!(::sdk::Cost::job(#unit, #every, #most)))
        }
        _ => Err(syn::Error::new(class.span(), "a cost is `indexed_read`, `list`, `live`, `bulk`, `write` or `job`")),
    }
}

/// `most = urls`, `most = urls, otherwise = 10`, `most = actions * days` or `most = 100`, as an expression of `sdk::Most`.
pub(crate) fn bound(entries: &[Entry]) -> syn::Result<Option<TokenStream>> {
    let Some(most) = entries.iter().find(|it| it.name == "most") else { return Ok(None) };
    let tokens = most.tokens("urls")?;
    if let Ok(fixed) = syn::parse2::<LitInt>(tokens.clone()) {
        return Ok(Some(quote!(::sdk::Most::fixed(#fixed))));
    }
    if let Ok((one, other)) = product.parse2(tokens.clone()) {
        let (one, other) = (one.to_string(), other.to_string());
        return Ok(Some(quote!(::sdk::Most::product(#one, #other))));
    }
    let argument = syn::parse2::<Ident>(tokens)
        .map_err(|_| most.error("`most` is a number or the name of an argument"))?
        .to_string();
    match entries.iter().find(|it| it.name == "otherwise") {
        Some(otherwise) => {
            let number = otherwise.number()?;
            Ok(Some(quote!(::sdk::Most::argument_or(#argument, #number))))
        }
        None => Ok(Some(quote!(::sdk::Most::argument(#argument)))),
    }
}

fn product(input: ParseStream<'_>) -> syn::Result<(Ident, Ident)> {
    let one = input.parse()?;
    input.parse::<Token![*]>()?;
    Ok((one, input.parse()?))
}

fn class(input: ParseStream<'_>) -> syn::Result<(Ident, Vec<Entry>)> {
    let class: Ident = input.parse()?;
    if !input.peek(syn::token::Paren) {
        return Ok((class, Vec::new()));
    }
    let inner;
    parenthesized!(inner in input);
    let entries = grammar::entries(inner.parse()?)?;
    input.parse::<Option<Token![,]>>()?;
    Ok((class, entries))
}

fn missing(class: &Ident, example: &str) -> syn::Error {
    syn::Error::new(class.span(), format!("the units need an upper bound: `cost = {example}`"))
}
