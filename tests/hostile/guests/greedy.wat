;; Makes the host work and remember as much as it can be made to, for the price of one call.
;; @collection notes
;; @operation memory write
;; @operation rows write
;; @operation reads write
;; @operation quotes
;; @operation blobs write
(module
  (import "espalier:module/records@1.0.0" "scan" (func $scan (param i32 i32)))
  (import "espalier:module/records-write@1.0.0" "put-many" (func $put (param i32 i32 i32 i32 i32)))
  (import "espalier:module/quotes@1.0.0" "seal" (func $seal (param i32 i32 i32)))
  (import "espalier:module/blobs-write@1.0.0" "write" (func $blob (param i32 i32 i32 i32 i32)))
  (data (i32.const 2000) "notes")
  (data (i32.const 2010) "blob-0")
  ;; A tab, a body and a newline: a record of four bytes.
  (data (i32.const 2020) "\09{}\0a")
  ;; The query of a scan: the collection, no index, no bounds, up, a thousand rows.
  (data (i32.const 2100) "\d0\07\00\00\05\00\00\00")
  (data (i32.const 2168) "\e8\03\00\00")
  ;; Grows the memory until this address is in it, and fills it from the third page on with a pattern of four bytes.
  (func $fill (param $to i32) (param $pattern i32)
    (local $at i32)
    (loop $more
      (if (i32.gt_u (local.get $to) (i32.mul (memory.size) (i32.const 65536)))
        (then (if (i32.eq (memory.grow (i32.const 16)) (i32.const -1)) (then unreachable)) (br $more))))
    (local.set $at (i32.const 196608))
    (loop $next
      (i32.store (local.get $at) (local.get $pattern))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $to)))))
  (func (export "espalier:hostile/operations#memory") (param i32 i32) (result i32)
    (local $size i32)
    (loop $more
      (local.set $size (i32.mul (memory.size) (i32.const 65536)))
      (drop (memory.grow (i32.const 16)))
      (memory.fill (local.get $size) (i32.const 1) (i32.const 1048576))
      (br $more))
    unreachable)
  (func (export "espalier:hostile/operations#rows") (param i32 i32) (result i32)
    ;; Three million records in 12 MiB.
    (call $fill (i32.const 12779520) (i32.load (i32.const 2020)))
    (call $put (i32.const 2000) (i32.const 5) (i32.const 196608) (i32.const 12582912) (i32.const 3000))
    (call $done))
  (func (export "espalier:hostile/operations#reads") (param i32 i32) (result i32)
    (local $at i32)
    ;; Fifteen rows of a quarter of a megabyte, which are then read for as long as it is permitted.
    (call $fill (i32.const 4259840) (i32.const 0x61616161))
    (local.set $at (i32.const 196608))
    (loop $row
      (i32.store (local.get $at) (i32.const 0x22227b09))
      (i32.store (i32.add (local.get $at) (i32.const 4)) (i32.const 0x6161223a))
      (i32.store (i32.add (local.get $at) (i32.const 249996)) (i32.const 0x0a7d2261))
      (local.set $at (i32.add (local.get $at) (i32.const 250000)))
      (br_if $row (i32.lt_u (local.get $at) (i32.const 3946608))))
    (call $put (i32.const 2000) (i32.const 5) (i32.const 196608) (i32.const 3750000) (i32.const 3000))
    (if (i32.load8_u (i32.const 3000)) (then unreachable))
    (loop $again (call $scan (i32.const 2100) (i32.const 3000)) (br $again))
    unreachable)
  (func (export "espalier:hostile/operations#quotes") (param i32 i32) (result i32)
    (call $fill (i32.const 1245184) (i32.const 0x312c312c))
    (i32.store8 (i32.const 196608) (i32.const 0x5b))
    (i32.store8 (i32.const 1245182) (i32.const 0x20))
    (i32.store8 (i32.const 1245183) (i32.const 0x5d))
    (loop $again (call $seal (i32.const 196608) (i32.const 1048576) (i32.const 3000)) (br $again))
    unreachable)
  (func (export "espalier:hostile/operations#blobs") (param i32 i32) (result i32)
    (local $at i32) (local $seed i32)
    (call $fill (i32.const 8585216) (i32.const 0))
    (local.set $at (i32.const 196608))
    (local.set $seed (i32.const 7))
    (loop $next
      (local.set $seed (i32.add (i32.mul (local.get $seed) (i32.const 1664525)) (i32.const 1013904223)))
      (i32.store (local.get $at) (local.get $seed))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 8585216))))
    (loop $again
      (call $blob (i32.const 2010) (i32.const 6) (i32.const 196608) (i32.const 8388608) (i32.const 3000))
      (i32.store8 (i32.const 2015) (i32.add (i32.load8_u (i32.const 2015)) (i32.const 1)))
      (br $again))
    unreachable))
