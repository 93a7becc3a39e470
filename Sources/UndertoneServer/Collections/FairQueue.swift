import UndertoneProtocol

/// What waits for a slot: clients take turns, and a client's own items keep their order.
///
/// An item of priority `idle` comes only when no `normal` one of any client waits. Every
/// operation takes constant time.
struct FairQueue<Client: Hashable, Item> {
    /// Where an item waits, as long as it does.
    struct Position: Equatable {
        fileprivate var client: Client
        fileprivate var priority: Request.Priority
        fileprivate var handle: OrderedSlab<Item>.Handle
    }

    private struct Lane {
        var items = OrderedSlab<Item>()
        var turn: OrderedSlab<Client>.Handle
    }

    /// The clients that have something waiting, the one whose turn it is first.
    private struct Round {
        private var lanes: [Client: Lane] = [:]
        private var turns = OrderedSlab<Client>()

        mutating func append(_ item: Item, _ client: Client) -> OrderedSlab<Item>.Handle {
            if lanes[client] == nil { lanes[client] = Lane(turn: turns.append(client)) }
            return lanes[client]!.items.append(item)
        }

        mutating func remove(_ client: Client, _ handle: OrderedSlab<Item>.Handle) {
            lanes[client]?.items.remove(handle)
            closeIfEmpty(client)
        }

        mutating func popFirst() -> Item? {
            guard let client = turns.first, let item = lanes[client]?.items.removeFirst()
            else { return nil }
            turns.moveToEnd(turns.firstHandle)
            closeIfEmpty(client)
            return item
        }

        private mutating func closeIfEmpty(_ client: Client) {
            guard let lane = lanes[client], lane.items.isEmpty else { return }
            turns.remove(lane.turn)
            lanes[client] = nil
        }
    }

    private var normal = Round()
    private var idle = Round()
    /// How many items wait.
    private(set) var count = 0

    /// Adds an item behind the client's others of its priority.
    mutating func append(
        _ item: Item, client: Client, priority: Request.Priority
    ) -> Position {
        count += 1
        let handle = round(priority) { $0.append(item, client) }
        return Position(client: client, priority: priority, handle: handle)
    }

    /// Removes an item that still waits.
    mutating func remove(_ position: Position) {
        count -= 1
        round(position.priority) { $0.remove(position.client, position.handle) }
    }

    /// Removes the item whose turn it is.
    mutating func popFirst() -> Item? {
        guard let item = normal.popFirst() ?? idle.popFirst() else { return nil }
        count -= 1
        return item
    }

    private mutating func round<Result>(
        _ priority: Request.Priority, _ body: (inout Round) -> Result
    ) -> Result {
        switch priority {
        case .normal: body(&normal)
        case .idle: body(&idle)
        }
    }
}
