//! The fake server of mail: it takes every message, unless a test says otherwise.

use std::collections::{BTreeMap, BTreeSet};

use crate::Letter;
use crate::bindings::wit::mail::{Class, Failure, Message, RefusedRecipient, Reply, Sent};

/// All messages, and what becomes of the next.
#[derive(Default)]
pub(crate) struct Post {
    taken: Vec<Letter>,
    left: BTreeSet<String>,
    refused: BTreeMap<String, Reply>,
    failure: Option<Failure>,
}

impl Post {
    pub(super) fn taken(&self) -> Vec<Letter> {
        self.taken.clone()
    }

    pub(super) fn leave(&mut self, address: &str) {
        self.left.insert(address.to_lowercase());
    }

    pub(super) fn has_left(&self, address: &str) -> bool {
        self.left.contains(&address.to_lowercase())
    }

    pub(super) fn refuse(&mut self, address: &str, code: u16) {
        self.refused.insert(address.to_lowercase(), Reply { code, enhanced: None });
    }

    pub(super) fn fail(&mut self, failure: Option<Failure>) {
        self.failure = failure;
    }

    pub(super) fn send(&mut self, message: &Message) -> Result<Sent, Failure> {
        if message.class == Class::List && message.to.iter().any(|it| self.left.contains(&it.to_lowercase())) {
            return Err(Failure::Unsubscribed);
        }
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let reply = |address: &String| self.refused.get(&address.to_lowercase()).cloned();
        let refused: Vec<_> = message
            .to
            .iter()
            .filter_map(|it| Some(RefusedRecipient { address: it.clone(), reply: reply(it)? }))
            .collect();
        let accepted: Vec<_> = message.to.iter().filter(|it| reply(it).is_none()).cloned().collect();
        match refused.first() {
            Some(first) if accepted.is_empty() && first.reply.code < 500 => {
                return Err(Failure::RateLimited(Some(first.reply.clone())));
            }
            Some(first) if accepted.is_empty() => return Err(Failure::Rejected(first.reply.clone())),
            _ => {}
        }
        self.taken.push(Letter(message.clone()));
        let message_id = format!("<fake-{}@shop.example>", self.taken.len());
        Ok(Sent { message_id, accepted, refused, total_ms: 12 })
    }
}
