//! The common grammar of attributes: a list of `word`, `word = value` and `word(…)`.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, LitStr, Token, parenthesized};

/// One entry of an attribute.
pub(crate) struct Entry {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// What stands after an entry's name.
pub(crate) enum Value {
    /// Nothing: `read`.
    Word,
    /// `cost = list`, `cost = live(most = 8)`, `scope = "assets:read"`: the tokens up to the comma.
    Tokens(TokenStream),
    /// `queued(…)`.
    List(Vec<Entry>),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            let mut tokens = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                tokens.extend([input.parse::<TokenTree>()?]);
            }
            return Ok(Self { name, value: Value::Tokens(tokens) });
        }
        if input.peek(syn::token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let list = Punctuated::<Entry, Token![,]>::parse_terminated(&inner)?;
            return Ok(Self { name, value: Value::List(list.into_iter().collect()) });
        }
        Ok(Self { name, value: Value::Word })
    }
}

/// All entries of an attribute.
pub(crate) fn entries(attribute: TokenStream) -> syn::Result<Vec<Entry>> {
    struct All(Vec<Entry>);
    impl Parse for All {
        fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
            Ok(Self(Punctuated::<Entry, Token![,]>::parse_terminated(input)?.into_iter().collect()))
        }
    }
    Ok(syn::parse2::<All>(attribute)?.0)
}

impl Entry {
    /// Where an error about this entry points.
    pub(crate) fn span(&self) -> Span {
        self.name.span()
    }

    /// An error that points at this entry.
    pub(crate) fn error(&self, message: &str) -> syn::Error {
        syn::Error::new(self.span(), message)
    }

    /// The value's tokens, or an error that says what is wanted.
    pub(crate) fn tokens(&self, wanted: &str) -> syn::Result<TokenStream> {
        match &self.value {
            Value::Tokens(tokens) => Ok(tokens.clone()),
            Value::Word | Value::List(_) => Err(self.error(&format!("write `{} = {wanted}`", self.name))),
        }
    }

    /// A string literal.
    pub(crate) fn text(&self) -> syn::Result<String> {
        Ok(syn::parse2::<LitStr>(self.tokens("\"…\"")?)?.value())
    }

    /// A whole number.
    pub(crate) fn number(&self) -> syn::Result<u64> {
        syn::parse2::<LitInt>(self.tokens("1")?)?.base10_parse()
    }

    /// A bracketed list of string literals.
    pub(crate) fn texts(&self) -> syn::Result<Vec<String>> {
        let array: syn::ExprArray = syn::parse2(self.tokens("[\"…\"]")?)?;
        array.elems.iter().map(|it| Ok(syn::parse2::<LitStr>(quote::quote!(#it))?.value())).collect()
    }

    /// The entries in parentheses.
    pub(crate) fn list(&self) -> syn::Result<&[Entry]> {
        match &self.value {
            Value::List(list) => Ok(list),
            Value::Word | Value::Tokens(_) => Err(self.error(&format!("write `{}(…)`", self.name))),
        }
    }
}
