//! The public edges of the real host, over the boundary.

use super::Guest;
use crate::bindings::wit::{
    guarded_shares_write, links, links_write, mail, recipients, recipients_write, shares, shares_write, uploads,
    uploads_write,
};
use crate::host::Edges;

impl Edges for Guest {
    fn upload_open(&self, request: &uploads_write::Request) -> Result<uploads_write::Opened, uploads_write::OpenError> {
        uploads_write::open(request)
    }

    fn upload_info(&self, reference: &str) -> Option<uploads::Upload> {
        uploads::info(reference)
    }

    fn upload_read(&self, reference: &str, offset: u64, length: u32) -> Option<Vec<u8>> {
        uploads::read(reference, offset, length)
    }

    fn link_create(&self, redirect: &links_write::Redirect) -> Result<links::Link, links_write::LinkError> {
        links_write::create(redirect)
    }

    fn link_get(&self, code: &str) -> Option<links::Link> {
        links::get(code)
    }

    fn link_set_state(&self, code: &str, state: links::State) -> Result<(), links_write::LinkError> {
        links_write::set_state(code, state)
    }

    fn link_days(&self, code: &str, from: u32, to: u32) -> Vec<links::Day> {
        links::days(code, from, to)
    }

    fn link_hits(&self, code: &str, after: Option<&str>, limit: u32) -> links::HitsPage {
        links::hits(code, after, limit)
    }

    fn share_publish(
        &self,
        publication: &shares_write::Publication,
        with_grant: bool,
    ) -> Result<shares_write::Published, shares_write::ShareError> {
        if with_grant { shares_write::publish_with_grant(publication) } else { shares_write::publish(publication) }
    }

    fn share_publish_guarded(
        &self,
        publication: &guarded_shares_write::Publication,
    ) -> Result<guarded_shares_write::Published, guarded_shares_write::ShareError> {
        guarded_shares_write::publish(publication)
    }

    fn share_get(&self, reference: &str) -> Option<shares::Share> {
        shares::get(reference)
    }

    fn share_revoke(&self, reference: &str) -> Result<shares::Share, shares_write::ShareError> {
        shares_write::revoke(reference)
    }

    fn recipient_state(&self, address: &str) -> recipients::Standing {
        recipients::state(address)
    }

    fn recipient_list(&self, after: Option<&str>, limit: u32) -> recipients::RecipientsPage {
        recipients::list(after, limit)
    }

    fn recipient_invite(
        &self,
        connection: &str,
        address: &str,
        words: &str,
    ) -> Result<recipients_write::Invitation, mail::Failure> {
        recipients_write::invite(connection, address, words)
    }
}
