internal import UndertoneColor

extension Reply {
    /// Answers `status`.
    public static func status(id: RequestID?, _ report: StatusReport) -> [UInt8] {
        line(id: id, capacity: 2048) { writer in
            writer.name("result")
            writer.beginObject()
            writer.name("version")
            writer.value(Version.current)
            writer.name("protocol")
            writer.value(Limits.protocolVersion)
            writer.name("pid")
            writer.value(Int(report.process))
            writer.name("operations")
            writer.value(Request.Operation.names)
            writer.name("formats")
            writer.formats(report.decoder)
            writer.name("limits")
            writer.limits(report)
            writer.name("counters")
            writer.counters(report.counters)
            writer.name("errors")
            writer.errors(report.errors)
            writer.name("sandbox")
            writer.sandbox(report.decoder)
            writer.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ strings: [String]) {
        beginArray()
        for string in strings {
            element()
            value(string)
        }
        endArray()
    }

    fileprivate mutating func formats(_ decoder: DecoderCapabilities?) {
        guard let decoder else { return null() }
        value(ImageFormat.allCases.filter(decoder.formats.contains).map(\.name))
    }

    fileprivate mutating func limits(_ report: StatusReport) {
        beginObject()
        member("lineBytes", Limits.lineBytes)
        member("nesting", Limits.nesting)
        member("idBytes", Limits.idBytes)
        member("pathBytes", Limits.pathBytes - 1)
        member("regions", Limits.regions)
        member("regionNameBytes", Limits.regionNameBytes)
        member("connections", Limits.connections)
        member("requestsInFlight", Limits.requestsInFlight)
        member("outputBytes", Limits.outputBytes)
        member("stalledClientSeconds", Limits.stalledClientSeconds)
        name("keepAliveSeconds")
        value(Limits.keepAliveSeconds)
        member("watches", Limits.watches)
        member("watchPlaces", Limits.watchPlaces)
        name("watchQuietSeconds")
        value(Limits.watchQuietSeconds)
        name("watchBurstSeconds")
        value(Limits.watchBurstSeconds)
        name("watchKeepAliveSeconds")
        value(Limits.watchKeepAliveSeconds)
        member("deadlineSeconds", report.deadlineSeconds)
        member("pixels", Limits.pixels)
        member("headerPixels", Limits.headerPixels)
        member("fileBytes", Limits.fileBytes)
        member("sampleSide", Limits.sampleSide)
        member("memoryCacheBytes", report.memoryCacheBytes)
        member("diskCacheBytes", report.diskCacheBytes)
        endObject()
    }

    fileprivate mutating func counters(_ counters: StatusReport.Counters) {
        beginObject()
        member("uptimeSeconds", counters.uptimeSeconds)
        member("connections", counters.connections)
        member("connectionsAccepted", counters.connectionsAccepted)
        member("connectionsRefused", counters.connectionsRefused)
        member("requests", counters.requests)
        member("replies", counters.replies)
        member("errors", counters.errors)
        member("decodes", counters.decodes)
        member("cacheHits", counters.cacheHits)
        member("cacheMisses", counters.cacheMisses)
        member("sharedDecodes", counters.sharedDecodes)
        member("cacheEntries", counters.cacheEntries)
        member("cacheBytes", counters.cacheBytes)
        member("diskHits", counters.diskHits)
        member("diskMisses", counters.diskMisses)
        member("decoderSlots", counters.decoderSlots)
        member("decodersRunning", counters.decodersRunning)
        member("decodersQueued", counters.decodersQueued)
        member("decodersStuck", counters.decodersStuck)
        member("timeouts", counters.timeouts)
        member("crashes", counters.crashes)
        member("zygoteRestarts", counters.zygoteRestarts)
        member("connectionsWatching", counters.connectionsWatching)
        member("events", counters.events)
        endObject()
    }

    /// Writes the codes that occurred, in the order in which they are declared.
    fileprivate mutating func errors(_ counts: [ErrorCode: Int]) {
        beginObject()
        for code in ErrorCode.allCases {
            guard let count = counts[code] else { continue }
            name(escaping: code.rawValue)
            value(count)
        }
        endObject()
    }

    fileprivate mutating func sandbox(_ decoder: DecoderCapabilities?) {
        guard let decoder else { return null() }
        beginObject()
        name("seccomp")
        value(decoder.seccomp)
        member("landlock", Int(decoder.landlock))
        name("warnings")
        var warnings: [String] = []
        if !decoder.seccomp { warnings.append("decoders run without a system-call filter") }
        if decoder.landlock == 0 { warnings.append("decoders run without Landlock") }
        value(warnings)
        endObject()
    }
}
