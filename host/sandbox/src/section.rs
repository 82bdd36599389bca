//! Finding, appending and replacing sections of a component, without parsing the rest.

use std::ops::Range;

/// Magic number, version and layer.
const HEADER: usize = 8;

/// A top-level section.
struct Section {
    id: u8,
    whole: Range<usize>,
    content: Range<usize>,
}

/// Why the bytes are rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// The bytes do not follow the binary format.
    #[error("the component is malformed at byte {0}")]
    Malformed(usize),
    /// The section occurs more than once.
    #[error("the component has the section {0} twice")]
    Twice(String),
}

/// The content of the custom section with this name.
pub(crate) fn custom<'a>(component: &'a [u8], name: &str) -> Result<Option<&'a [u8]>, SectionError> {
    let mut found = None;
    for section in sections(component)? {
        if let Some(content) = named(component, &section, name)?
            && found.replace(content).is_some()
        {
            return Err(SectionError::Twice(name.to_owned()));
        }
    }
    Ok(found)
}

/// Appends a custom section, replacing an earlier one with the same name.
pub(crate) fn with_custom(component: &[u8], name: &str, content: &[u8]) -> Result<Vec<u8>, SectionError> {
    let mut bytes = component.get(..HEADER).ok_or(SectionError::Malformed(0))?.to_vec();
    for section in sections(component)? {
        if named(component, &section, name)?.is_none() {
            bytes.extend_from_slice(&component[section.whole]);
        }
    }
    let mut body = Vec::with_capacity(name.len() + content.len() + 5);
    write_length(&mut body, name.len());
    body.extend_from_slice(name.as_bytes());
    body.extend_from_slice(content);
    bytes.push(0);
    write_length(&mut bytes, body.len());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Replaces the content of the section whose content is at `at`. Without content, the section is removed.
pub(crate) fn with_content(component: &[u8], at: usize, content: Option<&[u8]>) -> Result<Vec<u8>, SectionError> {
    let mut bytes = component.get(..HEADER).ok_or(SectionError::Malformed(0))?.to_vec();
    for section in sections(component)? {
        if section.content.start != at {
            bytes.extend_from_slice(&component[section.whole]);
        } else if let Some(content) = content {
            bytes.push(section.id);
            write_length(&mut bytes, content.len());
            bytes.extend_from_slice(content);
        }
    }
    Ok(bytes)
}

fn sections(component: &[u8]) -> Result<Vec<Section>, SectionError> {
    let mut sections = Vec::new();
    let mut at = HEADER;
    while at < component.len() {
        let start = at;
        let id = component[at];
        let (length, content) = read_length(component, at + 1)?;
        let end = content.checked_add(length).filter(|end| *end <= component.len());
        at = end.ok_or(SectionError::Malformed(start))?;
        sections.push(Section { id, whole: start..at, content: content..at });
    }
    Ok(sections)
}

fn named<'a>(component: &'a [u8], section: &Section, name: &str) -> Result<Option<&'a [u8]>, SectionError> {
    if section.id != 0 {
        return Ok(None);
    }
    let (length, start) = read_length(component, section.content.start)?;
    let end = start.checked_add(length).filter(|end| *end <= section.content.end);
    let end = end.ok_or(SectionError::Malformed(section.content.start))?;
    Ok((component[start..end] == *name.as_bytes()).then(|| &component[end..section.content.end]))
}

/// Decodes LEB128 of at most five bytes, as in the binary format. Returns the value and the offset of the next byte.
fn read_length(bytes: &[u8], mut at: usize) -> Result<(usize, usize), SectionError> {
    let start = at;
    let mut value = 0u64;
    for shift in [0, 7, 14, 21, 28] {
        let byte = *bytes.get(at).ok_or(SectionError::Malformed(start))?;
        at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let value = u32::try_from(value).map_err(|_| SectionError::Malformed(start))?;
            return Ok((value as usize, at));
        }
    }
    Err(SectionError::Malformed(start))
}

/// Appends a LEB128 length.
pub(crate) fn write_length(bytes: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = u8::try_from(value & 0x7f).expect("seven bits");
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}
