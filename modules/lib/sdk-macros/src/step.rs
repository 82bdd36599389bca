//! `#[step]`: one kind of job, run piece by piece.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::grammar;

/// Expands the attribute.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    if let Some(entry) = grammar::entries(attribute)?.first() {
        return Err(entry.error("a step takes no arguments; its name is its place in `module!`"));
    }
    let function: ItemFn = syn::parse2(item)?;
    let name = &function.sig.ident;
    Ok(quote! {
        #function

        #[doc(hidden)]
        pub(crate) mod #name {
            /// The native entry of the function of the same name.
            pub(crate) fn step() -> ::sdk::JobStep {
                ::sdk::JobStep::new(super::#name)
            }

            /// The entry that the component exports.
            #[cfg(target_arch = "wasm32")]
            pub(crate) fn run(call: ::sdk::boundary::Call) -> ::core::result::Result<::sdk::boundary::Answer, ::sdk::Fault> {
                ::sdk::entry::step(&::sdk::Cx::host(), &call.arguments, super::#name)
            }
        }
    })
}
