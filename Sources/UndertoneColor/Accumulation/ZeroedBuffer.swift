import Glibc

/// Memory that starts as zeros, with one owner, for loops that must not check bounds.
///
/// The kernel hands pages out as zeros when they are first touched, so that the parts of a large
/// table that a picture does not reach cost nothing.
@safe struct ZeroedBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// The first element; valid for as long as this value lives.
    let base: UnsafeMutablePointer<Element>
    /// The number of elements.
    let count: Int

    /// Allocates elements of which all bits are zero.
    init(count: Int) {
        guard let memory = unsafe calloc(count, MemoryLayout<Element>.stride) else {
            fatalError("out of memory")
        }
        unsafe base = memory.bindMemory(to: Element.self, capacity: count)
        self.count = count
    }

    /// A buffer that starts with the same elements and goes on with zeros.
    ///
    /// - Parameter count: The number of elements, not less than this buffer's.
    func copied(count: Int) -> ZeroedBuffer {
        precondition(count >= self.count)
        let copy = ZeroedBuffer(count: count)
        unsafe copy.base.update(from: base, count: self.count)
        return copy
    }

    deinit {
        unsafe free(base)
    }
}
