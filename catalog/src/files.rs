//! Files that others wrote: looked at before they are read, and read no further than they may be long.
//!
//! A pipe under a component's name would wait for a writer for ever, and a file of holes takes all memory.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// Bytes of a component, at most: larger ones would do harm when they are compiled.
pub const COMPONENT: u64 = 16 << 20;
/// Bytes of a lock, a signature, an approval or another text beside them, at most.
pub const TEXT: u64 = 4 << 20;

/// The bytes of a regular file, or of what a link leads to, of at most `most` bytes.
///
/// # Errors
/// When it is not there, is no regular file, or is longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits.
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let about = file.metadata()?;
    regular(&about)?;
    let too_long = || io::Error::new(ErrorKind::FileTooLarge, format!("it is longer than {most} bytes"));
    if about.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// As [`read`], for text.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, TEXT)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

fn regular(about: &fs::Metadata) -> io::Result<()> {
    match about.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file")),
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `files`.

    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_a_folder_and_a_device_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.wasm");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
            assert_eq!(read(path, 10).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
        assert_eq!(read(&folder.path().join("none"), 10).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_file_of_holes_is_refused_by_its_length_and_one_within_bounds_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let sparse = folder.path().join("sparse.wasm");
        File::create(&sparse).unwrap().set_len(20 << 30).unwrap();
        assert_eq!(read(&sparse, COMPONENT).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let small = folder.path().join("small.toml");
        fs::write(&small, "a = 1").unwrap();
        assert_eq!(read(&small, 5).unwrap(), b"a = 1");
        assert_eq!(read_text(&small).unwrap(), "a = 1");
        assert_eq!(read(&small, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        fs::write(&small, [0xff]).unwrap();
        assert_eq!(read_text(&small).unwrap_err().kind(), ErrorKind::InvalidData);
    }
}
