//! A secret opens where it was sealed, and nowhere else, and never when a bit of it was changed.

use model::clock::SeededEntropy;
use model::keys::Key;
use proptest::prelude::*;

use super::*;

fn ring(keys: &[(&str, u8)]) -> KeyRing {
    KeyRing::new(keys.iter().map(|(id, byte)| Key::new(*id, "", [*byte; KEY])).collect()).unwrap()
}

struct Here {
    customer: CustomerId,
    connection: ConnectionId,
    kind: String,
    version: u64,
}

impl Here {
    fn new(customer: &str, connection: &str, kind: &str, version: u64) -> Self {
        Self { customer: customer.into(), connection: connection.into(), kind: kind.to_owned(), version }
    }

    fn place(&self) -> Place<'_> {
        let Self { customer, connection, kind, version } = self;
        Place { customer, connection, kind, version: *version }
    }
}

fn sealed(ring: &KeyRing, here: &Here, secret: &[u8], seed: u8) -> Sealed {
    Sealed::seal(ring, here.place(), secret, &SeededEntropy::new([seed; 32])).unwrap()
}

proptest! {
    #[test]
    fn what_is_sealed_opens_in_its_place_with_any_ring_that_has_the_key(
        secret in proptest::collection::vec(any::<u8>(), 0..300),
        version in 1_u64..1_000,
        seed in any::<u8>(),
    ) {
        let here = Here::new("cus_ann", "con_one", "wordpress", version);
        let one = sealed(&ring(&[("a", 1)]), &here, &secret, seed);
        prop_assert_eq!(&**one.open(&ring(&[("z", 9), ("a", 1), ("b", 2)]), here.place()).unwrap(), &secret[..]);
        prop_assert_eq!(one.open(&ring(&[("b", 2)]), here.place()), Err(SealError::NoKey("a".to_owned())));
        prop_assert_eq!(one.open(&ring(&[("a", 2)]), here.place()), Err(SealError::Broken));
    }

    #[test]
    fn a_flipped_bit_anywhere_is_refused(at in any::<prop::sample::Index>(), bit in 0_u32..8, wrapped in any::<bool>()) {
        let here = Here::new("cus_ann", "con_one", "wordpress", 1);
        let keys = ring(&[("a", 1)]);
        let mut one = sealed(&keys, &here, b"a secret that is long enough", 5);
        let bytes = if wrapped { &mut one.wrapped } else { &mut one.sealed };
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert_eq!(one.open(&keys, here.place()), Err(SealError::Broken));
    }

    #[test]
    fn cut_or_longer_bytes_are_refused(length in 0_usize..140, wrapped in any::<bool>()) {
        let here = Here::new("cus_ann", "con_one", "wordpress", 1);
        let keys = ring(&[("a", 1)]);
        let mut one = sealed(&keys, &here, b"a secret", 5);
        let bytes = if wrapped { &mut one.wrapped } else { &mut one.sealed };
        prop_assume!(bytes.len() != length);
        bytes.resize(length, 0);
        prop_assert_eq!(one.open(&keys, here.place()), Err(SealError::Broken));
    }
}

#[test]
fn a_secret_opens_in_no_other_place() {
    let here = Here::new("cus_ann", "con_one", "wordpress", 3);
    let keys = ring(&[("a", 1), ("b", 2)]);
    let one = sealed(&keys, &here, b"a secret", 5);
    for other in [
        Here::new("cus_bob", "con_one", "wordpress", 3),
        Here::new("cus_ann", "con_two", "wordpress", 3),
        Here::new("cus_ann", "con_one", "llm", 3),
        Here::new("cus_ann", "con_one", "wordpress", 2),
        Here::new("cus_ann", "con_one", "wordpress", 4),
        // The same letters, parted elsewhere.
        Here::new("cus_annc", "on_one", "wordpress", 3),
        Here::new("cus_ann", "con_onew", "ordpress", 3),
    ] {
        assert_eq!(one.open(&keys, other.place()), Err(SealError::Broken));
        assert_eq!(one.rewrap(&keys, other.place(), &SeededEntropy::new([1; 32])), Err(SealError::Broken));
    }
}

#[test]
fn parts_of_two_secrets_do_not_fit_together() {
    let here = Here::new("cus_ann", "con_one", "wordpress", 1);
    let keys = ring(&[("a", 1), ("b", 2)]);
    let (one, two) = (sealed(&keys, &here, b"one", 5), sealed(&keys, &here, b"two", 6));
    let mixed = Sealed { sealed: two.sealed.clone(), ..one.clone() };
    assert_eq!(mixed.open(&keys, here.place()), Err(SealError::Broken));
    let renamed = Sealed { kek: "a".to_owned(), ..one };
    assert_eq!(renamed.open(&keys, here.place()), Err(SealError::Broken));
}

#[test]
fn no_two_are_alike_and_none_shows_the_secret() {
    let here = Here::new("cus_ann", "con_one", "wordpress", 1);
    let keys = ring(&[("a", 1)]);
    let entropy = SeededEntropy::new([5; 32]);
    let seal = || Sealed::seal(&keys, here.place(), b"the same secret", &entropy).unwrap();
    let (one, two) = (seal(), seal());
    assert_ne!(one.sealed, two.sealed);
    assert_ne!(one.wrapped, two.wrapped);
    assert!(!one.sealed.windows(15).any(|window| window == b"the same secret"));
}

#[test]
fn a_secret_whose_key_is_wrapped_anew_opens_without_the_old_key() {
    let here = Here::new("cus_ann", "con_one", "wordpress", 1);
    let (old, both, new) = (ring(&[("a", 1)]), ring(&[("a", 1), ("b", 2)]), ring(&[("b", 2)]));
    let one = sealed(&old, &here, b"a secret", 5);
    let two = one.rewrap(&both, here.place(), &SeededEntropy::new([6; 32])).unwrap();
    assert_eq!((two.kek.as_str(), &two.sealed), ("b", &one.sealed));
    assert_eq!(&**two.open(&new, here.place()).unwrap(), b"a secret");
    assert_eq!(one.rewrap(&new, here.place(), &SeededEntropy::new([6; 32])), Err(SealError::NoKey("a".to_owned())));
}
