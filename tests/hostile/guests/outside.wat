;; Asks the inside of the host's network, once and without end.
;; @operation metadata read needs=web
;; @operation undeclared
;; @operation flood read needs=web
;; @operation together read needs=web
;; @step run
(module
  (import "espalier:module/web@1.0.0" "fetch-many" (func $fetch_many (param i32 i32 i32)))
  (import "espalier:module/web@1.0.0" "fetch" (func $fetch (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (data (i32.const 2000) "http://169.254.169.254/latest/meta-data/")
  (data (i32.const 2100) "{\"failure\":0}")
  (data (i32.const 2200) "http://silent.example/")
  ;; fetch(method: get, url, headers: [], follow: 5, max-bytes: 65536, timeout-ms: 5000, freshness: fresh), the response at 3000
  (func $ask
    (call $fetch (i32.const 0) (i32.const 2000) (i32.const 40) (i32.const 0) (i32.const 0) (i32.const 5) (i32.const 65536) (i32.const 5000) (i32.const 0) (i32.const 3000)))
  ;; The answer names the failure's number: 0 is `refused`.
  (func (export "espalier:hostile/operations#metadata") (param i32 i32) (result i32)
    (call $ask)
    (if (i32.eqz (i32.load8_u (i32.const 3000))) (then unreachable))
    (i32.store8 (i32.const 2111) (i32.add (i32.const 48) (i32.load8_u (i32.const 3004))))
    (call $answer (i32.const 2100) (i32.const 13)))
  ;; A request at $at: get, the URL, no headers, follow: 0, max-bytes: 1024, timeout-ms: 30000, fresh: 36 bytes.
  (func $request (param $at i32) (param $url i32) (param $length i32)
    (i32.store (i32.add (local.get $at) (i32.const 4)) (local.get $url))
    (i32.store (i32.add (local.get $at) (i32.const 8)) (local.get $length))
    (i32.store (i32.add (local.get $at) (i32.const 24)) (i32.const 1024))
    (i32.store (i32.add (local.get $at) (i32.const 28)) (i32.const 30000)))
  ;; One address of the inside, and one that never answers.
  (func (export "espalier:hostile/operations#together") (param i32 i32) (result i32)
    (call $request (i32.const 4000) (i32.const 2000) (i32.const 40))
    (call $request (i32.const 4036) (i32.const 2200) (i32.const 22))
    (call $fetch_many (i32.const 4000) (i32.const 2) (i32.const 3000))
    (call $done))
  (func (export "espalier:hostile/steps#run") (param i32 i32) (result i32)
    (call $ask) (call $done))
  (func (export "espalier:hostile/operations#undeclared") (param i32 i32) (result i32)
    (call $ask) (call $done))
  (func (export "espalier:hostile/operations#flood") (param i32 i32) (result i32)
    (loop $again (call $ask) (br $again))
    (call $done)))
