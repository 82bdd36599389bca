;; Calls the host without end: lines of log, questions for the time, random bytes, cached data, waits.
;; @operation log
;; @operation calls
;; @operation random
;; @operation cache
;; @operation wait
;; @operation transfer
(module
  (import "espalier:module/log@1.0.0" "write" (func $log (param i32 i32 i32)))
  (import "espalier:module/clock@1.0.0" "now" (func $now (result i64)))
  (import "espalier:module/clock@1.0.0" "wait" (func $wait (param i32)))
  (import "espalier:module/random@1.0.0" "bytes" (func $bytes (param i32 i32)))
  (import "espalier:module/cache@1.0.0" "put" (func $put (param i32 i32 i32 i32 i32)))
  (func (export "espalier:hostile/operations#log") (param i32 i32) (result i32)
    (loop $again (call $log (i32.const 1) (i32.const 0) (i32.const 200)) (br $again))
    (call $done))
  (func (export "espalier:hostile/operations#calls") (param i32 i32) (result i32)
    (loop $again (drop (call $now)) (br $again))
    (call $done))
  (func (export "espalier:hostile/operations#random") (param i32 i32) (result i32)
    (loop $again (call $bytes (i32.const 60000) (i32.const 2048)) (br $again))
    (call $done))
  (func (export "espalier:hostile/operations#cache") (param i32 i32) (result i32)
    (drop (memory.grow (i32.const 32)))
    (loop $again
      (call $put (i32.const 1100) (i32.const 2) (i32.const 0) (i32.const 1000000) (i32.const 60))
      (br $again))
    (call $done))
  (func (export "espalier:hostile/operations#wait") (param i32 i32) (result i32)
    (loop $again (call $wait (i32.const 30000)) (br $again))
    (call $done))
  (func (export "espalier:hostile/operations#transfer") (param i32 i32) (result i32)
    (drop (memory.grow (i32.const 128)))
    (call $log (i32.const 1) (i32.const 0) (i32.const 6000000))
    (call $done)))
