/// A list in which every operation takes constant time, also removing from the middle.
///
/// Elements are known by the handle that `append` returned; a handle is used again after its
/// element was removed, so keep none longer.
struct OrderedSlab<Element> {
    /// Where an element is, as long as it is in the list.
    typealias Handle = Int

    private struct Node {
        var element: Element?
        var previous: Handle
        var next: Handle
    }

    private static var none: Handle { -1 }

    private var nodes: [Node] = []
    /// The first of the unused nodes, which are linked by `next`.
    private var unused = none
    /// The ends of the list.
    private(set) var firstHandle = none
    private var lastHandle = none
    /// How many elements there are.
    private(set) var count = 0

    /// Whether there is no element.
    var isEmpty: Bool { count == 0 }

    /// The element that was appended or moved to the end the longest ago.
    var first: Element? { isEmpty ? nil : nodes[firstHandle].element }

    /// The element of a handle that is in use.
    subscript(handle: Handle) -> Element {
        _read { yield nodes[handle].element! }
        _modify { yield &nodes[handle].element! }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) -> Handle {
        let handle: Handle
        if unused == Self.none {
            handle = nodes.count
            nodes.append(Node(element: element, previous: Self.none, next: Self.none))
        } else {
            handle = unused
            unused = nodes[handle].next
            nodes[handle].element = element
        }
        linkLast(handle)
        count += 1
        return handle
    }

    /// Removes an element from wherever it is.
    @discardableResult
    mutating func remove(_ handle: Handle) -> Element {
        guard let element = nodes[handle].element else {
            preconditionFailure("the handle's element was removed before")
        }
        unlink(handle)
        nodes[handle].element = nil
        nodes[handle].next = unused
        unused = handle
        count -= 1
        return element
    }

    /// Removes the first element.
    mutating func removeFirst() -> Element? {
        isEmpty ? nil : remove(firstHandle)
    }

    /// Moves an element behind all others.
    mutating func moveToEnd(_ handle: Handle) {
        if handle == lastHandle { return }
        unlink(handle)
        linkLast(handle)
    }

    private mutating func linkLast(_ handle: Handle) {
        nodes[handle].previous = lastHandle
        nodes[handle].next = Self.none
        if lastHandle == Self.none { firstHandle = handle } else { nodes[lastHandle].next = handle }
        lastHandle = handle
    }

    private mutating func unlink(_ handle: Handle) {
        let (previous, next) = (nodes[handle].previous, nodes[handle].next)
        if previous == Self.none { firstHandle = next } else { nodes[previous].next = next }
        if next == Self.none { lastHandle = previous } else { nodes[next].previous = previous }
    }
}
