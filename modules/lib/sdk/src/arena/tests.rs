//! Blocks never overlap, keep their bytes, and are aligned, whatever the order of calls.

#![expect(unsafe_code, reason = "calls the allocator as the language would")]

use super::*;

/// A live block with the byte that fills it.
struct Block {
    at: *mut u8,
    layout: Layout,
    fill: u8,
}

impl Block {
    fn check(&self) {
        assert!(!self.at.is_null());
        assert_eq!(self.at as usize % self.layout.align(), 0);
        // SAFETY: the block is live and as long as its layout, and `fill` wrote all of it.
        let bytes = unsafe { std::slice::from_raw_parts(self.at, self.layout.size()) };
        assert!(bytes.iter().all(|it| *it == self.fill), "another block wrote into this one");
    }

    fn fill(&self) {
        // SAFETY: the block is live and as long as its layout.
        unsafe { self.at.write_bytes(self.fill, self.layout.size()) };
    }
}

#[test]
fn live_blocks_keep_their_bytes_through_ten_thousand_calls() {
    let arena = Box::new(Arena::new());
    let mut blocks: Vec<Block> = Vec::new();
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    let mut draw = |below: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        usize::try_from(chance >> 33).unwrap() % below
    };
    let mut inside = 0;
    for turn in 0..10_000 {
        let fill = u8::try_from(turn % 251).unwrap();
        match draw(3) {
            0 if !blocks.is_empty() => {
                let Block { at, layout, .. } = blocks.swap_remove(draw(blocks.len()));
                // SAFETY: the block is live, and leaves the list.
                unsafe { arena.dealloc(at, layout) };
            }
            1 if !blocks.is_empty() => {
                let which = draw(blocks.len());
                let size = 1 + draw(3_000);
                let block = &mut blocks[which];
                let kept = block.layout.size().min(size);
                // SAFETY: the block is live; the size is not zero.
                block.at = unsafe { arena.realloc(block.at, block.layout, size) };
                block.layout = Layout::from_size_align(kept, block.layout.align()).unwrap();
                block.check();
                block.layout = Layout::from_size_align(size, block.layout.align()).unwrap();
                block.fill();
            }
            _ => {
                let layout = Layout::from_size_align(1 + draw(400), 1 << draw(7)).unwrap();
                // SAFETY: the size is not zero.
                let block = Block { at: unsafe { arena.alloc(layout) }, layout, fill };
                inside += usize::from(arena.holds(block.at));
                block.fill();
                blocks.push(block);
            }
        }
        if turn % 97 == 0 {
            blocks.iter().for_each(Block::check);
        }
    }
    blocks.iter().for_each(Block::check);
    assert!(inside > 100 && blocks.iter().any(|it| !arena.holds(it.at)), "both allocators were used");
    for Block { at, layout, .. } in blocks {
        // SAFETY: each block is live and freed once.
        unsafe { arena.dealloc(at, layout) };
    }
}

#[test]
fn a_growing_text_at_the_end_stays_where_it_is() {
    let arena = Box::new(Arena::new());
    let layout = Layout::from_size_align(16, 8).unwrap();
    // SAFETY: sizes are not zero, and the block is live until the end.
    unsafe {
        let block = arena.alloc(layout);
        let grown = arena.realloc(block, layout, 100_000);
        assert_eq!(block, grown);
        arena.dealloc(grown, Layout::from_size_align(100_000, 8).unwrap());
        assert_eq!(arena.alloc(layout), block);
    }
}
