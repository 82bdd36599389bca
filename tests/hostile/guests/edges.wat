;; Opens uploads and makes links and shares whatever its kind says, and sends visitors where no link may.
;; @operation open
;; @operation open_write write
;; @operation link
;; @operation link_write write
;; @operation script write
;; @operation state
;; @operation publish
;; @operation publish_write write
;; @operation publish_with_grant
;; @operation publish_with_grant_write write
;; @operation guard
;; @operation guard_write write
;; @operation guarded write
;; @operation revoke
;; @operation nothing
(module
  (import "espalier:module/uploads-write@1.0.0" "open" (func $open (param i32 i32 i64 i32 i32 i32 i32)))
  (import "espalier:module/links-write@1.0.0" "create" (func $create (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i64 i32)))
  (import "espalier:module/links-write@1.0.0" "set-state" (func $state (param i32 i32 i32 i32)))
  (import "espalier:module/shares-write@1.0.0" "publish" (func $publish (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "espalier:module/shares-write@1.0.0" "publish-with-grant" (func $bound (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "espalier:module/guarded-shares-write@1.0.0" "publish" (func $guarded (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "espalier:module/blobs-write@1.0.0" "write" (func $blob (param i32 i32 i32 i32 i32)))
  (import "espalier:module/shares-write@1.0.0" "revoke" (func $revoke (param i32 i32 i32)))
  (import "espalier:module/uploads@1.0.0" "read" (func $read (param i32 i32 i64 i32 i32)))
  (import "espalier:module/links@1.0.0" "get" (func $get (param i32 i32 i32)))
  (data (i32.const 2000) "text/csv")
  ;; A list of one text: where it is and its eight bytes.
  (data (i32.const 2016) "\d0\07\00\00\08\00\00\00")
  (data (i32.const 2030) "https://shop.example/")
  (data (i32.const 2060) "javascript:alert(1)")
  (data (i32.const 2080) "spring")
  ;; A file of 1,000 bytes for a minute; the result at 3000, its first byte 1 when the host refused.
  (func $ask (call $open (i32.const 2080) (i32.const 6) (i64.const 1000) (i32.const 2016) (i32.const 1) (i32.const 60) (i32.const 3000)))
  (func $link (param $target i32) (param $length i32)
    (call $create (local.get $target) (local.get $length) (i32.const 2080) (i32.const 6)
      (i32.const 1) (i32.const 2080) (i32.const 6) (i32.const 0) (i32.const 0) (i64.const 0) (i32.const 3000)))
  (func $share (call $publish (i32.const 2080) (i32.const 6) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 60) (i32.const 3000)))
  (func $share-bound (call $bound (i32.const 2080) (i32.const 6) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 60) (i32.const 3000)))
  ;; A spreadsheet for a minute, behind the passcode of a handle.
  (func $guard (param $handle i32) (param $length i32)
    (call $guarded (i32.const 2080) (i32.const 6) (i32.const 5) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 60)
      (i32.const 1) (local.get $handle) (local.get $length) (i32.const 0) (i32.const 3000)))
  (func $taken (if (i32.load8_u (i32.const 3000)) (then unreachable)))
  (func $refused (if (i32.eqz (i32.load8_u (i32.const 3000))) (then unreachable)))
  (func (export "espalier:hostile/operations#open") (param i32 i32) (result i32) (call $ask) (call $done))
  (func (export "espalier:hostile/operations#open-write") (param i32 i32) (result i32)
    (call $ask) (call $taken) (call $done))
  (func (export "espalier:hostile/operations#link") (param i32 i32) (result i32)
    (call $link (i32.const 2030) (i32.const 21)) (call $done))
  (func (export "espalier:hostile/operations#link-write") (param i32 i32) (result i32)
    (call $link (i32.const 2030) (i32.const 21)) (call $taken) (call $done))
  (func (export "espalier:hostile/operations#script") (param i32 i32) (result i32)
    (call $link (i32.const 2060) (i32.const 19)) (call $refused) (call $done))
  (func (export "espalier:hostile/operations#state") (param i32 i32) (result i32)
    (call $state (i32.const 2080) (i32.const 6) (i32.const 1) (i32.const 3000)) (call $done))
  (func (export "espalier:hostile/operations#publish") (param i32 i32) (result i32) (call $share) (call $done))
  (func (export "espalier:hostile/operations#publish-write") (param i32 i32) (result i32)
    ;; There is no such blob.
    (call $share) (call $refused) (call $done))
  (func (export "espalier:hostile/operations#publish-with-grant") (param i32 i32) (result i32) (call $share-bound) (call $done))
  (func (export "espalier:hostile/operations#publish-with-grant-write") (param i32 i32) (result i32)
    (call $share-bound) (call $refused) (call $done))
  (func (export "espalier:hostile/operations#guard") (param i32 i32) (result i32)
    (call $guard (i32.const 2080) (i32.const 6)) (call $done))
  (func (export "espalier:hostile/operations#guard-write") (param i32 i32) (result i32)
    ;; That is no handle.
    (call $blob (i32.const 2080) (i32.const 6) (i32.const 2030) (i32.const 21) (i32.const 3000))
    (call $guard (i32.const 2080) (i32.const 6)) (call $refused) (call $done))
  (func (export "espalier:hostile/operations#guarded") (param $arguments i32) (param $length i32) (result i32)
    ;; The handle stands in {"passcode":"…"}.
    (call $blob (i32.const 2080) (i32.const 6) (i32.const 2030) (i32.const 21) (i32.const 3000))
    (call $guard (i32.add (local.get $arguments) (i32.const 13)) (i32.sub (local.get $length) (i32.const 15)))
    (call $taken) (call $done))
  (func (export "espalier:hostile/operations#revoke") (param i32 i32) (result i32)
    (call $revoke (i32.const 2080) (i32.const 6) (i32.const 3000)) (call $done))
  (func (export "espalier:hostile/operations#nothing") (param i32 i32) (result i32)
    ;; What is not this module's is not there.
    (call $read (i32.const 2080) (i32.const 6) (i64.const 0) (i32.const 10) (i32.const 3000))
    (call $taken)
    (call $get (i32.const 2080) (i32.const 6) (i32.const 3000))
    (call $taken)
    (call $done)))
