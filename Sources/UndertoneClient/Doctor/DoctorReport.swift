internal import GLibSupport
internal import UndertoneProtocol

/// What was found, as text.
enum DoctorReport {
    /// A line for each finding, and one more for what to do where something is.
    static func text(_ findings: [Finding]) -> String {
        let width = findings.map(\.topic.rawValue.count).max() ?? 0
        return findings.map { finding in
            let topic = finding.topic.rawValue.padded(to: width)
            let mark = finding.isGood ? "ok   " : "FAULT"
            let line = "\(mark)  \(topic)  \(printable(finding.text))\n"
            let gap = String(repeating: " ", count: 9 + width)
            return line + (finding.advice.map { "\(gap)→ \(printable($0))\n" } ?? "")
        }.joined()
    }

    /// One line of JSON.
    static func line(_ findings: [Finding]) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.name("ok")
        writer.value(findings.allSatisfy(\.isGood))
        writer.name("version")
        writer.value(Version.current)
        writer.name("findings")
        writer.beginArray()
        for finding in findings {
            writer.element()
            writer.beginObject()
            writer.name("topic")
            writer.value(finding.topic.rawValue)
            writer.name("ok")
            writer.value(finding.isGood)
            writer.name("text")
            writer.value(finding.text)
            if let advice = finding.advice {
                writer.name("advice")
                writer.value(advice)
            }
            if let package = finding.package {
                writer.name("package")
                writer.value(package)
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
