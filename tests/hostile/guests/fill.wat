;; Fills its memory again and again: bulk instructions must cost by the byte.
;; @operation fill
(module
  (func (export "espalier:hostile/operations#fill") (param i32 i32) (result i32)
    (loop $again
      (memory.fill (i32.const 4096) (i32.const 7) (i32.const 60000))
      (br $again))
    (call $done)))
