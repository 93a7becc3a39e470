/// A line as a dictionary's key. An array's own hash takes its bytes one by one.
struct LineKey: Hashable {
    var bytes: [UInt8]

    func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
