//! What the key ring promises, as tests.

use model::keys::Keys;
use tempfile::TempDir;

use super::{Source, parse};

fn folder() -> (TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::Folder(folder.path().to_owned());
    (folder, source)
}

#[test]
fn a_data_folder_gets_a_ring_of_one_key_for_its_owner_alone() {
    let (folder, source) = folder();
    let ring = source.open().unwrap();
    assert_eq!(ring.keys().len(), 1);
    assert_eq!(source.open().unwrap(), ring);
    #[cfg(unix)]
    {
        let there = std::fs::metadata(folder.path().join("keys.toml")).unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&there.permissions()) & 0o777, 0o600);
    }
}

#[test]
fn the_single_key_of_an_older_folder_becomes_the_first_of_the_ring() {
    let (folder, source) = folder();
    std::fs::write(folder.path().join("seal.key"), [5; 32]).unwrap();
    let ring = source.rotate().unwrap();
    assert_eq!(ring.keys()[0].reveal(), &[5; 32]);
    assert_eq!(ring.keys().len(), 2);
    assert_ne!(ring.newest().reveal(), &[5; 32]);
    assert!(!folder.path().join("seal.key").exists());
}

#[test]
fn rotations_at_once_lose_no_key() {
    let (_folder, source) = folder();
    source.open().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| source.rotate().unwrap());
        }
    });
    assert_eq!(source.open().unwrap().keys().len(), 9);
}

#[cfg(unix)]
#[test]
fn a_ring_that_others_can_read_is_refused_with_the_command_that_mends_it() {
    let (folder, source) = folder();
    source.open().unwrap();
    let path = folder.path().join("keys.toml");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let refused = source.open().unwrap_err().to_string();
    assert!(refused.contains(&format!("chmod 600 {}", path.display())), "{refused}");
    assert!(source.rotate().is_err());
}

#[test]
fn a_named_ring_is_never_made_by_itself_but_by_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let source = Source::File(folder.path().join("shared.toml"));
    assert!(source.open().unwrap_err().to_string().contains("keys rotate"));
    let ring = source.rotate().unwrap();
    assert_eq!(source.open().unwrap(), ring);
}

#[test]
fn the_environment_gives_a_whole_ring_and_is_not_rotated() {
    let (folder, kept) = folder();
    let ring = kept.rotate().unwrap();
    let source = Source::Text(std::fs::read_to_string(folder.path().join("keys.toml")).unwrap());
    assert_eq!(source.open().unwrap(), ring);
    assert!(source.rotate().unwrap_err().to_string().contains("ESPALIER_KEYS"));
}

#[test]
fn what_is_no_ring_is_refused_without_a_word_of_it() {
    let secret = "5ec2e7".repeat(10);
    let entry = |secret: &str| {
        format!(
            "[[key]]\nid = \"key_a\"\npurpose = \"seal\"\ncreated = \"2026-11-21T00:00:00Z\"\nsecret = \"{secret}\"\n"
        )
    };
    let twice = entry(&"ab".repeat(32)).repeat(2);
    let texts =
        ["".to_owned(), secret.clone(), entry(&secret), entry("zz"), twice, format!("{}more = 1\n", entry(&secret))];
    for text in texts {
        let refused = format!("{:#} {:?}", parse(&text).unwrap_err(), parse(&text).unwrap_err());
        assert!(!refused.contains("5ec2e7"), "{refused}");
    }
    let listed = format!("{:?}", parse(&entry(&"ab".repeat(32))).unwrap());
    assert!(!listed.contains("abab"), "{listed}");
}

#[tokio::test]
async fn a_rotation_comes_into_force_without_a_restart_and_a_broken_file_does_not() {
    let (folder, source) = folder();
    let keys = Keys::new(source.open().unwrap());
    source.clone().watch(&keys);
    // The task listens before it first waits.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let rotated = source.rotate().unwrap();
    #[cfg(unix)]
    {
        let myself = std::process::id().to_string();
        assert!(std::process::Command::new("kill").args(["-HUP", &myself]).status().unwrap().success());
    }
    let in_time = async {
        while keys.current() != rotated {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), in_time).await.unwrap();
    crate::settings::replace_private(&folder.path().join("keys.toml"), b"broken").unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(keys.current(), rotated);
}
