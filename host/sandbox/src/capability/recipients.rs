//! `recipients` and `recipients-write`: the host asks people whether they want the customer's mail, once in a while and
//! never against a no, and tells modules what they said.

use store::edges::recipients::{Asking, Standing};

use super::mail::{Mailed, Outgoing, Through, failure};
use crate::bindings::{mail, recipients, recipients_write};
use crate::capability::since_1970;
use crate::mail::address;
use crate::mail::invitation::Invitation;
use crate::mail::outcome::Trouble;
use crate::state::State;
use crate::stop::Stop;

/// Recipients of one page.
const MOST_LISTED: u32 = 100;

impl recipients::Host for State {
    async fn state(&mut self, address: String) -> wasmtime::Result<recipients::Standing> {
        self.enter()?;
        let Some(address) = address::parse(&address) else { return Ok(recipients::Standing::Unknown) };
        let (store, customer, module) = self.whose();
        let found = self.span.bound(store.edges.standing(&customer, &module, address.as_ref())).await;
        match found {
            Ok(Ok(standing)) => Ok(shown(standing)),
            Ok(Err(error)) => Err(self.end(Stop::Unavailable(error))),
            Err(stop) => Err(self.end(stop)),
        }
    }

    async fn list(&mut self, after: Option<String>, limit: u32) -> wasmtime::Result<recipients::RecipientsPage> {
        self.enter()?;
        let (store, customer, module) = self.whose();
        let (after, limit) = (after.unwrap_or_default(), limit.clamp(1, MOST_LISTED));
        let found = self.span.bound(store.edges.recipients(&customer, &module, &after, limit + 1)).await;
        let mut found = match found {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
            Err(stop) => return Err(self.end(stop)),
        };
        let more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().filter(|_| more).map(|it| it.address.clone());
        let recipient = |it: store::edges::recipients::Recipient| recipients::Recipient {
            address: it.address,
            standing: shown(it.standing),
        };
        Ok(recipients::RecipientsPage { recipients: found.into_iter().map(recipient).collect(), next })
    }
}

impl recipients_write::Host for State {
    async fn invite(
        &mut self,
        connection: String,
        address: String,
        words: String,
    ) -> wasmtime::Result<Result<recipients_write::Invitation, mail::Failure>> {
        self.enter_changing()?;
        self.count_requests(1)?;
        let sent = match Invitation::check(&address, &words) {
            Ok(invitation) => self.mail(&connection, Outgoing::Invitation(&invitation)).await?,
            Err(invalid) => Err(Trouble::Invalid(invalid)),
        };
        Ok(match sent {
            Ok(_) => Ok(recipients_write::Invitation::Invited(since_1970(self.now))),
            Err(Trouble::Known(Standing::Invited(at))) => {
                Ok(recipients_write::Invitation::AlreadyInvited(since_1970(at)))
            }
            Err(Trouble::Known(Standing::Confirmed(at))) => Ok(recipients_write::Invitation::Confirmed(since_1970(at))),
            Err(Trouble::Known(Standing::Declined(at))) => Ok(recipients_write::Invitation::Declined(since_1970(at))),
            Err(Trouble::Known(Standing::Left(at))) => Ok(recipients_write::Invitation::Left(since_1970(at))),
            Err(trouble) => Err(failure(trouble)),
        })
    }
}

impl State {
    fn whose(&self) -> (store::Store, model::id::CustomerId, String) {
        (self.workspace.store().clone(), self.customer.clone(), self.module.name.to_string())
    }

    /// Asks one recipient, if they may be asked now. It is noted before the letter goes out, so that of two runs one
    /// asks, and taken back where the letter certainly did not.
    pub(super) async fn ask_by_mail(&mut self, through: &Through, invitation: &Invitation, id: &str) -> Mailed {
        let (store, customer, module) = self.whose();
        let asking = Asking {
            address: invitation.to().to_string(),
            module,
            sender: through.from.to_string(),
            words: invitation.words().to_owned(),
            at: self.now,
        };
        let asked = match self.span.outside(store.edges.ask_recipient(&customer, asking)).await {
            Ok(Ok(Ok(asked))) => asked,
            Ok(Ok(Err(standing))) => return Ok(Err(Trouble::Known(standing))),
            Ok(Err(error)) => return Err(self.end(Stop::Unavailable(error))),
            Err(stop) => return Err(self.end(stop)),
        };
        let page = self.edges.confirm(asked.secret.reveal());
        let outcome = match invitation.letter(&through.from, &page) {
            // As with the way out of a list: an address that is not https goes only to servers that the operator
            // allowed.
            Ok(letter) => self.deliver(through, &letter, id, None, !page.starts_with("https://")).await,
            Err(invalid) => Ok(Err(Trouble::Invalid(invalid))),
        };
        if matches!(&outcome, Ok(Err(trouble)) if *trouble != Trouble::Unknown) {
            let taken_back = store.edges.unask_recipient(&customer, invitation.to().as_ref(), &asked).await;
            if let Err(error) = taken_back {
                tracing::error!(error = %error, "a letter that was not sent counts as one that was");
            }
        }
        outcome
    }
}

fn shown(standing: Standing) -> recipients::Standing {
    match standing {
        Standing::Unknown => recipients::Standing::Unknown,
        Standing::Invited(at) => recipients::Standing::Invited(since_1970(at)),
        Standing::Confirmed(at) => recipients::Standing::Confirmed(since_1970(at)),
        Standing::Declined(at) => recipients::Standing::Declined(since_1970(at)),
        Standing::Left(at) => recipients::Standing::Left(since_1970(at)),
    }
}
