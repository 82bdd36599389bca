//! Descriptors: as many as the system lets this process have, and how many of them connections may take.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use web::listen::Bounds;

/// Descriptors that are kept for work: the database, requests to the outside, files of modules.
const FOR_WORK: usize = 512;
/// With fewer than this the log says so at the start.
const FEW: usize = 4_096;

/// Raises the soft limit of descriptors to the hard one; what connections may take then.
pub(crate) fn raise(wanted: Bounds) -> Bounds {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })
    {
        tracing::warn!(error = %error, "the limit of descriptors stays as it is");
    }
    // No limit is as many as there can be connections.
    let files = getrlimit(Resource::Nofile).current.map_or(usize::MAX, |it| usize::try_from(it).unwrap_or(usize::MAX));
    if files < FEW {
        tracing::warn!(descriptors = files, wanted = FEW, "this process may have few descriptors; raise its limit");
    }
    bounds(wanted, files)
}

/// Of few descriptors, connections take at most half.
fn bounds(wanted: Bounds, files: usize) -> Bounds {
    let left = files.saturating_sub(FOR_WORK).max(files / 2).max(1);
    let connections = wanted.connections.min(left);
    // One address never has all of them.
    let per_address = wanted.per_address.min((connections / 2).max(1));
    Bounds { connections, per_address, ..wanted }
}

#[cfg(test)]
mod tests {
    //! Tests of `descriptors`.

    use super::*;

    #[test]
    fn connections_leave_descriptors_for_work() {
        let wanted = Bounds { connections: 4_096, per_address: 256, ..Bounds::default() };
        for (files, connections) in [(1_000_000, 4_096), (4_608, 4_096), (1_024, 512), (256, 128), (1, 1)] {
            assert_eq!(bounds(wanted, files).connections, connections, "{files}");
        }
        assert_eq!((bounds(wanted, 256).per_address, bounds(wanted, 1).per_address), (64, 1));
    }
}
