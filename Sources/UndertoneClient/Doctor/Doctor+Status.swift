internal import UndertoneColor
internal import UndertoneProtocol

/// What the daemon's own words say of its health.
extension Doctor {
    static func daemon(_ status: JSONDocument) -> Finding {
        let version = status["version"]?.text ?? "unknown"
        let pid = status["pid"]?.integer.map(String.init) ?? "unknown"
        let seconds = status["counters"]?["uptimeSeconds"]?.integer ?? 0
        let text = "version \(version), process \(pid), up \(duration(seconds))"
        guard let versions = VersionHint.difference(status) else { return .good(.daemon, text) }
        return .fault(.daemon, "\(text); \(versions)", do: VersionHint.advice(status))
    }

    static func loaders(_ status: JSONDocument) -> [Finding] {
        guard case .array(let values)? = status["formats"] else {
            return [
                .fault(
                    .loaders, "no decoder runs, so no format can be told",
                    do: "undertoned --log-level debug, run by hand, tells why")
            ]
        }
        let installed = values.compactMap(\.text)
        var findings: [Finding] = []
        if !installed.isEmpty {
            findings.append(.good(.loaders, "installed: \(installed.joined(separator: ", "))"))
        }
        let missing = ImageFormat.allCases.filter { !installed.contains($0.name) }
        for package in Set(missing.map(\.loaderPackage)).sorted() {
            let formats = missing.filter { $0.loaderPackage == package }.map(\.name)
            findings.append(
                .fault(
                    .loaders, "missing: \(formats.joined(separator: ", "))",
                    do: "apt install \(package)", package: package))
        }
        return findings
    }

    static func sandbox(_ status: JSONDocument) -> [Finding] {
        guard let sandbox = status["sandbox"], !sandbox.members.isEmpty else {
            return [
                .fault(
                    .sandbox, "no decoder runs, so nothing is confined or decoded",
                    do: "undertoned --log-level debug, run by hand, tells why")
            ]
        }
        let seccomp = sandbox["seccomp"]?.boolean ?? false
        let landlock = sandbox["landlock"]?.integer ?? 0
        let text =
            "decoders are confined by seccomp: \(seccomp ? "yes" : "no"), "
            + "by Landlock: \(landlock > 0 ? "ABI \(landlock)" : "no")"
        guard case .array(let values)? = sandbox["warnings"], !values.isEmpty else {
            return [
                seccomp && landlock > 0
                    ? .good(.sandbox, text) : .fault(.sandbox, text, do: kernelAdvice)
            ]
        }
        return [.good(.sandbox, text)]
            + values.compactMap(\.text).map { .fault(.sandbox, $0, do: kernelAdvice) }
    }

    private static let kernelAdvice =
        "run a kernel with Landlock and seccomp (Debian's has both), and containers that allow them"

    static func decoders(_ status: JSONDocument) -> [Finding] {
        guard let counters = status["counters"] else { return [] }
        let stuck = counters["decodersStuck"]?.integer ?? 0
        let slots = counters["decoderSlots"]?.integer ?? 0
        if stuck > 0 {
            return [
                .fault(
                    .decoders, "\(stuck) of \(slots) hang and cannot be ended",
                    do: "unmount what does not answer, such as a lost network drive: "
                        + "they wait for a picture there")
            ]
        }
        let counts = [("crashes", "crashes"), ("timeouts", "timeouts")].map { name, word in
            "\(counters[name]?.integer ?? 0) \(word)"
        }
        return [.good(.decoders, "\(slots) at once; \(counts.joined(separator: ", ")) so far")]
    }

    private static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
