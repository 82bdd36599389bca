;; Grows its memory until somebody says no, and then its tables.
;; @operation memory
;; @operation table
(module
  (table $table 1 funcref)
  (func (export "espalier:hostile/operations#memory") (param i32 i32) (result i32)
    (loop $again
      (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
    (call $done))
  (func (export "espalier:hostile/operations#table") (param i32 i32) (result i32)
    (loop $again
      (br_if $again (i32.ne (table.grow $table (ref.null func) (i32.const 1000)) (i32.const -1))))
    (call $done)))
