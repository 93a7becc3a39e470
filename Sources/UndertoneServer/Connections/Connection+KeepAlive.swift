import GLibSupport
import UndertoneProtocol

/// What keeps a client listening that waits.
extension Connection {
    /// Sends blanks while a client that will say nothing more waits for an answer: `socat` would
    /// stop listening.
    func startKeepAlive() {
        guard keepAlive == nil, let seconds = keepAliveSeconds else { return }
        let timer = MainTimer { [weak self] in self?.sendKeepAlive() }
        keepAlive = timer
        timer.schedule(after: seconds)
    }

    private var keepAliveSeconds: Double? {
        if !input.hasPeerFinished { return nil }
        if replies.inFlight > 0 { return Limits.keepAliveSeconds }
        return mode == .watching ? Limits.watchKeepAliveSeconds : nil
    }

    private func sendKeepAlive() {
        keepAlive = nil
        guard keepAliveSeconds != nil else { return }
        // Replies go out whole, so where nothing waits the last byte was a newline or a blank.
        if output.isEmpty { output.bytes.append(UInt8(ascii: " ")) }
        advance()
    }
}
