;; Asks the name system and the secure side of hosts about the inside, once and without end.
;; @operation inside read needs=dns
;; @operation undeclared read needs=web
;; @operation flood read needs=dns
;; @operation many read needs=dns
;; @operation secure read needs=tls
;; @operation secure_undeclared read needs=dns
(module
  (import "espalier:module/dns@1.0.0" "lookup" (func $lookup (param i32 i32 i32 i32 i32)))
  (import "espalier:module/dns@1.0.0" "authoritative" (func $authoritative (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "espalier:module/tls@1.0.0" "inspect" (func $inspect (param i32 i32 i32 i32)))
  (data (i32.const 2000) "db.internal")
  (data (i32.const 2020) "A")
  (data (i32.const 2040) "169.254.169.254")
  (data (i32.const 2100) "{\"failure\":0}")
  (func $ask (call $lookup (i32.const 2000) (i32.const 11) (i32.const 2020) (i32.const 1) (i32.const 3000)))
  (func $look (call $inspect (i32.const 2040) (i32.const 15) (i32.const 443) (i32.const 3000)))
  ;; The answer names the failure's number.
  (func $failed (result i32)
    (if (i32.eqz (i32.load8_u (i32.const 3000))) (then unreachable))
    (i32.store8 (i32.const 2111) (i32.add (i32.const 48) (i32.load8_u (i32.const 3004))))
    (call $answer (i32.const 2100) (i32.const 13)))
  (func (export "espalier:hostile/operations#inside") (param i32 i32) (result i32) (call $ask) (call $failed))
  (func (export "espalier:hostile/operations#undeclared") (param i32 i32) (result i32) (call $ask) (call $done))
  (func (export "espalier:hostile/operations#flood") (param i32 i32) (result i32)
    (loop $again (call $ask) (br $again))
    (call $done))
  ;; Thirteen servers are more than a read may ask.
  (func (export "espalier:hostile/operations#many") (param i32 i32) (result i32)
    (call $authoritative (i32.const 2000) (i32.const 11) (i32.const 2020) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 13) (i32.const 3000))
    (call $done))
  (func (export "espalier:hostile/operations#secure") (param i32 i32) (result i32) (call $look) (call $failed))
  (func (export "espalier:hostile/operations#secure-undeclared") (param i32 i32) (result i32) (call $look) (call $done)))
