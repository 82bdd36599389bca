//! The context of a call: the host, as far as a module can see it.

use std::marker::PhantomData;

use crate::bindings::wit::log::Level;
use crate::host::{Here, Host};
use crate::value::Moment;
use crate::{
    Accounts, Blobs, Cache, Connections, Dns, Jobs, Links, Mail, Notices, Platform, Quotes, Readable, Recipients,
    Records, Schedules, Shares, Tls, Uploads, Vault, Web,
};

/// Given to every handler. It names no customer and no token: the host has bound both.
pub struct Cx {
    pub(crate) host: Here,
}

impl Cx {
    /// The host at the other side of the boundary.
    #[cfg(target_arch = "wasm32")]
    pub const fn host() -> Self {
        Self { host: Here }
    }

    /// A collection of this module, or one of another that `#[foreign]` names.
    pub const fn records<T: Readable>(&self) -> Records<'_, T> {
        Records { cx: self, of: PhantomData }
    }

    /// Public pages.
    pub const fn web(&self) -> Web<'_> {
        Web { cx: self }
    }

    /// What the name system says.
    pub const fn dns(&self) -> Dns<'_> {
        Dns { cx: self }
    }

    /// What the secure side of a host says.
    pub const fn tls(&self) -> Tls<'_> {
        Tls { cx: self }
    }

    /// The customer's own accounts at providers.
    pub const fn connections(&self) -> Connections<'_> {
        Connections { cx: self }
    }

    /// Who the customer's accounts are, what they are set to, and what is spent there.
    pub const fn accounts(&self) -> Accounts<'_> {
        Accounts { cx: self }
    }

    /// Mail through the customer's own server.
    pub const fn mail(&self) -> Mail<'_> {
        Mail { cx: self }
    }

    /// Who was asked whether they want the customer's mail, and what they said.
    pub const fn recipients(&self) -> Recipients<'_> {
        Recipients { cx: self }
    }

    /// Where credentials are put; for the module `connections` alone.
    pub const fn vault(&self) -> Vault<'_> {
        Vault { cx: self }
    }

    /// What the service knows and does for its customer; for the module `account` alone.
    pub const fn platform(&self) -> Platform<'_> {
        Platform { cx: self }
    }

    /// Telling the customer something, through the channels that they chose.
    pub const fn notices(&self) -> Notices<'_> {
        Notices { cx: self }
    }

    /// Calls that the host makes again and again in the customer's name, and work that it begins every few minutes.
    pub const fn schedules(&self) -> Schedules<'_> {
        Schedules { cx: self }
    }

    /// Derived data that may vanish.
    pub const fn cache(&self) -> Cache<'_> {
        Cache { cx: self }
    }

    /// Larger bytes.
    pub const fn blobs(&self) -> Blobs<'_> {
        Blobs { cx: self }
    }

    /// Work that goes on after the answer.
    pub const fn jobs(&self) -> Jobs<'_> {
        Jobs { cx: self }
    }

    /// Files that the customer hands over outside of a call.
    pub const fn uploads(&self) -> Uploads<'_> {
        Uploads { cx: self }
    }

    /// Tracked redirects.
    pub const fn links(&self) -> Links<'_> {
        Links { cx: self }
    }

    /// Blobs that anybody with the address may see.
    pub const fn shares(&self) -> Shares<'_> {
        Shares { cx: self }
    }

    /// Prices that must not change between quote and purchase.
    pub const fn quotes(&self) -> Quotes<'_> {
        Quotes { cx: self }
    }

    /// The time of this call; it does not move while the call runs.
    pub fn now(&self) -> Moment {
        Moment::from_millis(self.host.now())
    }

    /// Milliseconds since the call began; it moves.
    pub fn elapsed(&self) -> u64 {
        self.host.elapsed()
    }

    /// Waits, for pacing within a job step; at most 30,000 milliseconds at once.
    pub fn wait(&self, milliseconds: u32) {
        self.host.wait(milliseconds);
    }

    /// Random bytes, recorded by the host so that a run can be replayed.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let count = u32::try_from(N).expect("a module asks for a handful of bytes");
        self.host.random(count).try_into().expect("the host gives as many bytes as were asked")
    }

    /// Lines for the operator's trace. Never a place for customers' data.
    pub const fn log(&self) -> Trace<'_> {
        Trace { cx: self }
    }
}

/// The operator's trace.
pub struct Trace<'a> {
    cx: &'a Cx,
}

impl Trace<'_> {
    /// Seen only when somebody looks for it.
    pub fn debug(&self, message: &str) {
        self.cx.host.log(Level::Debug, message);
    }

    /// Worth a line.
    pub fn info(&self, message: &str) {
        self.cx.host.log(Level::Info, message);
    }

    /// Odd, and handled.
    pub fn warn(&self, message: &str) {
        self.cx.host.log(Level::Warn, message);
    }

    /// Wrong.
    pub fn error(&self, message: &str) {
        self.cx.host.log(Level::Error, message);
    }
}
