//! `#[operation(…)]`: the function stays, its contract is added beside it as a module of the same name.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::ItemFn;

use crate::grammar::{self, Entry};
use crate::{cost, doc, outside};

/// Expands the attribute.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let function: ItemFn = syn::parse2(item)?;
    let doc = doc::read(&function.attrs);
    if doc.summary.is_empty() {
        return Err(syn::Error::new_spanned(
            &function.sig,
            "an operation needs a doc comment: its first paragraph is the summary",
        ));
    }
    let mut kind = None;
    let mut builder = TokenStream::new();
    let (mut scoped, mut costed) = (false, false);
    for entry in grammar::entries(attribute)? {
        let name = entry.name.to_string();
        match name.as_str() {
            "read" => kind = Some(quote!(Read)),
            "write" => kind = Some(quote!(Write)),
            "job" => kind = Some(quote!(Job)),
            "destructive" => kind = Some(quote!(Destructive)),
            _ => {}
        }
        builder.extend(match name.as_str() {
            "read" | "write" | "job" | "destructive" => TokenStream::new(),
            "scope" => {
                scoped = true;
                let scope = entry.text()?;
                quote!(.scopes(&[#scope]))
            }
            "scopes" => {
                scoped = true;
                let scopes = entry.texts()?;
                quote!(.scopes(&[#(#scopes),*]))
            }
            "cost" => {
                costed = true;
                let cost = cost::expand(entry.tokens("list")?)?;
                quote!(.cost(#cost))
            }
            "queued" => queued(&entry)?,
            "native_price" => native_price(&entry)?,
            "result_operation" => {
                let poll = entry.text()?;
                quote!(.result_operation(#poll))
            }
            "side_effects" => strings(&entry, quote!(side_effects))?,
            "phrasings" => strings(&entry, quote!(phrasings))?,
            "needs" => strings(&entry, quote!(needs))?,
            "secrets" => strings(&entry, quote!(secrets))?,
            "outside" => {
                let lines = outside::lines(&entry)?;
                quote!(.outside(&[#(#lines),*]))
            }
            "examples" => {
                let examples = objects(&entry)?;
                quote!(.examples(vec![#(::sdk::json!(#examples)),*]))
            }
            _ => {
                return Err(entry.error(
                    "an operation has `read | write | job | destructive`, `scope`, `scopes`, `cost`, `queued`, `native_price`, \
                     `result_operation`, `side_effects`, `phrasings`, `needs`, `secrets`, `outside` and `examples`",
                ));
            }
        });
    }
    let here = Span::call_site();
    let kind = kind.ok_or_else(|| syn::Error::new(here, "say `read`, `write`, `job` or `destructive`"))?;
    if !scoped {
        return Err(syn::Error::new(here, "say the scope: `scope = \"assets:read\"`"));
    }
    if !costed {
        return Err(syn::Error::new(here, "say the cost class: `cost = indexed_read`"));
    }
    let name = &function.sig.ident;
    let (summary, description) = (doc.summary, doc.description);
    Ok(quote! {
        #function

        #[doc(hidden)]
        pub(crate) mod #name {
            /// The contract and the native entry of the function of the same name.
            pub(crate) fn operation() -> ::sdk::Operation {
                ::sdk::Operation::new(::sdk::Kind::#kind, super::#name).prose(#summary, #description) #builder
            }

            /// The entry that the component exports.
            #[cfg(target_arch = "wasm32")]
            pub(crate) fn run(call: ::sdk::boundary::Call) -> ::core::result::Result<::sdk::boundary::Answer, ::sdk::Fault> {
                ::sdk::entry::operation(&::sdk::Cx::host(), &call.arguments, super::#name)
            }
        }
    })
}

fn queued(entry: &Entry) -> syn::Result<TokenStream> {
    let entries = entry.list()?;
    if let Some(step) = entries.iter().find(|it| it.name == "step") {
        let step = step.text()?;
        return Ok(quote!(.queued(#step)));
    }
    match entries.iter().find(|it| it.name == "outside") {
        Some(_) => Ok(quote!(.queued_outside())),
        None => Err(entry.error("write `queued(step = \"run\")`, or `queued(outside)` for what no job does")),
    }
}

fn native_price(entry: &Entry) -> syn::Result<TokenStream> {
    let entries = entry.list()?;
    let wanted = "write `native_price(unit = \"pages\", every = 1000, credits_milli = 1000, most = max_pages)`";
    let find = |name: &str| entries.iter().find(|it| it.name == name).ok_or_else(|| entry.error(wanted));
    let unit = find("unit")?.text()?;
    let every = find("every")?.number()?;
    let credits = find("credits_milli")?.number()?;
    let most = cost::bound(entries)?.ok_or_else(|| entry.error(wanted))?;
    Ok(quote!(.native_price(#unit, #every, #credits, #most)))
}

fn strings(entry: &Entry, method: TokenStream) -> syn::Result<TokenStream> {
    let texts = entry.texts()?;
    Ok(quote!(.#method(&[#(#texts),*])))
}

/// The JSON objects between the brackets of `examples = [{ … }, { … }]`.
fn objects(entry: &Entry) -> syn::Result<Vec<TokenTree>> {
    let wanted = || entry.error("write `examples = [{ \"limit\": 10 }]`");
    let mut tokens = entry.tokens("[{ … }]")?.into_iter();
    let Some(TokenTree::Group(group)) = tokens.next() else { return Err(wanted()) };
    group
        .stream()
        .into_iter()
        .filter(|it| !matches!(it, TokenTree::Punct(punct) if punct.as_char() == ','))
        .map(|it| if matches!(it, TokenTree::Group(_)) { Ok(it) } else { Err(wanted()) })
        .collect()
}

#[cfg(test)]
mod tests;
