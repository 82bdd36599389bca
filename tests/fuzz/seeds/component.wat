;; A component with an instance of functions, a function beside it, and a section that means nothing.
(component
  (core module $m (func (export "f")))
  (core instance $i (instantiate $m))
  (func $f (canon lift (core func $i "f")))
  (component $inner (import "f" (func $f)) (export "f" (func $f)))
  (instance $operations (instantiate $inner (with "f" (func $f))))
  (export "init" (func $f))
  (export "espalier:plain/operations" (instance $operations))
  (@custom "note" "text"))
