;; Computes for ever.
;; @operation spin
(module
  (func (export "espalier:hostile/operations#spin") (param i32 i32) (result i32)
    (loop $again (br $again))
    (call $done)))
