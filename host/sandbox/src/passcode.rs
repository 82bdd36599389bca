//! Passcodes of shares: kept as argon2id, hashed off the threads that serve, and few at a time.
//!
//! Parameters are those of OWASP: 19 MiB, two passes, one lane. Modules and strangers have turns of their own, so that
//! neither keeps the other waiting, and both together take no more than four times that memory.

use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use tokio::sync::{Semaphore, SemaphorePermit};
use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;

/// Characters of a passcode.
pub const LENGTH: std::ops::RangeInclusive<usize> = 6..=128;
/// How long a stranger waits for a turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// Passcodes that modules set, at a time in this process.
static SETTING: Semaphore = Semaphore::const_new(2);
/// Passcodes that strangers try, at a time in this process.
static TRYING: Semaphore = Semaphore::const_new(2);

/// A passcode that may be one. Zeroed on drop, and has no `Debug` that shows it.
#[derive(Clone)]
pub struct Passcode(Zeroizing<String>);

impl std::fmt::Debug for Passcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Passcode(..)")
    }
}

/// Too many are tried at this moment. Nothing was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded;

impl Passcode {
    /// Reads one. Letters that look alike and are written in several ways count as one (Unicode NFC).
    ///
    /// # Errors
    /// Says what is wrong with it, and nothing of it.
    pub fn of(text: &str) -> Result<Self, &'static str> {
        // No character has fewer than a byte, so what is too long is not looked through.
        let fits = text.len() <= *LENGTH.end() * 4 && LENGTH.contains(&text.chars().count());
        if !fits || text.chars().any(char::is_control) {
            return Err("a passcode has 6 to 128 characters, and no control characters");
        }
        Ok(Self(Zeroizing::new(text.nfc().collect())))
    }

    /// The PHC string by which it is known again. The salt has to be one that nobody foresees.
    ///
    /// # Panics
    /// Never: the lengths of passcode and salt are within those of argon2.
    pub async fn hashed(self, salt: [u8; 16]) -> String {
        let turn = SETTING.acquire().await.expect("nobody closes the semaphore");
        off_thread(turn, move || {
            Argon2::default()
                .hash_password_with_salt(self.0.as_bytes(), &salt)
                .expect("the lengths of passcode and salt are within argon2's")
                .to_string()
        })
        .await
    }

    /// Whether it is the one behind this PHC string.
    ///
    /// # Errors
    /// [`Crowded`] where no turn came within five seconds.
    pub async fn is(self, stored: String) -> Result<bool, Crowded> {
        let turn = tokio::time::timeout(PATIENCE, TRYING.acquire()).await.map_err(|_| Crowded)?;
        let turn = turn.map_err(|_| Crowded)?;
        Ok(off_thread(turn, move || {
            let Ok(parsed) = PasswordHash::new(&stored) else { return false };
            Argon2::default().verify_password(self.0.as_bytes(), &parsed).is_ok()
        })
        .await)
    }
}

/// Keeps the turn until the work is done, also when nobody waits for it any more.
async fn off_thread<T: Send + 'static>(turn: SemaphorePermit<'static>, work: impl FnOnce() -> T + Send + 'static) -> T {
    let task = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    task.await.expect("hashing neither panics nor is cancelled")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_passcode_is_kept_as_argon2id_and_known_again_however_its_letters_are_written() {
        let stored = Passcode::of("gr\u{fc}ne W\u{f6}rter").unwrap().hashed([7; 16]).await;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        for (tried, right) in
            [("gr\u{fc}ne W\u{f6}rter", true), ("gru\u{308}ne W\u{f6}rter", true), ("grune Worter", false)]
        {
            assert_eq!(Passcode::of(tried).unwrap().is(stored.clone()).await, Ok(right), "{tried}");
        }
    }

    #[test]
    fn a_passcode_has_a_length_and_shows_itself_to_nobody() {
        for text in ["abcdef", &"\u{1f511}".repeat(128)] {
            assert_eq!(format!("{:?}", Passcode::of(text).unwrap()), "Passcode(..)");
        }
        for text in ["", "abcde", "abcdef\n", &"a".repeat(129), &"a".repeat(100_000)] {
            assert!(Passcode::of(text).is_err());
        }
    }
}
