//! The guest's allocator: a bump arena that is never freed, then one that frees.
//!
//! A call's memory dies with its instance, so most calls never need to free. The arena is static, so a call
//! that stays within it never grows the memory, which on two cores is worth four times the throughput
//! (page tables are shared between threads). A long step outgrows it and goes on in an allocator that frees.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;

const SIZE: usize = 256 * 1024;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ARENA: Arena = Arena::new();

#[repr(align(16))]
struct Bytes([u8; SIZE]);

struct Arena {
    bytes: UnsafeCell<Bytes>,
    /// Offset of the first free byte.
    used: UnsafeCell<usize>,
}

#[cfg(target_arch = "wasm32")]
#[expect(
    unsafe_code,
    reason = "wasm32-unknown-unknown without the atomics feature has one thread, so no access is ever shared"
)]
// SAFETY: see the reason: there is no second thread that could see the cells.
unsafe impl Sync for Arena {}

impl Arena {
    const fn new() -> Self {
        Self { bytes: UnsafeCell::new(Bytes([0; SIZE])), used: UnsafeCell::new(0) }
    }

    #[expect(unsafe_code, reason = "names the array inside the cell without reading it")]
    fn base(&self) -> *mut u8 {
        // SAFETY: the pointer of a static cell is valid and aligned; `&raw mut` makes no reference.
        unsafe { (&raw mut (*self.bytes.get()).0).cast() }
    }

    fn holds(&self, pointer: *mut u8) -> bool {
        (pointer as usize).wrapping_sub(self.base() as usize) < SIZE
    }
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait; each step is proved beside it")]
// SAFETY: a block in the arena begins at an offset rounded up to its alignment (from the block's real address,
// so alignments above 16 hold too), ends within SIZE, and `used` only moves back over the very last block
// when that one is freed or resized: so live blocks never overlap. All other blocks are System's own, told apart
// by address, and go back to System with the layout they came with. None of the functions panics.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: one thread, and no reference to `used` outlives a function here.
        let used = unsafe { &mut *self.used.get() };
        let start = (self.base() as usize + *used).next_multiple_of(layout.align()) - self.base() as usize;
        match start.checked_add(layout.size()) {
            Some(end) if end <= SIZE => {
                *used = end;
                // SAFETY: start <= end <= SIZE, so the address is within the static array or one past it for an empty block.
                unsafe { self.base().add(start) }
            }
            // SAFETY: the caller's promise about the layout is System's precondition too.
            _ => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if !self.holds(pointer) {
            // SAFETY: not ours, so System's, with the layout it was allocated with.
            return unsafe { System.dealloc(pointer, layout) };
        }
        let start = pointer as usize - self.base() as usize;
        // SAFETY: as in `alloc`.
        let used = unsafe { &mut *self.used.get() };
        if start + layout.size() == *used {
            *used = start;
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.holds(pointer) {
            // SAFETY: not ours, so System's, with the layout it was allocated with.
            return unsafe { System.realloc(pointer, layout, size) };
        }
        let start = pointer as usize - self.base() as usize;
        {
            // SAFETY: as in `alloc`; the borrow ends with this block, before `alloc` is called.
            let used = unsafe { &mut *self.used.get() };
            if start + layout.size() == *used && size <= SIZE - start {
                *used = start + size;
                return pointer;
            }
        }
        if size <= layout.size() {
            return pointer;
        }
        // SAFETY: the new size is not zero and does not overflow with this alignment: the caller's promise.
        let fresh = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !fresh.is_null() {
            // SAFETY: both blocks are at least `layout.size()` long, and a fresh block overlaps no live one.
            unsafe { std::ptr::copy_nonoverlapping(pointer, fresh, layout.size()) };
        }
        fresh
    }
}

#[cfg(test)]
mod tests;
