;; One plants a mark all over its memory, table, globals and stack; the next looks for it.
;; @operation plant
;; @operation look
(module
  (global $mark (mut i32) (i32.const 0))
  (data (i32.const 2000) "{\"found\":true}")
  (data (i32.const 2020) "{\"found\":false}")
  (func (export "espalier:hostile/operations#plant") (param i32 i32) (result i32)
    (global.set $mark (i32.const 0x5ec2e7))
    (drop (memory.grow (i32.const 40)))
    (memory.fill (i32.const 196608) (i32.const 0xa7) (i32.const 2600000))
    (call $done))
  (func (export "espalier:hostile/operations#look") (param i32 i32) (result i32)
    (local $at i32)
    (if (i32.ne (global.get $mark) (i32.const 0)) (then (return (call $answer (i32.const 2000) (i32.const 14)))))
    (drop (memory.grow (i32.const 40)))
    (local.set $at (i32.const 196608))
    (loop $next
      (if (i64.eq (i64.load (local.get $at)) (i64.const 0xa7a7a7a7a7a7a7a7))
        (then (return (call $answer (i32.const 2000) (i32.const 14)))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 2790000))))
    (call $answer (i32.const 2020) (i32.const 15))))
