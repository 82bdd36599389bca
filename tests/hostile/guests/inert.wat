;; A component of another toolchain: it asks WASI for the time, the environment, files and chance.
;; It answers whether it learnt anything of the machine.
;; @operation look
(module
  (import "wasi:clocks/wall-clock@0.2.0" "now" (func $now (param i32)))
  (import "wasi:cli/environment@0.2.0" "get-environment" (func $environment (param i32)))
  (import "wasi:cli/environment@0.2.0" "get-arguments" (func $arguments (param i32)))
  (import "wasi:filesystem/preopens@0.2.0" "get-directories" (func $directories (param i32)))
  (import "wasi:random/random@0.2.0" "get-random-u64" (func $random (result i64)))
  (data (i32.const 2000) "{\"learnt\":true}")
  (data (i32.const 2020) "{\"learnt\":false}")
  (func (export "espalier:hostile/operations#look") (param i32 i32) (result i32)
    (call $now (i32.const 3000))
    (call $environment (i32.const 3020))
    (call $arguments (i32.const 3032))
    (call $directories (i32.const 3040))
    (drop (call $random))
    ;; The host's moment, and empty lists: anything else was learnt.
    (if (i64.ne (i64.load (i32.const 3000)) (i64.const 1790000000))
      (then (return (call $answer (i32.const 2000) (i32.const 15)))))
    (if (i32.or (i32.load (i32.const 3024)) (i32.or (i32.load (i32.const 3036)) (i32.load (i32.const 3044))))
      (then (return (call $answer (i32.const 2000) (i32.const 15)))))
    (call $answer (i32.const 2020) (i32.const 16))))
