;; Sends mail through a customer's server that it may not send, in every way that it can be tried.
;; @operation fine write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation in_read read needs=connection:smtp
;; @operation no_line write needs=connection:smtp
;; @operation other_class write needs=connection:smtp outside=smtp_SEND_/list_change
;; @operation needless write
;; @operation stranger write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation other_kind write needs=connection:any outside=smtp_SEND_/transactional_change
;; @operation crlf_subject write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation crlf_recipient write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation crlf_name write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation two_of_a_list write needs=connection:smtp outside=smtp_SEND_/list_change
;; @operation flood write needs=connection:smtp outside=smtp_SEND_/transactional_change
(module
  ;; More than sixteen values travel as a record: where it is, and where the result goes.
  (import "espalier:module/mail@1.0.0" "send" (func $send (param i32 i32)))
  (data (i32.const 2000) "con_mine")
  (data (i32.const 2010) "con_other")
  (data (i32.const 2020) "con_blog")
  (data (i32.const 2100) "bob@shop.example")
  (data (i32.const 2120) "eve@shop.example")
  (data (i32.const 2200) "bob@shop.example>\0d\0aRCPT TO:<eve@evil.example")
  (data (i32.const 2300) "A lamp")
  (data (i32.const 2320) "A lamp\0d\0aBcc: eve@evil.example")
  (data (i32.const 2400) "Hello")
  ;; The record at 4000: connection 0, class 8, from-name 12, to 24, reply-to 32, subject 44, text 52, html 60,
  ;; in-reply-to 72, references 84, attachments 92. One recipient stands at 4104, a second one at 4112.
  (func $message (param $connection i32) (param $length i32)
    (i32.store (i32.const 4000) (local.get $connection))
    (i32.store (i32.const 4004) (local.get $length))
    (i32.store (i32.const 4024) (i32.const 4104))
    (i32.store (i32.const 4028) (i32.const 1))
    (i32.store (i32.const 4104) (i32.const 2100))
    (i32.store (i32.const 4108) (i32.const 16))
    (i32.store (i32.const 4112) (i32.const 2120))
    (i32.store (i32.const 4116) (i32.const 16))
    (i32.store (i32.const 4044) (i32.const 2300))
    (i32.store (i32.const 4048) (i32.const 6))
    (i32.store (i32.const 4052) (i32.const 2400))
    (i32.store (i32.const 4056) (i32.const 5)))
  (func $mine (call $message (i32.const 2000) (i32.const 8)))
  ;; Answers nothing of a message that went out, and of a failure its number: the result is a variant of eight bytes'
  ;; alignment.
  (data (i32.const 3600) "{\"failure\":00}")
  (func $told (result i32)
    (local $number i32)
    (call $send (i32.const 4000) (i32.const 4200))
    (if (i32.eqz (i32.load8_u (i32.const 4200))) (then (return (call $done))))
    (local.set $number (i32.load8_u (i32.const 4208)))
    (if (i32.ge_u (local.get $number) (i32.const 10))
      (then
        (i32.store8 (i32.const 3611) (i32.const 49))
        (i32.store8 (i32.const 3612) (i32.add (i32.const 38) (local.get $number)))
        (return (call $answer (i32.const 3600) (i32.const 14)))))
    (i32.store8 (i32.const 3611) (i32.add (i32.const 48) (local.get $number)))
    (i32.store8 (i32.const 3612) (i32.const 125))
    (call $answer (i32.const 3600) (i32.const 13)))
  (func (export "espalier:hostile/operations#fine") (param i32 i32) (result i32) (call $mine) (call $told))
  (func (export "espalier:hostile/operations#in-read") (param i32 i32) (result i32) (call $mine) (call $told))
  (func (export "espalier:hostile/operations#no-line") (param i32 i32) (result i32) (call $mine) (call $told))
  (func (export "espalier:hostile/operations#other-class") (param i32 i32) (result i32) (call $mine) (call $told))
  (func (export "espalier:hostile/operations#needless") (param i32 i32) (result i32) (call $mine) (call $told))
  (func (export "espalier:hostile/operations#stranger") (param i32 i32) (result i32)
    (call $message (i32.const 2010) (i32.const 9)) (call $told))
  (func (export "espalier:hostile/operations#other-kind") (param i32 i32) (result i32)
    (call $message (i32.const 2020) (i32.const 8)) (call $told))
  (func (export "espalier:hostile/operations#crlf-subject") (param i32 i32) (result i32)
    (call $mine)
    (i32.store (i32.const 4044) (i32.const 2320))
    (i32.store (i32.const 4048) (i32.const 29))
    (call $told))
  (func (export "espalier:hostile/operations#crlf-recipient") (param i32 i32) (result i32)
    (call $mine)
    (i32.store (i32.const 4104) (i32.const 2200))
    (i32.store (i32.const 4108) (i32.const 44))
    (call $told))
  (func (export "espalier:hostile/operations#crlf-name") (param i32 i32) (result i32)
    (call $mine)
    (i32.store8 (i32.const 4012) (i32.const 1))
    (i32.store (i32.const 4016) (i32.const 2320))
    (i32.store (i32.const 4020) (i32.const 29))
    (call $told))
  (func (export "espalier:hostile/operations#two-of-a-list") (param i32 i32) (result i32)
    (call $mine)
    (i32.store8 (i32.const 4008) (i32.const 1))
    (i32.store (i32.const 4028) (i32.const 2))
    (call $told))
  (func (export "espalier:hostile/operations#flood") (param i32 i32) (result i32)
    (call $mine)
    (loop $again (call $send (i32.const 4000) (i32.const 4200)) (br $again))
    (call $done)))
