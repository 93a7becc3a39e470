/// A dictionary that forgets what was not asked for the longest, once its values cost too much.
struct BoundedCache<Key: Hashable, Value>: ~Copyable {
    /// A reference, so that finding a value copies no key.
    private final class Entry {
        let key: Key
        let value: Value
        var cost: Int

        init(_ key: Key, _ value: Value, _ cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
        }
    }

    /// What all values together may cost.
    let limit: Int
    /// What they cost.
    private(set) var cost = 0
    private var handles: [Key: OrderedSlab<Entry>.Handle] = [:]
    private var entries = OrderedSlab<Entry>()

    /// Creates an empty cache.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many values there are.
    var count: Int { entries.count }

    /// Finds a value and makes it the last to be forgotten.
    mutating func value(for key: Key) -> Value? {
        guard let handle = handles[key] else { return nil }
        entries.moveToEnd(handle)
        return entries[handle].value
    }

    /// Adds or replaces a value; one that alone costs more than the limit is not kept.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        handles[key] = entries.append(Entry(key, value, cost))
        self.cost += cost
        evict()
    }

    /// Charges more for a value that has grown, if it is still there.
    mutating func charge(_ more: Int, for key: Key) {
        guard let handle = handles[key] else { return }
        entries[handle].cost += more
        cost += more
        evict()
    }

    /// Forgets a value.
    mutating func remove(_ key: Key) {
        guard let handle = handles.removeValue(forKey: key) else { return }
        cost -= entries.remove(handle).cost
    }

    private mutating func evict() {
        while cost > limit, let oldest = entries.first { remove(oldest.key) }
    }
}
