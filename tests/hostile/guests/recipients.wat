;; Asks recipients whom it may not ask, in every way that it can be tried, and looks at what they said.
;; @operation fine write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation twice write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation in_read read needs=connection:smtp
;; @operation no_line write needs=connection:smtp
;; @operation other_class write needs=connection:smtp outside=smtp_SEND_/list_change
;; @operation stranger write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation link write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation crlf_recipient write needs=connection:smtp outside=smtp_SEND_/transactional_change
;; @operation known read
(module
  (import "espalier:module/recipients-write@1.0.0" "invite" (func $invite (param i32 i32 i32 i32 i32 i32 i32)))
  (import "espalier:module/recipients@1.0.0" "state" (func $state (param i32 i32 i32)))
  (data (i32.const 2000) "con_mine")
  (data (i32.const 2010) "con_other")
  (data (i32.const 2100) "bob@shop.example")
  (data (i32.const 2200) "bob@shop.example>\0d\0aRCPT TO:<eve@evil.example")
  (data (i32.const 2300) "The weekly report")
  (data (i32.const 2400) "See evil.example")
  (data (i32.const 3500) "{\"said\":0}")
  (data (i32.const 3600) "{\"failure\":0}")
  ;; The result is a variant of eight bytes' alignment: whether it failed, and at 4208 the number of what it says.
  (func $told (result i32)
    (if (i32.load8_u (i32.const 4200))
      (then
        (i32.store8 (i32.const 3611) (i32.add (i32.const 48) (i32.load8_u (i32.const 4208))))
        (return (call $answer (i32.const 3600) (i32.const 13)))))
    (i32.store8 (i32.const 3508) (i32.add (i32.const 48) (i32.load8_u (i32.const 4208))))
    (call $answer (i32.const 3500) (i32.const 10)))
  (func $mine (result i32)
    (call $invite (i32.const 2000) (i32.const 8) (i32.const 2100) (i32.const 16) (i32.const 2300) (i32.const 17)
      (i32.const 4200))
    (call $told))
  (func (export "espalier:hostile/operations#fine") (param i32 i32) (result i32) (call $mine))
  (func (export "espalier:hostile/operations#twice") (param i32 i32) (result i32) (drop (call $mine)) (call $mine))
  (func (export "espalier:hostile/operations#in-read") (param i32 i32) (result i32) (call $mine))
  (func (export "espalier:hostile/operations#no-line") (param i32 i32) (result i32) (call $mine))
  (func (export "espalier:hostile/operations#other-class") (param i32 i32) (result i32) (call $mine))
  (func (export "espalier:hostile/operations#stranger") (param i32 i32) (result i32)
    (call $invite (i32.const 2010) (i32.const 9) (i32.const 2100) (i32.const 16) (i32.const 2300) (i32.const 17)
      (i32.const 4200))
    (call $told))
  (func (export "espalier:hostile/operations#link") (param i32 i32) (result i32)
    (call $invite (i32.const 2000) (i32.const 8) (i32.const 2100) (i32.const 16) (i32.const 2400) (i32.const 16)
      (i32.const 4200))
    (call $told))
  (func (export "espalier:hostile/operations#crlf-recipient") (param i32 i32) (result i32)
    (call $invite (i32.const 2000) (i32.const 8) (i32.const 2200) (i32.const 44) (i32.const 2300) (i32.const 17)
      (i32.const 4200))
    (call $told))
  (func (export "espalier:hostile/operations#known") (param i32 i32) (result i32)
    (call $state (i32.const 2100) (i32.const 16) (i32.const 4208))
    (i32.store8 (i32.const 4200) (i32.const 0))
    (call $told)))
