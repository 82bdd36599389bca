;; A component of another toolchain that asks for sockets: no lock can grant them.
;; @operation dial
(module
  (import "wasi:sockets/instance-network@0.2.0" "instance-network" (func $network (result i32)))
  (func (export "espalier:hostile/operations#dial") (param i32 i32) (result i32)
    (drop (call $network)) (call $done)))
