internal import UndertoneProtocol

/// What the daemon's caches hold, and what keeps them from it.
extension Doctor {
    static func memoryCache(_ status: JSONDocument) -> Finding {
        let entries = status["counters"]?["cacheEntries"]?.integer ?? 0
        let bytes = status["counters"]?["cacheBytes"]?.integer ?? 0
        let limit = status["limits"]?["memoryCacheBytes"]?.integer ?? 0
        return .good(
            .cache,
            "in memory \(pictures(entries)), \(mebibytes(bytes)) of \(mebibytes(limit)) MiB")
    }

    private static func pictures(_ count: Int) -> String {
        count == 1 ? "1 picture" : "\(count) pictures"
    }

    /// Looks at the answer to `cache`.
    static func diskCache(_ cache: JSONDocument) -> [Finding] {
        guard let disk = cache["disk"], let state = disk["state"]?.text else { return [] }
        let path = disk["path"]?.text ?? "its file"
        switch state {
        case "ready":
            let entries = disk["entries"]?.integer ?? 0
            let bytes = disk["bytes"]?.integer ?? 0
            let limit = disk["limit"]?.integer ?? 0
            return [
                .good(
                    .cache,
                    "on disk \(pictures(entries)), \(mebibytes(bytes)) of \(mebibytes(limit)) MiB, "
                        + "in \(path)")
            ]
        case "off":
            // It does not tell which of the two it is.
            return [
                .good(
                    .cache,
                    "on disk nothing: the daemon was started with --no-cache, or has no place for "
                        + "it, as neither XDG_CACHE_HOME nor HOME is set")
            ]
        case "busy":
            return [
                .fault(
                    .cache, "on disk nothing: another daemon of yours has \(path)",
                    do: "end one of the two daemons, or start one with --no-cache")
            ]
        case "full":
            return [
                .fault(
                    .cache, "nothing more is kept: the disk is full", do: "free some of the disk")
            ]
        case "stalled":
            return [
                .fault(
                    .cache, "the disk with \(path) does not answer",
                    do: "see whether it hangs, or start the daemon with --no-cache")
            ]
        default:
            return [
                .fault(
                    .cache, "on disk nothing: \(path) cannot be used (\(state))",
                    do: "see that XDG_CACHE_HOME, or ~/.cache, is yours and can be written")
            ]
        }
    }

    private static func mebibytes(_ bytes: Int) -> String {
        let tenths = bytes / (1 << 20) * 10 + bytes % (1 << 20) * 10 / (1 << 20)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
