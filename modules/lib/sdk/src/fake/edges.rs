//! The fake edges: files that a test hands over, links that it follows, shares that it looks at.

use std::collections::BTreeMap;

use sha2::Digest as _;

use super::World;
use super::held::Held;
use crate::bindings::wit::{
    guarded_shares_write, links, links_write, mail, recipients, recipients_write, shares, shares_write, uploads,
    uploads_write,
};
use crate::host::Edges;

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// What stands at the edges. A refused call gives it back with everything else.
#[derive(Clone, Default)]
pub(super) struct AtEdges {
    uploads: BTreeMap<String, (uploads::Upload, Vec<u8>)>,
    links: BTreeMap<String, (links::Link, Vec<links::Hit>)>,
    shares: BTreeMap<String, shares::Share>,
    /// The passcodes of shares that ask for one.
    passcodes: BTreeMap<String, String>,
}

impl World {
    /// Hands a file over; gives back its reference.
    pub(super) fn hand_over(&self, media_type: &str, bytes: &[u8]) -> String {
        let mut state = self.state.borrow_mut();
        let reference = format!("upl_{}", state.make_id());
        let upload = uploads::Upload {
            state: uploads::State::Complete,
            purpose: "test".to_owned(),
            bytes: bytes.len() as u64,
            sha256: Some(sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()),
            media_type: Some(media_type.to_owned()),
            encoding: bytes.starts_with(&[0x1f, 0x8b]).then(|| "gzip".to_owned()),
            closes: state.now,
            kept: state.now + 7 * DAY,
        };
        state.edges.uploads.insert(reference.clone(), (upload, bytes.to_vec()));
        reference
    }

    /// Follows a link as this visitor; whether it leads anywhere.
    pub(super) fn follow(&self, code: &str, visitor: &str, device: links::Device) -> Option<String> {
        let mut state = self.state.borrow_mut();
        let at = state.now;
        let (link, hits) = state.edges.links.get_mut(code)?;
        if link.state != links::State::Active || link.expires.is_some_and(|expires| expires <= at) {
            return None;
        }
        let agent = device == links::Device::Program;
        hits.push(links::Hit {
            at,
            visitor: visitor.to_owned(),
            device,
            head: false,
            prefetch: false,
            agent,
            bare: agent,
            referrer: None,
        });
        Some(link.target.clone())
    }

    /// Looks at a share with this passcode; the blob, where that shows it.
    pub(super) fn look_at(&self, reference: &str, passcode: Option<&str>) -> Option<Vec<u8>> {
        let mut state = self.state.borrow_mut();
        if state.edges.passcodes.get(reference).map(String::as_str) != passcode {
            return None;
        }
        let now = state.now;
        let share = state.edges.shares.get_mut(reference)?;
        if share.ended.is_some() || share.expires <= now {
            return None;
        }
        share.views += 1;
        let key = share.key.clone();
        state.blobs.get(&key).cloned()
    }
}

impl Held {
    /// Shares a blob that is there.
    fn share(&mut self, key: &str, life_seconds: u32) -> Option<shares::Share> {
        if !self.has_blob(key) {
            return None;
        }
        let reference = format!("shr_{}", self.make_id());
        let (created, expires) = (self.now, self.now + u64::from(life_seconds) * 1_000);
        let (key, ended, views) = (key.to_owned(), None, 0);
        let share = shares::Share { reference: reference.clone(), key, created, expires, ended, views };
        self.edges.shares.insert(reference, share.clone());
        Some(share)
    }

    fn link(&self, code: &str) -> Option<links::Link> {
        let (link, _) = self.edges.links.get(code)?;
        let over = link.expires.is_some_and(|expires| expires <= self.now);
        Some(links::Link { state: if over { links::State::Expired } else { link.state }, ..link.clone() })
    }
}

impl Edges for World {
    fn upload_open(&self, request: &uploads_write::Request) -> Result<uploads_write::Opened, uploads_write::OpenError> {
        let mut state = self.state.borrow_mut();
        state.stop_a_read("an upload");
        if request.life_seconds == 0 || request.life_seconds > 86_400 || request.media_types.is_empty() {
            return Err(uploads_write::OpenError::Malformed("see wit/v1/uploads.wit".to_owned()));
        }
        let reference = format!("upl_{}", state.make_id());
        let expires = state.now + u64::from(request.life_seconds) * 1_000;
        let upload = uploads::Upload {
            state: uploads::State::Waiting,
            purpose: request.purpose.clone(),
            bytes: 0,
            sha256: None,
            media_type: None,
            encoding: None,
            closes: expires,
            kept: expires,
        };
        state.edges.uploads.insert(reference.clone(), (upload, Vec::new()));
        let url = format!("https://host.example/uploads/{reference}");
        Ok(uploads_write::Opened { reference, url, expires })
    }

    fn upload_info(&self, reference: &str) -> Option<uploads::Upload> {
        let state = self.state.borrow();
        let (upload, _) = state.edges.uploads.get(reference)?;
        let over = upload.state == uploads::State::Waiting && upload.closes <= state.now;
        Some(uploads::Upload { state: if over { uploads::State::Expired } else { upload.state }, ..upload.clone() })
    }

    fn upload_read(&self, reference: &str, offset: u64, length: u32) -> Option<Vec<u8>> {
        let state = self.state.borrow();
        let (upload, bytes) = state.edges.uploads.get(reference)?;
        let from = usize::try_from(offset).map_or(bytes.len(), |it| it.min(bytes.len()));
        // As the real host: at most to the end of a chunk.
        let end = (from / (1 << 20) + 1) << 20;
        let to = from.saturating_add(length as usize).min(end).min(bytes.len());
        (upload.state == uploads::State::Complete).then(|| bytes[from..to].to_vec())
    }

    fn link_create(&self, redirect: &links_write::Redirect) -> Result<links::Link, links_write::LinkError> {
        let mut state = self.state.borrow_mut();
        state.stop_a_read("a link");
        let code = redirect.code.clone().unwrap_or_else(|| state.make_id().split_off(6));
        if state.edges.links.contains_key(&code) {
            return Err(links_write::LinkError::Taken);
        }
        let link = links::Link {
            url: format!("https://host.example/l/{code}"),
            code: code.clone(),
            target: redirect.target.clone(),
            context: redirect.context.clone(),
            state: links::State::Active,
            created: state.now,
            expires: redirect.expires,
        };
        state.edges.links.insert(code, (link.clone(), Vec::new()));
        Ok(link)
    }

    fn link_get(&self, code: &str) -> Option<links::Link> {
        self.state.borrow().link(code)
    }

    fn link_set_state(&self, code: &str, to: links::State) -> Result<(), links_write::LinkError> {
        let mut state = self.state.borrow_mut();
        state.stop_a_read("a link");
        let link = state.link(code).ok_or(links_write::LinkError::Missing)?;
        if link.state == links::State::Expired && to != links::State::Expired {
            return Err(links_write::LinkError::Expired);
        }
        if let Some((link, _)) = state.edges.links.get_mut(code) {
            link.state = to;
        }
        Ok(())
    }

    fn link_days(&self, code: &str, from: u32, to: u32) -> Vec<links::Day> {
        let state = self.state.borrow();
        let mut days = BTreeMap::<u32, links::Day>::new();
        for hit in state.edges.links.get(code).into_iter().flat_map(|(_, hits)| hits) {
            let day = u32::try_from(hit.at / DAY).unwrap_or(u32::MAX);
            let none = links::Day { day, visits: 0, probes: 0, prefetches: 0, agents: 0 };
            let count = days.entry(day).or_insert(none);
            match hit {
                links::Hit { head: true, .. } => count.probes += 1,
                links::Hit { prefetch: true, .. } => count.prefetches += 1,
                links::Hit { agent: true, .. } => count.agents += 1,
                _ => count.visits += 1,
            }
        }
        days.into_values().filter(|it| (from..=to).contains(&it.day)).collect()
    }

    fn link_hits(&self, code: &str, after: Option<&str>, limit: u32) -> links::HitsPage {
        let state = self.state.borrow();
        let all: &[links::Hit] = state.edges.links.get(code).map_or(&[], |(_, hits)| hits);
        let from = after.and_then(|it| it.parse().ok()).unwrap_or(0).min(all.len());
        let to = from.saturating_add(limit.clamp(1, 1_000) as usize).min(all.len());
        links::HitsPage { hits: all[from..to].to_vec(), next: (to < all.len()).then(|| to.to_string()) }
    }

    fn share_publish(
        &self,
        publication: &shares_write::Publication,
        _with_grant: bool,
    ) -> Result<shares_write::Published, shares_write::ShareError> {
        let mut state = self.state.borrow_mut();
        state.stop_a_read("a share");
        let share = state.share(&publication.key, publication.life_seconds);
        let shares::Share { reference, expires, .. } = share.ok_or(shares_write::ShareError::Missing)?;
        let url = format!("https://host.example/r/{reference}");
        Ok(shares_write::Published { reference, url, expires })
    }

    fn share_publish_guarded(
        &self,
        publication: &guarded_shares_write::Publication,
    ) -> Result<guarded_shares_write::Published, guarded_shares_write::ShareError> {
        use guarded_shares_write::ShareError;
        let mut state = self.state.borrow_mut();
        state.stop_a_read("a share");
        let passcode = match &publication.passcode {
            None => None,
            Some(handle) => match state.accounts.secret(handle) {
                None => return Err(ShareError::Malformed("that is no handle".to_owned())),
                Some(text) if !(6..=128).contains(&text.chars().count()) => {
                    return Err(ShareError::Malformed("a passcode has 6 to 128 characters".to_owned()));
                }
                Some(text) => Some(text.to_owned()),
            },
        };
        let share = state.share(&publication.key, publication.life_seconds);
        let shares::Share { reference, expires, .. } = share.ok_or(ShareError::Missing)?;
        if let Some(passcode) = passcode {
            state.edges.passcodes.insert(reference.clone(), passcode);
        }
        let url = format!("https://host.example/r/{reference}");
        Ok(guarded_shares_write::Published { reference, url, expires })
    }

    fn share_get(&self, reference: &str) -> Option<shares::Share> {
        self.state.borrow().edges.shares.get(reference).cloned()
    }

    fn share_revoke(&self, reference: &str) -> Result<shares::Share, shares_write::ShareError> {
        let mut state = self.state.borrow_mut();
        state.stop_a_read("a share");
        let now = state.now;
        let share = state.edges.shares.get_mut(reference).ok_or(shares_write::ShareError::Missing)?;
        share.ended.get_or_insert(now);
        Ok(share.clone())
    }

    fn recipient_state(&self, address: &str) -> recipients::Standing {
        self.standing(address)
    }

    fn recipient_list(&self, after: Option<&str>, limit: u32) -> recipients::RecipientsPage {
        self.recipients(after, limit)
    }

    fn recipient_invite(
        &self,
        connection: &str,
        address: &str,
        words: &str,
    ) -> Result<recipients_write::Invitation, mail::Failure> {
        self.invite(connection, address, words)
    }
}

#[cfg(test)]
mod tests;
