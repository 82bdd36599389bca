//! Passwords: argon2id, off the threads that serve requests, and as slow for an unknown e-mail as for a known one.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use model::clock::Entropy;
use tokio::sync::Semaphore;

/// A password as it was typed. Has no `Debug` that shows it.
#[derive(Clone)]
pub struct Password(String);

/// Bytes of a password: at least, so that it is worth the name; at most, so that hashing it stays bounded.
pub const LENGTH: std::ops::RangeInclusive<usize> = 8..=1_024;

impl Password {
    /// One that was typed at sign-in.
    pub fn typed(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// One that shall be set.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn chosen(text: impl Into<String>) -> Result<Self, &'static str> {
        let text = text.into();
        if LENGTH.contains(&text.len()) { Ok(Self(text)) } else { Err("a password has 8 to 1024 bytes") }
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(..)")
    }
}

/// Hashing at a time, so that sign-ins cannot take all memory: argon2id uses 19 MiB each.
const AT_ONCE: usize = 4;

/// The room where passwords are hashed. Parameters are those of OWASP: 19 MiB, two passes, one lane.
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    /// What the password of an unknown e-mail is compared with.
    nobody: tokio::sync::OnceCell<String>,
    salt: [u8; 16],
}

impl Passwords {
    pub(crate) fn new(entropy: &dyn Entropy) -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), nobody: tokio::sync::OnceCell::new(), salt: entropy.array() }
    }

    /// The PHC string of a password.
    pub(crate) async fn hash(&self, password: Password, entropy: &dyn Entropy) -> String {
        self.hash_with(password, entropy.array()).await
    }

    /// Whether the password is the one behind this PHC string. Takes as long for no string at all.
    pub(crate) async fn verify(&self, password: Password, stored: Option<String>) -> bool {
        let known = stored.is_some();
        let stored = match stored {
            Some(stored) => stored,
            None => {
                let nobody = || self.hash_with(Password::typed("the password of nobody"), self.salt);
                self.nobody.get_or_init(nobody).await.clone()
            }
        };
        let matches = self
            .off_thread(move || {
                let Ok(parsed) = PasswordHash::new(&stored) else { return false };
                Argon2::default().verify_password(password.0.as_bytes(), &parsed).is_ok()
            })
            .await;
        known && matches
    }

    async fn hash_with(&self, password: Password, salt: [u8; 16]) -> String {
        self.off_thread(move || {
            Argon2::default()
                .hash_password_with_salt(password.0.as_bytes(), &salt)
                .expect("the lengths of password and salt are within argon2's")
                .to_string()
        })
        .await
    }

    async fn off_thread<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let turn = Arc::clone(&self.turns).acquire_owned().await.expect("nobody closes the semaphore");
        let task = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        task.await.expect("hashing neither panics nor is cancelled")
    }
}

#[cfg(test)]
mod tests {
    use model::clock::SeededEntropy;

    use super::*;

    /// What the work of a check depends on: the algorithm and its parameters.
    fn work(phc: &str) -> Vec<&str> {
        phc.split('$').take(4).collect()
    }

    #[tokio::test]
    async fn an_unknown_e_mail_costs_the_work_of_a_known_one() {
        let entropy = SeededEntropy::new([1; 32]);
        let passwords = Passwords::new(&entropy);
        let stored = passwords.hash(Password::typed("correct horse battery"), &entropy).await;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(!passwords.verify(Password::typed("the password of nobody"), None).await);
        let nobody = passwords.nobody.get().expect("something was compared with");
        assert_eq!(work(nobody), work(&stored));
        assert!(passwords.verify(Password::typed("correct horse battery"), Some(stored.clone())).await);
        assert!(!passwords.verify(Password::typed("correct horse batterz"), Some(stored)).await);
    }

    #[test]
    fn a_password_shows_itself_to_nobody() {
        assert_eq!(format!("{:?}", Password::typed("secret")), "Password(..)");
    }
}
