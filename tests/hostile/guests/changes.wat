;; Changes things whatever its kind says, and starts work.
;; @operation insert
;; @operation insert_write write
;; @operation flood write
;; @operation remove_write write
;; @operation remove_permitted write
;; @operation remove_destructive destructive
;; @operation blob
;; @operation enqueue_read
;; @operation enqueue_immediate job
;; @operation enqueue_queued job queued step=run
;; @operation undeclared write
;; @step run
;; @collection notes
;; @collection drafts
(module
  (import "espalier:module/records-write@1.0.0" "insert" (func $insert (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "espalier:module/records-write@1.0.0" "remove" (func $remove (param i32 i32 i32 i32 i64 i32)))
  (import "espalier:module/blobs-write@1.0.0" "write" (func $blob (param i32 i32 i32 i32 i32)))
  (import "espalier:module/jobs-write@1.0.0" "enqueue" (func $enqueue (param i32 i32 i32 i32 i32)))
  (data (i32.const 2000) "notes")
  (data (i32.const 2010) "drafts")
  (data (i32.const 2020) "run")
  (data (i32.const 2030) "secrets")
  (data (i32.const 2040) "{\"a\":1}")
  (func $put (param $name i32) (param $length i32)
    (call $insert (local.get $name) (local.get $length) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 2040) (i32.const 7) (i32.const 3000)))
  (func $start (result i32)
    (call $enqueue (i32.const 2020) (i32.const 3) (i32.const 2040) (i32.const 7) (i32.const 3000))
    (call $done))
  (func $take (param $name i32) (param $length i32) (result i32)
    (call $remove (local.get $name) (local.get $length) (i32.const 2020) (i32.const 3) (i64.const 1) (i32.const 3000))
    (call $done))
  (func (export "espalier:hostile/operations#insert") (param i32 i32) (result i32)
    (call $put (i32.const 2000) (i32.const 5)) (call $done))
  (func (export "espalier:hostile/operations#insert-write") (param i32 i32) (result i32)
    (call $put (i32.const 2000) (i32.const 5)) (call $done))
  (func (export "espalier:hostile/operations#undeclared") (param i32 i32) (result i32)
    ;; The first byte of the result: 1 when the host refused.
    (call $put (i32.const 2030) (i32.const 7))
    (if (i32.eqz (i32.load8_u (i32.const 3000))) (then unreachable))
    (call $done))
  (func (export "espalier:hostile/operations#flood") (param i32 i32) (result i32)
    (loop $again (call $put (i32.const 2000) (i32.const 5)) (br $again))
    (call $done))
  (func (export "espalier:hostile/operations#remove-write") (param i32 i32) (result i32)
    (call $take (i32.const 2000) (i32.const 5)))
  (func (export "espalier:hostile/operations#remove-permitted") (param i32 i32) (result i32)
    (call $take (i32.const 2010) (i32.const 6)))
  (func (export "espalier:hostile/operations#remove-destructive") (param i32 i32) (result i32)
    (call $take (i32.const 2000) (i32.const 5)))
  (func (export "espalier:hostile/operations#blob") (param i32 i32) (result i32)
    (call $blob (i32.const 2000) (i32.const 5) (i32.const 2040) (i32.const 7) (i32.const 3000)) (call $done))
  (func (export "espalier:hostile/operations#enqueue-read") (param i32 i32) (result i32) (call $start))
  (func (export "espalier:hostile/operations#enqueue-immediate") (param i32 i32) (result i32) (call $start))
  (func (export "espalier:hostile/operations#enqueue-queued") (param i32 i32) (result i32) (call $start))
  (func (export "espalier:hostile/steps#run") (param i32 i32) (result i32) (call $done)))
