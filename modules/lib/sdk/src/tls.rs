//! What the secure side of a host says: its certificates and the protocol it speaks.

use crate::Cx;
use crate::bindings::wit::tls as wit;
use crate::host::Host;

/// Whether a version is spoken.
pub use crate::bindings::wit::tls::Acceptance;
/// The facts of one certificate.
pub use crate::bindings::wit::tls::Certificate;
/// A reason not to trust a chain.
pub use crate::bindings::wit::tls::Distrust;
/// Why there is no report.
pub use crate::bindings::wit::tls::Failure as TlsFailure;
/// What was seen.
pub use crate::bindings::wit::tls::Report as TlsReport;
/// A version of the protocol.
pub use crate::bindings::wit::tls::Version as TlsVersion;

impl TlsReport {
    /// Whether the chain is trusted, for this name and now. Revocation is not looked up.
    pub const fn is_trusted(&self) -> bool {
        self.distrust.is_empty()
    }
}

/// Secure sides of hosts. Made by `Cx::tls`.
pub struct Tls<'a> {
    pub(crate) cx: &'a Cx,
}

impl Tls<'_> {
    /// Looks at a host, a name or an address, at port 443, 465, 993 or 8443.
    pub fn inspect(&self, host: &str, port: u16) -> Result<TlsReport, TlsFailure> {
        self.cx.host.inspect(&wit::Question { host: host.to_owned(), port })
    }
}
