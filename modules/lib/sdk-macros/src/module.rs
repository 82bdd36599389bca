//! `module!`: the list of what a module offers, turned into its WIT world and its exports.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Path, Token, Type, bracketed};

/// One entry of a list: a path to a function, and the name it goes by.
struct Export {
    path: Path,
    /// The segments of the id after the module's name.
    segments: Vec<String>,
}

impl Parse for Export {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path: Path = input.parse()?;
        let named = if input.parse::<Option<Token![as]>>()?.is_some() { input.parse()? } else { path.clone() };
        let segments = named.segments.iter().map(|it| it.ident.to_string().trim_end_matches('_').to_owned()).collect();
        Ok(Self { path, segments })
    }
}

impl Export {
    fn id(&self, module: &str) -> String {
        format!("{module}.{}", self.segments.join("."))
    }

    fn kebab(&self) -> String {
        self.segments.join("-").replace('_', "-")
    }

    /// The method wit-bindgen makes of the export's name.
    fn method(&self) -> Ident {
        let name = self.segments.join("_");
        if syn::parse_str::<Ident>(&name).is_ok() { format_ident!("{name}") } else { format_ident!("{name}_") }
    }
}

#[derive(Default)]
struct Module {
    /// The module's, where it is not the crate's.
    name: Option<Ident>,
    operations: Vec<Export>,
    routes: Vec<Export>,
    steps: Vec<Export>,
    collections: Vec<Type>,
    /// Those of which rows of earlier versions are stored.
    upgrades: Vec<Type>,
    raw: Vec<Expr>,
    untrusted: Vec<Ident>,
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut module = Self::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            if name == "name" {
                module.name = Some(input.parse()?);
                input.parse::<Option<Token![,]>>()?;
                continue;
            }
            let list;
            bracketed!(list in input);
            match name.to_string().as_str() {
                "operations" => module.operations = terminated(&list)?,
                "routes" => module.routes = terminated(&list)?,
                "steps" => module.steps = terminated(&list)?,
                "collections" => module.collections = terminated(&list)?,
                "upgrades" => module.upgrades = terminated(&list)?,
                "raw" => module.raw = terminated(&list)?,
                "untrusted" => module.untrusted = origins(terminated(&list)?)?,
                _ => {
                    return Err(syn::Error::new(
                        name.span(),
                        "a module has `operations`, `routes`, `steps`, `collections`, `upgrades`, `raw` and `untrusted`",
                    ));
                }
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(module)
    }
}

/// Where text may come from that the module did not write.
fn origins(origins: Vec<Ident>) -> syn::Result<Vec<Ident>> {
    match origins.iter().find(|it| *it != "web" && *it != "provider") {
        Some(other) => Err(syn::Error::new(other.span(), "untrusted text comes from the `web` or from a `provider`")),
        None => Ok(origins),
    }
}

fn terminated<T: Parse>(list: ParseStream<'_>) -> syn::Result<Vec<T>> {
    Ok(Punctuated::<T, Token![,]>::parse_terminated(list)?.into_iter().collect())
}

/// Expands the macro.
pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    #[expect(clippy::disallowed_methods, reason = "cargo tells a macro which crate it expands in by this alone")]
    let name = std::env::var("CARGO_CRATE_NAME").map_err(|_| {
        syn::Error::new(Span::call_site(), "the module's name is its crate's name, which only cargo gives")
    })?;
    let module: Module = syn::parse2(input)?;
    let name = module.name.as_ref().map_or(name, ToString::to_string);
    let contracts = |exports: &[Export], entry: &str| {
        let entry = format_ident!("{entry}");
        let rows = exports.iter().map(|it| {
            let (path, id, kebab) = (&it.path, it.id(&name), it.kebab());
            quote!(::sdk::Export { id: #id, name: #kebab, it: #path::#entry() })
        });
        quote!(vec![#(#rows),*])
    };
    let operations = contracts(&module.operations, "operation");
    let routes = contracts(&module.routes, "operation");
    let steps = contracts(&module.steps, "step");
    let (collections, raw) = (&module.collections, &module.raw);
    let untrusted = module.untrusted.iter().map(ToString::to_string);
    let component = component(&name, &module);
    let versions = versions(&module);
    Ok(quote! {
        #versions

        /// What this module offers: its contracts, and its functions for tests.
        pub fn module() -> ::sdk::Module {
            ::sdk::Module {
                name: #name,
                operations: #operations,
                routes: #routes,
                steps: #steps,
                collections: vec![#(::sdk::Collection::of::<#collections>()),*],
                raw: vec![#(#raw),*],
                untrusted: vec![#(#untrusted),*],
            }
        }

        /// The contract section of this module, as JSON.
        pub fn contracts() -> ::std::string::String {
            module().contracts()
        }

        /// A host for tests: this module over records in memory.
        #[cfg(test)]
        pub(crate) fn fake() -> ::sdk::Fake {
            ::sdk::Fake::new(module())
        }

        #[cfg(test)]
        mod boundary {
            #[test]
            fn every_contract_is_whole_and_every_example_is_valid() {
                super::module().assert_whole();
            }

            #[test]
            fn every_contract_uses_the_shared_shapes() {
                super::module().assert_dialect(env!("CARGO_MANIFEST_DIR"));
            }

            #[test]
            fn the_committed_wit_is_what_the_module_exports() {
                super::module().assert_wit(env!("CARGO_MANIFEST_DIR"));
            }
        }

        #component
    })
}

/// What a collection lists under `upgrades` has earlier versions, and nothing else has.
fn versions(module: &Module) -> TokenStream {
    let spelled = |ty: &Type| quote!(#ty).to_string();
    let upgraded: Vec<String> = module.upgrades.iter().map(spelled).collect();
    let once = module.collections.iter().filter(|it| !upgraded.contains(&spelled(it)));
    let upgrades = &module.upgrades;
    quote! {
        const _: () = {
            #(assert!(<#once as ::sdk::Readable>::VERSION == 1, "a record with a `version` stands under `upgrades` too");)*
            #(assert!(<#upgrades as ::sdk::Readable>::VERSION > 1, "a record under `upgrades` has a `version`");)*
        };
    }
}

/// The text of the boundary, also for a module that stands in a folder of its own.
const BOUNDARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../wit/v1");

/// The world, its bindings and the exports, for the guest target only.
fn component(name: &str, module: &Module) -> TokenStream {
    let (package, boundary) = (name.replace('_', "-"), BOUNDARY);
    let interfaces = [("operations", &module.operations), ("routes", &module.routes), ("steps", &module.steps)];
    let present: Vec<_> = interfaces.into_iter().filter(|(_, exports)| !exports.is_empty()).collect();
    let upgrades = (!module.upgrades.is_empty()).then_some("upgrades");
    let mut wit = format!("package espalier:{package};\n");
    for (interface, exports) in &present {
        wit += &format!("interface {interface} {{ use espalier:module/types@1.0.0.{{call, answer, fault}};\n");
        for export in exports.iter() {
            wit += &format!("%{}: func(call: call) -> result<answer, fault>;\n", export.kebab());
        }
        wit += "}\n";
    }
    if let Some(interface) = upgrades {
        wit += &format!(
            "interface {interface} {{ use espalier:module/types@1.0.0.{{call, answer, fault}};\n\
             %records: func(call: call) -> result<answer, fault>;\n}}\n"
        );
    }
    let names = present.iter().map(|(interface, _)| *interface).chain(upgrades);
    let exported: String = names.map(|interface| format!("export {interface};\n")).collect();
    wit += &format!("world module {{ {exported} }}\n");
    let world = format!("espalier:{package}/module");
    let space = format_ident!("{}", name.replace('-', "_"));
    let impls = present.iter().map(|(interface, exports)| {
        let interface = format_ident!("{interface}");
        let methods = exports.iter().map(|it| {
            let (method, path) = (it.method(), &it.path);
            quote! {
                fn #method(call: ::sdk::boundary::Call) -> ::core::result::Result<::sdk::boundary::Answer, ::sdk::Fault> {
                    crate::#path::run(call)
                }
            }
        });
        quote! { impl exports::espalier::#space::#interface::Guest for Component { #(#methods)* } }
    });
    let upgraded = &module.upgrades;
    let upgrades = upgrades.map(|_| {
        quote! {
            impl exports::espalier::#space::upgrades::Guest for Component {
                fn records(call: ::sdk::boundary::Call) -> ::core::result::Result<::sdk::boundary::Answer, ::sdk::Fault> {
                    use super::*;
                    ::sdk::entry::upgrade(&call.arguments, &[#(::sdk::Upgraded::of::<#upgraded>()),*])
                }
            }
        }
    });
    quote! {
        #[cfg(target_arch = "wasm32")]
        mod component {
            #![expect(unsafe_code, missing_docs, unreachable_pub, reason = "wit-bindgen writes the exports, and the build reads the contracts by an exported name")]

            ::sdk::wit_bindgen::generate!({
                path: #boundary,
                inline: #wit,
                world: #world,
                runtime_path: "::sdk::wit_bindgen::rt",
                with: { "espalier:module/types@1.0.0": ::sdk::boundary },
            });

            struct Component;
            #(#impls)*
            #upgrades
            export!(Component);

            /// The contracts for the build: address in the upper half, length in the lower.
            #[unsafe(no_mangle)]
            extern "C" fn espalier_contracts() -> u64 {
                ::sdk::entry::leak(crate::contracts())
            }
        }
    }
}

#[cfg(test)]
mod tests;
