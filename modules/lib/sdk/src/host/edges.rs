//! The public edges, as the sdk calls them: the part of the host that keeps files, links, shares and recipients.

use crate::bindings::wit::{
    guarded_shares_write, links, links_write, mail, recipients, recipients_write, shares, shares_write, uploads,
    uploads_write,
};

/// Every function of the interfaces of the edges.
pub(crate) trait Edges {
    fn upload_open(&self, request: &uploads_write::Request) -> Result<uploads_write::Opened, uploads_write::OpenError>;
    fn upload_info(&self, reference: &str) -> Option<uploads::Upload>;
    fn upload_read(&self, reference: &str, offset: u64, length: u32) -> Option<Vec<u8>>;
    fn link_create(&self, redirect: &links_write::Redirect) -> Result<links::Link, links_write::LinkError>;
    fn link_get(&self, code: &str) -> Option<links::Link>;
    fn link_set_state(&self, code: &str, state: links::State) -> Result<(), links_write::LinkError>;
    fn link_days(&self, code: &str, from: u32, to: u32) -> Vec<links::Day>;
    fn link_hits(&self, code: &str, after: Option<&str>, limit: u32) -> links::HitsPage;
    fn share_publish(
        &self,
        publication: &shares_write::Publication,
        with_grant: bool,
    ) -> Result<shares_write::Published, shares_write::ShareError>;
    fn share_publish_guarded(
        &self,
        publication: &guarded_shares_write::Publication,
    ) -> Result<guarded_shares_write::Published, guarded_shares_write::ShareError>;
    fn share_get(&self, reference: &str) -> Option<shares::Share>;
    fn share_revoke(&self, reference: &str) -> Result<shares::Share, shares_write::ShareError>;
    fn recipient_state(&self, address: &str) -> recipients::Standing;
    fn recipient_list(&self, after: Option<&str>, limit: u32) -> recipients::RecipientsPage;
    fn recipient_invite(
        &self,
        connection: &str,
        address: &str,
        words: &str,
    ) -> Result<recipients_write::Invitation, mail::Failure>;
}
