;; Asks a customer's WordPress for what it may not, in every way that it can be written.
;; @operation get read needs=connection:wordpress outside=wordpress_GET_/wp-json/wp/v2/posts/*
;; @operation post_in_read read needs=connection:wordpress outside=wordpress_GET_/wp-json/wp/v2/posts/*
;; @operation undeclared write needs=connection:wordpress outside=wordpress_GET_/wp-json/wp/v2/posts/*
;; @operation remove_in_write write needs=connection:wordpress outside=wordpress_POST_/wp-json/wp/v2/posts_change
;; @operation stranger read needs=connection:wordpress outside=wordpress_GET_/wp-json/wp/v2/posts/*
;; @operation needless read
;; @operation absolute read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation protocol_relative read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation dots read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation encoded_dots read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation encoded_slash read needs=connection:wordpress outside=wordpress_GET_/wp-json/wp/v2/posts/*
;; @operation crlf_path read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation query_in_path read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation crlf_header read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation own_credential read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation override_header read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation override_query read needs=connection:wordpress outside=wordpress_GET_/**
;; @operation redirected read needs=connection:wordpress outside=wordpress_GET_/go
;; @operation echoed read needs=connection:wordpress outside=wordpress_GET_/echo
;; @operation searched read needs=connection:wordpress outside=wordpress_GET_/echo
;; @operation late write needs=connection:wordpress outside=wordpress_POST_/wp-json/wp/v2/posts_change
;; @operation flood read needs=connection:wordpress outside=wordpress_GET_/wp-json/wp/v2/posts/*
(module
  (import "espalier:module/connections@1.0.0" "send" (func $flat (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  ;; Sends the record at $at; the result is at $to. Sixteen values still travel flat.
  (func $send (param $at i32) (param $to i32)
    (call $flat
      (i32.load (i32.add (local.get $at) (i32.const 0)))
      (i32.load (i32.add (local.get $at) (i32.const 4)))
      (i32.load8_u (i32.add (local.get $at) (i32.const 8)))
      (i32.load (i32.add (local.get $at) (i32.const 12)))
      (i32.load (i32.add (local.get $at) (i32.const 16)))
      (i32.load8_u (i32.add (local.get $at) (i32.const 20)))
      (i32.load (i32.add (local.get $at) (i32.const 24)))
      (i32.load (i32.add (local.get $at) (i32.const 28)))
      (i32.load (i32.add (local.get $at) (i32.const 32)))
      (i32.load (i32.add (local.get $at) (i32.const 36)))
      (i32.load (i32.add (local.get $at) (i32.const 40)))
      (i32.load (i32.add (local.get $at) (i32.const 44)))
      (i32.load (i32.add (local.get $at) (i32.const 48)))
      (i32.load (i32.add (local.get $at) (i32.const 52)))
      (i32.load (i32.add (local.get $at) (i32.const 56)))
      (i32.load (i32.add (local.get $at) (i32.const 60)))
      (local.get $to)))
  (data (i32.const 2000) "con_mine")
  (data (i32.const 2010) "con_other")
  (data (i32.const 2100) "/wp-json/wp/v2/posts/7")
  (data (i32.const 2200) "/wp-json/wp/v2/users/1")
  (data (i32.const 2300) "https://evil.example/wp-json/wp/v2/posts/7")
  (data (i32.const 2400) "//evil.example/a")
  (data (i32.const 2500) "/wp-json/../../evil")
  (data (i32.const 2600) "/wp-json/%2e%2e/evil")
  (data (i32.const 2700) "/wp-json/wp/v2/posts/7%2Fx")
  (data (i32.const 2800) "/a\0d\0aX-Evil: 1")
  (data (i32.const 2900) "/a?_method=DELETE")
  (data (i32.const 3000) "/wp-json/wp/v2/posts")
  (data (i32.const 3100) "/go")
  (data (i32.const 3110) "/echo")
  (data (i32.const 3200) "accept")
  (data (i32.const 3210) "a\0d\0aauthorization: mine")
  (data (i32.const 3300) "authorization")
  (data (i32.const 3320) "Bearer mine")
  (data (i32.const 3400) "x-http-method-override")
  (data (i32.const 3430) "DELETE")
  (data (i32.const 3500) "_method")
  ;; The record at 4000: connection, service (none), method, path, query, headers, body, max-bytes, timeout-ms.
  (func $request (param $connection i32) (param $length i32) (param $method i32) (param $path i32) (param $bytes i32)
    (i32.store (i32.const 4000) (local.get $connection))
    (i32.store (i32.const 4004) (local.get $length))
    (i32.store8 (i32.const 4008) (i32.const 0))
    (i32.store8 (i32.const 4020) (local.get $method))
    (i32.store (i32.const 4024) (local.get $path))
    (i32.store (i32.const 4028) (local.get $bytes))
    (i32.store (i32.const 4056) (i32.const 65536))
    (i32.store (i32.const 4060) (i32.const 5000)))
  ;; One pair of texts at 4100, as the query or as the headers.
  (func $pair (param $list i32) (param $name i32) (param $a i32) (param $value i32) (param $b i32)
    (i32.store (i32.const 4100) (local.get $name))
    (i32.store (i32.const 4104) (local.get $a))
    (i32.store (i32.const 4108) (local.get $value))
    (i32.store (i32.const 4112) (local.get $b))
    (i32.store (local.get $list) (i32.const 4100))
    (i32.store (i32.add (local.get $list) (i32.const 4)) (i32.const 1)))
  ;; Answers the response's body, which is JSON; of a failure its number.
  (data (i32.const 3600) "{\"failure\":0}")
  (func $told (result i32)
    (call $send (i32.const 4000) (i32.const 4200))
    (if (i32.eqz (i32.load8_u (i32.const 4200)))
      (then (return (call $answer (i32.load (i32.const 4216)) (i32.load (i32.const 4220))))))
    (i32.store8 (i32.const 3611) (i32.add (i32.const 48) (i32.load8_u (i32.const 4204))))
    (call $answer (i32.const 3600) (i32.const 13)))
  (func $mine (param $method i32) (param $path i32) (param $bytes i32)
    (call $request (i32.const 2000) (i32.const 8) (local.get $method) (local.get $path) (local.get $bytes)))
  (func (export "espalier:hostile/operations#get") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#post-in-read") (param i32 i32) (result i32)
    (call $mine (i32.const 2) (i32.const 2100) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#undeclared") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2200) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#remove-in-write") (param i32 i32) (result i32)
    (call $mine (i32.const 5) (i32.const 2100) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#stranger") (param i32 i32) (result i32)
    (call $request (i32.const 2010) (i32.const 9) (i32.const 0) (i32.const 2100) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#needless") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#absolute") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2300) (i32.const 42)) (call $told))
  (func (export "espalier:hostile/operations#protocol-relative") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2400) (i32.const 16)) (call $told))
  (func (export "espalier:hostile/operations#dots") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2500) (i32.const 19)) (call $told))
  (func (export "espalier:hostile/operations#encoded-dots") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2600) (i32.const 20)) (call $told))
  (func (export "espalier:hostile/operations#encoded-slash") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2700) (i32.const 26)) (call $told))
  (func (export "espalier:hostile/operations#crlf-path") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2800) (i32.const 13)) (call $told))
  (func (export "espalier:hostile/operations#query-in-path") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2900) (i32.const 17)) (call $told))
  (func (export "espalier:hostile/operations#crlf-header") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22))
    (call $pair (i32.const 4040) (i32.const 3200) (i32.const 6) (i32.const 3210) (i32.const 22)) (call $told))
  (func (export "espalier:hostile/operations#own-credential") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22))
    (call $pair (i32.const 4040) (i32.const 3300) (i32.const 13) (i32.const 3320) (i32.const 11)) (call $told))
  (func (export "espalier:hostile/operations#override-header") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22))
    (call $pair (i32.const 4040) (i32.const 3400) (i32.const 22) (i32.const 3430) (i32.const 6)) (call $told))
  (func (export "espalier:hostile/operations#override-query") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22))
    (call $pair (i32.const 4032) (i32.const 3500) (i32.const 7) (i32.const 3430) (i32.const 6)) (call $told))
  (func (export "espalier:hostile/operations#redirected") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 3100) (i32.const 3)) (call $told))
  (func (export "espalier:hostile/operations#echoed") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 3110) (i32.const 5)) (call $told))
  ;; How often these eight bytes stand anywhere in all of the memory; nine is the most that is told.
  (func $times (param $wanted i64) (result i32)
    (local $at i32) (local $end i32) (local $found i32)
    (local.set $end (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 7)))
    (loop $next
      (local.set $found (i32.add (local.get $found)
        (i32.and (i64.eq (i64.load (local.get $at)) (local.get $wanted)) (i32.lt_u (local.get $found) (i32.const 9)))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (local.get $found))
  (data (i32.const 3700) "{\"plain\":0,\"encoded\":0,\"redacted\":0}")
  ;; Looks for the password, for the start of it beside the name as base64, and for what stands in their place.
  (func (export "espalier:hostile/operations#searched") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 3110) (i32.const 5)) (call $send (i32.const 4000) (i32.const 4200))
    (i32.store8 (i32.const 3709) (i32.add (i32.const 48) (call $times (i64.const 0x612d7972616e6163))))
    (i32.store8 (i32.const 3721) (i32.add (i32.const 48) (call $times (i64.const 0x684e6d4f68525759))))
    (i32.store8 (i32.const 3734) (i32.add (i32.const 48) (call $times (i64.const 0x657463616465725b))))
    (call $answer (i32.const 3700) (i32.const 36)))
  (func (export "espalier:hostile/operations#late") (param i32 i32) (result i32)
    (call $mine (i32.const 2) (i32.const 3000) (i32.const 20)) (call $told))
  (func (export "espalier:hostile/operations#flood") (param i32 i32) (result i32)
    (call $mine (i32.const 0) (i32.const 2100) (i32.const 22))
    (loop $again (call $send (i32.const 4000) (i32.const 4200)) (br $again))
    (call $done)))
