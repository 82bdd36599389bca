//! Tests of the rejections before a component is read, and of their error messages.

use super::{InspectError, inspect};

#[test]
fn what_is_no_webassembly_is_called_so() {
    for bytes in [&b""[..], b"\0as", b"[module]\nname = \"plain\"", b"\x7fELF\x02\x01\x01\0"] {
        let refused = inspect(bytes).expect_err("refused");
        assert!(matches!(refused, InspectError::NotWasm), "{bytes:?}: {refused}");
    }
}

#[test]
fn a_core_module_is_told_from_a_component() {
    let core = wat::parse_str("(module (func (export \"f\")))").expect("a module");
    let refused = inspect(&core).expect_err("refused");
    assert!(matches!(refused, InspectError::Core), "{refused}");
    let component = wat::parse_str("(component)").expect("a component");
    let refused = inspect(&component).expect_err("refused");
    assert!(matches!(refused, InspectError::NoContracts), "{refused}");
}
