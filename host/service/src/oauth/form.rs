//! Parameters of a query or a form, each at most once (RFC 6749 3.1 and 3.2).

use std::collections::BTreeMap;

use model::token::{Secret, SecretHash};

use crate::oauth::fault::{Code, Fault};

/// Parameters by name, with every value that came.
#[derive(Debug, Default)]
pub struct Parameters(BTreeMap<String, Vec<String>>);

impl Parameters {
    /// Reads `application/x-www-form-urlencoded` text. A parameter without a value counts as not sent.
    pub fn read(text: &str) -> Self {
        let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in url::form_urlencoded::parse(text.as_bytes()) {
            if !value.is_empty() {
                parameters.entry(name.into_owned()).or_default().push(value.into_owned());
            }
        }
        Self(parameters)
    }

    /// The value, if it came once.
    ///
    /// # Errors
    /// `invalid_request` when it came more than once.
    pub fn one(&self, name: &str) -> Result<Option<&str>, Fault> {
        match self.0.get(name).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([value]) => Ok(Some(value)),
            Some(_) => Err(Fault::new(Code::InvalidRequest, format!("{name} is given more than once"))),
        }
    }

    /// The value; it has to be there.
    ///
    /// # Errors
    /// `invalid_request` when it is missing or came more than once.
    pub fn required(&self, name: &str) -> Result<&str, Fault> {
        self.one(name)?.ok_or_else(|| Fault::new(Code::InvalidRequest, format!("{name} is missing")))
    }

    /// The value of a parameter that may be repeated as long as it says the same: `resource` (RFC 8707 2).
    ///
    /// # Errors
    /// `invalid_target` when two values differ.
    pub fn same(&self, name: &str) -> Result<Option<&str>, Fault> {
        let Some(values) = self.0.get(name) else { return Ok(None) };
        let first = values.first().map(String::as_str);
        if values.iter().any(|value| Some(value.as_str()) != first) {
            return Err(Fault::new(Code::InvalidTarget, format!("{name} names more than one place")));
        }
        Ok(first)
    }

    /// Every value of a parameter that is meant to be repeated, such as the boxes of a form.
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The same for two forms that say the same, and for no others. A hash, because there are secrets among it.
    pub(crate) fn fingerprint(&self) -> SecretHash {
        let mut text = String::new();
        for (name, values) in &self.0 {
            // Names and values hold any character, so each is told apart by its length.
            text.push_str(&format!("{}:{name}{}:", name.len(), values.len()));
            for value in values {
                text.push_str(&format!("{}:{value}", value.len()));
            }
        }
        Secret::received(text).hash()
    }

    /// A name that came more than once, other than `resource`.
    pub fn repeated(&self) -> Option<&str> {
        self.0
            .iter()
            .find(|(name, values)| values.len() > 1 && name.as_str() != "resource")
            .map(|(name, _)| name.as_str())
    }
}
