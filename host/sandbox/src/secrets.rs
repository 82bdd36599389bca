//! Arguments that a contract marks secret. For one call, the guest gets a handle of each and the host keeps the value.

use std::collections::BTreeMap;
use std::fmt;

use model::clock::Entropy;
use model::id::base32;
use zeroize::Zeroizing;

/// The secret arguments of one call by their handles. `Debug` shows none of them, and they are zeroed on drop.
#[derive(Clone, Default)]
pub struct Secrets(BTreeMap<String, Zeroizing<String>>);

impl Secrets {
    /// Stores a value, as JSON text unless it is a string. Returns the handle that replaces it.
    pub fn keep(&mut self, value: Zeroizing<String>, entropy: &dyn Entropy) -> String {
        let handle = format!("secret_{}", base32(&entropy.array::<16>()));
        self.0.insert(handle.clone(), value);
        handle
    }

    /// The secrets whose handles stand as whole strings in a JSON body.
    pub(crate) fn within(&self, body: &[u8]) -> Sealed {
        let stands = |handle: &str| find(body, format!("\"{handle}\"").as_bytes()).is_some();
        let all = self.0.iter().filter(|(handle, _)| stands(handle));
        Sealed(all.map(|(handle, value)| (handle.clone(), value.clone())).collect())
    }

    pub(crate) fn get(&self, handle: &str) -> Option<&str> {
        self.0.get(handle).map(|value| value.as_str())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

/// Secret arguments that one request carries: the guest wrote their handles, and the provider gets their values.
#[derive(Clone, Default)]
pub(crate) struct Sealed(Vec<(String, Zeroizing<String>)>);

impl Sealed {
    /// The body with the values in place of the handles.
    pub(crate) fn opened(&self, body: &[u8]) -> Vec<u8> {
        self.replaced(body, |value| serde_json::Value::from(value).to_string())
    }

    /// The body with one word in place of each handle: handles are new in each call, and a repeat has to be known again.
    pub(crate) fn closed(&self, body: &[u8]) -> Vec<u8> {
        self.replaced(body, |_| "\"secret\"".to_owned())
    }

    /// The values, for whoever looks whether a provider gives them back.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, value)| value.as_str())
    }

    fn replaced(&self, body: &[u8], by: impl Fn(&str) -> String) -> Vec<u8> {
        let mut body = body.to_vec();
        for (handle, value) in &self.0 {
            let (handle, value) = (format!("\"{handle}\""), by(value));
            while let Some(at) = find(&body, handle.as_bytes()) {
                body.splice(at..at + handle.len(), value.bytes());
            }
        }
        body
    }
}

fn find(body: &[u8], needle: &[u8]) -> Option<usize> {
    body.windows(needle.len()).position(|it| it == needle)
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealed({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use model::clock::SystemEntropy;

    use super::*;

    #[test]
    fn only_a_whole_string_is_a_handle_and_its_value_is_written_as_json() {
        let mut secrets = Secrets::default();
        let handle = secrets.keep(Zeroizing::new("a\"b\\c".to_owned()), &SystemEntropy);
        let body = format!("{{\"authCode\":\"{handle}\",\"note\":\"x {handle}\"}}");
        let sealed = secrets.within(body.as_bytes());
        let opened: serde_json::Value = serde_json::from_slice(&sealed.opened(body.as_bytes())).unwrap();
        assert_eq!((&opened["authCode"], &opened["note"]), (&"a\"b\\c".into(), &format!("x {handle}").into()));
        let closed = String::from_utf8(sealed.closed(body.as_bytes())).unwrap();
        assert!(closed.starts_with("{\"authCode\":\"secret\""), "{closed}");
        assert_eq!(secrets.within(b"{\"authCode\":\"another\"}").values().count(), 0);
        assert!(!format!("{sealed:?}").contains('c'));
    }
}
