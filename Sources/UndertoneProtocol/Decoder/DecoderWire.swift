/// What every message between a daemon and its decoders begins with: a decoder that was replaced on
/// disk while its daemon ran is refused, not misunderstood.
enum DecoderWire {
    static let version: UInt8 = 1
}
