extension Reply {
    /// Answers `cache`.
    public static func cache(id: RequestID?, _ report: CacheReport) -> [UInt8] {
        line(id: id, capacity: 512) { writer in
            writer.name("result")
            writer.beginObject()
            writer.name("memory")
            writer.cache(report.memory)
            writer.name("disk")
            writer.cache(report.disk)
            writer.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func cache(_ memory: CacheReport.Memory) {
        beginObject()
        numbers(memory.entries, memory.bytes, memory.limit, memory.hits, memory.misses)
        endObject()
    }

    fileprivate mutating func cache(_ disk: CacheReport.Disk) {
        beginObject()
        name("state")
        value(disk.state.rawValue)
        name("path")
        // Bytes that are no text have no place here; whoever has such a path knows it.
        optional(disk.path.flatMap { String(validating: $0, as: UTF8.self) }) { $0.value($1) }
        numbers(disk.entries, disk.bytes, disk.limit, disk.hits, disk.misses)
        endObject()
    }

    private mutating func numbers(
        _ entries: Int?, _ bytes: Int?, _ limit: Int, _ hits: Int, _ misses: Int
    ) {
        member("entries", entries)
        member("bytes", bytes)
        member("limit", limit)
        member("hits", hits)
        member("misses", misses)
    }
}
