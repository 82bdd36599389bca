;; Calls itself until its stack ends.
;; @operation recurse
(module
  (func $deeper (param i32) (result i32)
    (i32.add (i32.const 1) (call $deeper (i32.add (local.get 0) (i32.const 1)))))
  (func (export "espalier:hostile/operations#recurse") (param i32 i32) (result i32)
    (drop (call $deeper (i32.const 0)))
    (call $done)))
