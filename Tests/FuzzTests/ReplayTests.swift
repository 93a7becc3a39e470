import FuzzTargets
import Glibc
import Testing

/// What once broke a fuzz target must not break it again.
@Suite struct ReplayTests {
    /// Seeds show that the targets agree with real values, and that the cases below mean something.
    @Test(arguments: FuzzTarget.all.map(\.name))
    func seedsHold(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = target.seeds()
        #expect(!seeds.isEmpty)
        for seed in seeds {
            try target.check(seed)
            // Cut, they are what a fuzzer tries first.
            for length in stride(from: 0, to: seed.count, by: max(1, seed.count / 32)) {
                try target.check(Array(seed.prefix(length)))
            }
        }
    }

    @Test func regressionsHold() throws {
        let root = Self.regressions
        for name in try Self.names(in: root) {
            let target = try #require(
                FuzzTarget.all.first { $0.name == name }, "Fuzz/Regressions/\(name) has a target")
            for file in try Self.names(in: "\(root)/\(name)") {
                let bytes = try Self.read("\(root)/\(name)/\(file)")
                #expect(throws: Never.self, "\(name)/\(file)") { try target.check(bytes) }
            }
        }
    }

    private static let regressions: String = {
        let file = #filePath
        let tests = file.dropLast("/Tests/FuzzTests/ReplayTests.swift".count)
        return "\(tests)/Fuzz/Regressions"
    }()

    private static func names(in directory: String) throws -> [String] {
        guard let stream = unsafe opendir(directory) else {
            Issue.record("cannot list \(directory)")
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix("."), name != "README.md" { names.append(name) }
        }
        return names.sorted()
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        try #require(count >= 0 && count < bytes.count)
        return Array(bytes.prefix(count))
    }
}
