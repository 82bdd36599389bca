;; Computes long before anybody calls it: 60 million instructions in its start function.
;; @operation never
(module
  (func $start (local $left i32)
    (local.set $left (i32.const 10000000))
    (loop $again
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $again (local.get $left))))
  (start $start)
  (func (export "espalier:hostile/operations#never") (param i32 i32) (result i32) (call $done)))
