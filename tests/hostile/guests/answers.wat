;; Gives back what no answer may be.
;; @operation giant
;; @operation huge
;; @operation deep
;; @operation text
;; @operation unclosed
;; @operation outside
;; @operation bytes
;; @operation panic
;; @operation refuse
;; @operation fine
(module
  (data (i32.const 2000) "hello")
  (data (i32.const 2010) "{\"a\":")
  (data (i32.const 2020) "\ff\fe{}")
  (data (i32.const 2030) "no\0apage\1b[31m")
  (data (i32.const 2050) "Not A Code")
  (func (export "espalier:hostile/operations#giant") (param i32 i32) (result i32)
    (drop (memory.grow (i32.const 32)))
    (call $answer (i32.const 200000) (i32.const 1500000)))
  (func (export "espalier:hostile/operations#huge") (param i32 i32) (result i32)
    (drop (memory.grow (i32.const 300)))
    (call $answer (i32.const 0) (i32.const 19000000)))
  (func (export "espalier:hostile/operations#deep") (param i32 i32) (result i32)
    (local $at i32)
    (drop (memory.grow (i32.const 2)))
    (i32.store8 (i32.const 200000) (i32.const 0x7b))
    (i32.store8 (i32.const 200001) (i32.const 0x22))
    (i32.store8 (i32.const 200002) (i32.const 0x22))
    (i32.store8 (i32.const 200003) (i32.const 0x3a))
    (memory.fill (i32.const 200004) (i32.const 0x5b) (i32.const 50000))
    (memory.fill (i32.const 250004) (i32.const 0x5d) (i32.const 50000))
    (i32.store8 (i32.const 300004) (i32.const 0x7d))
    (call $answer (i32.const 200000) (i32.const 100005)))
  (func (export "espalier:hostile/operations#text") (param i32 i32) (result i32)
    (call $answer (i32.const 2000) (i32.const 5)))
  (func (export "espalier:hostile/operations#unclosed") (param i32 i32) (result i32)
    (call $answer (i32.const 2010) (i32.const 5)))
  (func (export "espalier:hostile/operations#outside") (param i32 i32) (result i32)
    (call $answer (i32.const 0x7fffff00) (i32.const 100)))
  (func (export "espalier:hostile/operations#bytes") (param i32 i32) (result i32)
    (call $answer (i32.const 2020) (i32.const 4)))
  (func (export "espalier:hostile/operations#panic") (param i32 i32) (result i32)
    unreachable)
  (func (export "espalier:hostile/operations#refuse") (param i32 i32) (result i32)
    ;; err(fault { kind: invalid, code: "Not A Code", message, pointer: none, detail: none })
    (i32.store8 (i32.const 1024) (i32.const 1))
    (i32.store8 (i32.const 1032) (i32.const 1))
    (i32.store (i32.const 1036) (i32.const 2050))
    (i32.store (i32.const 1040) (i32.const 10))
    (i32.store (i32.const 1044) (i32.const 2030))
    (i32.store (i32.const 1048) (i32.const 12))
    (i32.store8 (i32.const 1052) (i32.const 0))
    (i32.store8 (i32.const 1064) (i32.const 0))
    (i32.const 1024))
  (func (export "espalier:hostile/operations#fine") (param i32 i32) (result i32)
    (call $done)))
