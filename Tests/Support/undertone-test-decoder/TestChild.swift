import CLinux
import GLibSupport
import Glibc
import UndertoneColor
import UndertoneProtocol

/// A child that does as its file's name says.
struct TestChild {
    let job: DecodeJob
    let isWide: Bool
    let report: Int32

    /// The name of a file's directory up to its first dot.
    static func directoryCommand(of path: [UInt8]) -> String {
        let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
        return command(of: Array(path[..<slash]))
    }

    /// A file's name up to its first dot.
    static func command(of path: [UInt8]) -> String {
        let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? -1
        let name = path[(slash + 1)...].prefix { $0 != UInt8(ascii: ".") }
        return String(decoding: name, as: UTF8.self)
    }

    /// Never returns.
    func run(_ command: String) -> Never {
        // "slow-250-segfault" waits for 250 ms first; "slow-250" is then a picture.
        if command.hasPrefix("slow-") {
            let words = command.split(separator: "-", maxSplits: 2)
            usleep(words.count < 2 ? 0 : (UInt32(words[1]) ?? 0) * 1000)
            run(words.count > 2 ? String(words[2]) : "picture")
        }
        // "held-segfault" waits for a file that the test makes first; "held" is then a picture.
        if command == "held" || command.hasPrefix("held-") {
            let go = (job.path + ".go".utf8 + [0]).map { CChar(bitPattern: $0) }
            while unsafe access(go, F_OK) != 0 { usleep(1000) }
            run(command == "held" ? "picture" : String(command.dropFirst("held-".count)))
        }
        // "thumbnail-segfault" crashes where a thumbnail may stand in, and else is a picture.
        if command.hasPrefix("thumbnail-") {
            let isAllowed = job.sampling == .thumbnail
            run(isAllowed ? String(command.dropFirst("thumbnail-".count)) : "picture")
        }
        switch command {
        case "segfault": kill(getpid(), SIGSEGV)
        case "abort": kill(getpid(), SIGABRT)
        case "killed": kill(getpid(), SIGKILL)
        case "spin":
            var limit = rlimit(rlim_cur: 1, rlim_max: 2)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
            while true {}
        case "silent": break
        case "status-7": _exit(7)
        case "hang": rest()
        case "undying": run("held")
        case "stubborn":
            signal(SIGTERM, SIG_IGN)
            signal(SIGINT, SIG_IGN)
            rest()
        case "lingers":
            write(summaryReport())
            close(report)
            rest()
        case "zygote-killer":
            // After the zygote has told of this child.
            usleep(50_000)
            kill(getppid(), SIGKILL)
            rest()
        case "flood": while true { write([UInt8](repeating: 0x55, count: 65536)) }
        case "short": write(Array(summaryReport().dropLast()))
        case "long": write(summaryReport() + [0])
        case "byte": write([1])
        case "garbage": write((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
        case "nan":
            var summary = summary()
            summary.picture.simple.x = .nan
            write(DecodeReport.summary(summary).encoded())
        case "surplus-region":
            var summary = summary()
            summary.regions.append(summary.picture)
            write(DecodeReport.summary(summary).encoded())
        case "half":
            write(Array(summaryReport().prefix(100)))
            rest()
        case "changed":
            var summary = summary()
            summary.identityAfter.size += 1
            write(DecodeReport.summary(summary).encoded())
        case "forged":
            // Claims to have seen the file "victim.png" beside its own.
            var summary = summary(red: 255)
            let directory = job.path.prefix(1 + (job.path.lastIndex(of: UInt8(ascii: "/")) ?? 0))
            let victim = identity(of: directory + Array("victim.png".utf8))
            summary.identityBefore = victim
            summary.identityAfter = victim
            write(DecodeReport.summary(summary).encoded())
        case "missing": fail(.notFound, "no such file")
        case "unsupported":
            write(
                DecodeReport.failure(
                    RequestError(.unsupportedFormat, "a loader is missing", package: "webp-loader")
                )
                .encoded())
        case "wide" where !isWide: write(DecodeReport.needsWideProfile.encoded())
        case "too-wide": write(DecodeReport.needsWideProfile.encoded())
        default: write(summaryReport())
        }
        _exit(0)
    }

    private func rest() -> Never {
        while true { sleep(60) }
    }

    private func fail(_ code: ErrorCode, _ message: String) {
        write(DecodeReport.failure(RequestError(code, message)).encoded())
    }

    private func write(_ bytes: [UInt8]) {
        unsafe _ = Glibc.write(report, bytes, bytes.count)
    }

    private func summaryReport() -> [UInt8] {
        DecodeReport.summary(summary()).encoded()
    }

    /// One grey pixel, or another, for the picture and each region.
    private func summary(red: UInt16 = 128) -> ImageSummary {
        let pixels: [SamplePixel] = [SamplePixel(red << 8, 128 << 8, 128 << 8, 65280)]
        func area() -> AreaSummary {
            var accumulator = AreaAccumulator(backdrop: job.backdrop)
            unsafe pixels.withUnsafeBufferPointer { unsafe accumulator.add($0, weights: nil) }
            return accumulator.summary()
        }
        let identity = identity(of: job.path)
        return ImageSummary(
            image: ImageFacts(
                width: 1, height: 1, format: isWide ? .svg : .png, orientation: 1, profile: .none,
                complete: true, sampling: job.sampling),
            identityBefore: identity, identityAfter: identity, picture: area(),
            regions: job.regions.map { _ in area() },
            clusters: [ColorCluster(oklab: SIMD3(0.6, 0, 0), weight: 1)])
    }

    private func identity(of path: [UInt8]) -> FileIdentity {
        let text = path.map { CChar(bitPattern: $0) } + [0]
        let number = unsafe clinux_openat2(text, O_RDONLY, 0)
        var found = clinux_identity()
        if number >= 0 { unsafe _ = clinux_identify(number, &found) }
        return FileIdentity(
            device: found.device, inode: found.inode, size: found.size, modified: found.modified,
            changed: found.changed)
    }
}
