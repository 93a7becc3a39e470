import CLinux
import GLibSupport
import Glibc
import Testing
import UndertoneColor
import UndertoneProtocol

@testable import UndertoneDecoding

/// Every format decodes in the sandbox to what it decodes to without.
@Suite struct ConfinedDecodingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The report of a real decoder, which must end as an undisturbed one does.
    private func confined(_ path: String, _ zygote: ZygoteProcess) throws -> DecodeReport {
        let (report, end) = try zygote.ask(DecodeJob(path: Array(path.utf8)))
        #expect(end == .exited(slot: 1, code: 0, signal: 0))
        return report
    }

    /// The report of this process, which is not confined.
    private func unconfined(_ path: String) throws -> DecodeReport {
        let file = try OpenedPicture.open(Array(path.utf8))
        return PictureDecoder.decode(
            descriptor: file.descriptor.number, job: DecodeJob(path: []), identity: file.identity,
            allowWide: true)
    }

    @Test func everySampleDecodesInItsProfile() throws {
        let raster = try ZygoteProcess()
        let wide = try ZygoteProcess(arguments: ["--profile=wide"])
        let installed = try raster.capabilities().formats
        #expect(try wide.capabilities().formats == installed)
        for (number, sample) in SamplePicture.all.enumerated() {
            guard installed.contains(sample.format) else {
                print("no loader for \(sample.format.name) is installed: it is not tested")
                continue
            }
            let path = try directory.write(sample.bytes, as: "\(number).\(sample.format.name)")
            let expected = try unconfined(path)
            guard case .summary(let summary) = expected else {
                Issue.record("\(sample.format.name): \(expected)")
                continue
            }
            #expect(summary.image.width == 32 && summary.image.complete)
            // Red and blue in equal parts; lossy formats are a little off.
            #expect(abs(summary.picture.simple.x - 120) < 8, "\(summary.picture.simple)")
            if sample.format.needsWideProfile {
                #expect(try confined(path, raster) == .needsWideProfile)
            } else {
                #expect(try confined(path, raster) == expected, "\(sample.format.name)")
            }
            #expect(try confined(path, wide) == expected, "\(sample.format.name)")
        }
    }

    @Test func textAndFiltersOfAnSVGAreDrawn() throws {
        let zygote = try ZygoteProcess(arguments: ["--profile=wide"])
        try #require(try zygote.capabilities().formats.contains(.svg), "no SVG loader is installed")
        let filter = "<filter id=\"f\"><feGaussianBlur stdDeviation=\"9\"/></filter>"
        func drawing(_ text: String) -> [UInt8] {
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">\(filter)\
                <rect width="200" height="100" fill="white"/>\
                <rect width="50" height="50" fill="red" filter="url(#f)"/>\
                <text x="20" y="80" font-size="60">\(text)</text></svg>
                """.utf8)
        }
        let withText = try directory.write(drawing("MMM"), as: "text.svg")
        let without = try directory.write(drawing(""), as: "empty.svg")
        #expect(try confined(withText, zygote) == unconfined(withText))
        #expect(try confined(without, zygote) == unconfined(without))

        guard case .summary(let text) = try confined(withText, zygote),
            case .summary(let empty) = try confined(without, zygote)
        else {
            Issue.record("no summary")
            return
        }
        guard unsafe access("/usr/share/fonts/truetype", F_OK) == 0 else {
            print("no font is installed: SVG text is not tested")
            return
        }
        #expect(empty.picture.luminance.min > 0.1)
        #expect(text.picture.luminance.min < 0.01, "the text is missing")
    }

    @Test func aChildAtWorkIsLockedDown() throws {
        let path = try largePicture()
        let zygote = try ZygoteProcess()
        let capabilities = try zygote.capabilities()
        let child = try childAtWork(on: path, of: zygote) { process in
            try fields(of: "\(process)/status")["Seccomp"] == "2"
        }
        let process = "/proc/\(child.pid)"
        let status = try fields(of: "\(process)/status")
        #expect(status["Seccomp"] == "2")
        #expect(status["NoNewPrivs"] == "1")
        #expect(capabilities.seccomp)
        #expect(capabilities.landlock == UInt32(LandlockRuleset.kernelABI()))
        #expect(try contents(of: "\(process)/oom_score_adj") == "1000\n")

        let limits = try contents(of: "\(process)/limits").split(separator: "\n")
        for (name, soft, hard) in [
            ("Max cpu time", "11", "12"), ("Max open files", "5", "5"), ("Max file size", "0", "0"),
            ("Max core file size", "0", "0"), ("Max data size", "\(1 << 30)", "\(1 << 30)"),
        ] where name != "Max data size" || clinux_is_sanitized() == 0 {
            let words = try #require(limits.first { $0.hasPrefix(name) }).dropFirst(name.count)
                .split(separator: " ")
            #expect(words.prefix(2) == [Substring(soft), Substring(hard)], "\(name)")
        }
        if geteuid() == 0 {
            // An undumpable process shows this to nobody else.
            let links = try entries(of: "\(process)/fd").map { number in
                try (Int(number)!, link("\(process)/fd/\(number)"))
            }.sorted { $0.0 < $1.0 }
            #expect(links.map(\.0) == [0, 1, 2, 3, 4])
            #expect(links.prefix(3).allSatisfy { $0.1 == "/dev/null" })
            #expect(links[3].1.hasPrefix("pipe:"))
            #expect(links[4].1 == path)
        } else {
            // The kernel gives an undumpable process's files to root.
            var found = stat()
            try #require(unsafe stat("\(process)/fd", &found) == 0)
            #expect(found.st_uid == 0)
        }
        #expect(clinux_pidfd_kill(child.handle.number, SIGKILL) == 0)
        #expect(try zygote.next().0 == .exited(slot: 1, code: 0, signal: SIGKILL))
    }

    /// A child of an ordinary user, whose files in `/proc` the kernel gives to root if nobody else
    /// may look into it.
    @Test func aChildsMemoryIsNobodysBusiness() throws {
        let path = try largePicture()
        unsafe try #require(chmod(directory.path, 0o755) == 0 && chmod(path, 0o644) == 0)
        let asNobody = ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "--"]
        let isRoot = geteuid() == 0
        if isRoot, try run(asNobody + ["/usr/bin/test", "-x", ZygoteProcess.program]) != 0 {
            print("the programs are out of other users' reach: dumpability is not tested")
            return
        }
        let zygote = try ZygoteProcess(wrapper: isRoot ? asNobody : [])
        _ = try zygote.capabilities()
        var found = stat()
        // The detector detects: the zygote can be looked into.
        unsafe try #require(stat("/proc/\(zygote.pid)/mem", &found) == 0)
        #expect(found.st_uid == (isRoot ? 65534 : geteuid()))
        let child = try childAtWork(on: path, of: zygote) { process in
            unsafe stat("\(process)/mem", &found) == 0 && found.st_uid == 0
        }
        #expect(unsafe stat("/proc/\(child.pid)/mem", &found) == 0 && found.st_uid == 0)
        #expect(clinux_pidfd_kill(child.handle.number, SIGKILL) == 0)
        _ = try zygote.next()
    }

    /// A picture that is large enough for its child to be looked at while it is at work.
    private func largePicture() throws -> String {
        let header = Array("P6 6000 6000 255\n".utf8)
        let path = try directory.write(header, as: "large.ppm")
        unsafe try #require(truncate(path, off_t(header.count + 6000 * 6000 * 3)) == 0)
        return path
    }

    /// A child that is stopped at its work, as soon as something holds of its directory in `/proc`.
    private func childAtWork(
        on path: String, of zygote: ZygoteProcess, once condition: (String) throws -> Bool
    ) throws -> StartedChild {
        // Where the machine is busy, a child may be done before it is looked at.
        for _ in 0..<50 {
            let child = try zygote.start(DecodeJob(path: Array(path.utf8)))
            let process = "/proc/\(child.pid)"
            while try !child.hasEnded(within: 0) && !condition(process) { usleep(500) }
            _ = clinux_pidfd_kill(child.handle.number, SIGSTOP)
            while !child.hasEnded(within: 1) {
                if try fields(of: "\(process)/status")["State"]?.hasPrefix("T") == true {
                    return child
                }
            }
            _ = try zygote.next()
        }
        throw SystemError(ETIMEDOUT, "no child is seen at its work")
    }

    private func run(_ words: [String]) throws -> Int32 {
        unsafe system(words.joined(separator: " ")) >> 8 & 0xff
    }

    private func fields(of path: String) throws -> [String: String] {
        var fields: [String: String] = [:]
        for line in try contents(of: path).split(separator: "\n") {
            let parts = line.split(separator: ":\t", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        return fields
    }

    private func link(_ path: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path, &buffer, buffer.count)
        try #require(count > 0)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
