//! Bytes of the boundary, recorded as bytes. Serde writes a list of bytes one at a time; pages, packed rows and blobs are
//! millions of them, and each is recorded. The encoding is the same: a length, then the bytes.

use serde::Serialize;
use serde_bytes::Bytes;

use crate::bindings::{connections, records, web};

/// A value of the boundary on its way into a recording: [`AsItIs`], or one of the types below, whose bytes are taken whole.
pub(crate) struct Packed<'a, T>(pub(crate) &'a T);

/// For every type without a form of its own here.
pub(crate) trait AsItIs<'a, T> {
    /// What serde makes of it.
    fn form(&self) -> &'a T;
}

impl<'a, T: Serialize> AsItIs<'a, T> for Packed<'a, T> {
    fn form(&self) -> &'a T {
        self.0
    }
}

impl<'a> Packed<'a, Vec<u8>> {
    pub(crate) fn form(&self) -> &'a Bytes {
        Bytes::new(self.0)
    }
}

impl<'a> Packed<'a, Option<Vec<u8>>> {
    pub(crate) fn form(&self) -> Option<&'a Bytes> {
        self.0.as_deref().map(Bytes::new)
    }
}

/// A type's own members in their order, with its bytes as [`Bytes`].
macro_rules! form {
    ($name:ident of $type:ty { $($before:ident: $before_type:ty,)* [$bytes:ident] $(, $after:ident: $after_type:ty)* }) => {
        #[derive(Serialize)]
        pub(crate) struct $name<'a> {
            $($before: &'a $before_type,)*
            $bytes: &'a Bytes,
            $($after: &'a $after_type,)*
        }

        impl<'a> From<&'a $type> for $name<'a> {
            fn from(it: &'a $type) -> Self {
                Self { $($before: &it.$before,)* $bytes: Bytes::new(&it.$bytes), $($after: &it.$after,)* }
            }
        }
    };
}

form!(Chunk of records::Chunk { [rows], count: u32, next: Option<String> });
form!(Page of web::Response {
    url: String, status: u16, headers: Vec<(String, String)>, hops: Vec<web::Hop>, [body], truncated: bool,
    timing: web::Timing, cached: web::Cached, age: u32
});
form!(Answer of connections::Response {
    status: u16, headers: Vec<(String, String)>, [body], truncated: bool, total_ms: u32
});

impl<'a> Packed<'a, Result<records::Chunk, records::RecordsError>> {
    pub(crate) fn form(&self) -> Result<Chunk<'a>, &'a records::RecordsError> {
        self.0.as_ref().map(Chunk::from)
    }
}

impl<'a> Packed<'a, Result<web::Response, web::Failure>> {
    pub(crate) fn form(&self) -> Result<Page<'a>, &'a web::Failure> {
        self.0.as_ref().map(Page::from)
    }
}

impl<'a> Packed<'a, Vec<Result<web::Response, web::Failure>>> {
    pub(crate) fn form(&self) -> Vec<Result<Page<'a>, &'a web::Failure>> {
        self.0.iter().map(|it| Packed(it).form()).collect()
    }
}

impl<'a> Packed<'a, Result<connections::Response, connections::Failure>> {
    pub(crate) fn form(&self) -> Result<Answer<'a>, &'a connections::Failure> {
        self.0.as_ref().map(Answer::from)
    }
}

impl<'a> Packed<'a, Vec<Result<connections::Response, connections::Failure>>> {
    pub(crate) fn form(&self) -> Vec<Result<Answer<'a>, &'a connections::Failure>> {
        self.0.iter().map(|it| Packed(it).form()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is recorded of a value is what serde makes of it: recordings of before are read as they were.
    macro_rules! same {
        ($value:expr) => {{
            let value = $value;
            let plain = postcard::to_stdvec(&value).unwrap();
            assert_eq!(postcard::to_stdvec(&Packed(&value).form()).unwrap(), plain);
        }};
    }

    fn page(body: &[u8]) -> web::Response {
        web::Response {
            url: "https://a.example/".to_owned(),
            status: 200,
            headers: vec![("etag".to_owned(), "\"1\"".to_owned())],
            hops: vec![web::Hop { url: "http://a.example/".to_owned(), status: 301, location: "/".to_owned() }],
            body: body.to_vec(),
            truncated: true,
            timing: web::Timing { dns_ms: 1, connect_ms: 2, first_byte_ms: 3, total_ms: 400 },
            cached: web::Cached::Revalidated,
            age: 70,
        }
    }

    fn answer(body: &[u8]) -> connections::Response {
        let headers = vec![("link".to_owned(), "<2>".to_owned())];
        connections::Response { status: 429, headers, body: body.to_vec(), truncated: false, total_ms: 9 }
    }

    #[test]
    fn bytes_are_recorded_as_serde_would_write_them_one_by_one() {
        let bytes: Vec<u8> = (0..=255).cycle().take(70_000).collect();
        same!(bytes.clone());
        same!(Vec::<u8>::new());
        same!(Some(bytes.clone()));
        same!(None::<Vec<u8>>);
        same!("a text".to_owned());
        let chunk = records::Chunk { rows: bytes.clone(), count: 3, next: Some("next".to_owned()) };
        same!(Ok::<_, records::RecordsError>(chunk));
        same!(Err::<records::Chunk, _>(records::RecordsError::Undeclared("a".to_owned())));
        same!(Ok::<_, web::Failure>(page(&bytes)));
        same!(vec![Ok(page(&bytes)), Err(web::Failure::Paced(7)), Ok(page(b""))]);
        same!(Ok::<_, connections::Failure>(answer(&bytes)));
        same!(vec![Ok(answer(&bytes)), Err(connections::Failure::Refused)]);
    }
}
