import GLibSupport
import UndertoneProtocol

/// The watch that a connection is dedicated to.
extension Connection {
    /// Answers a request to watch, and sends its events until the connection ends.
    func watch(_ request: Service.WatchRequest, _ ticket: ReplyQueue.Ticket) async {
        let pictures = PictureWatch(request, service: service, client: client)
        let (reply, begins) = await pictures.begin()
        if begins, let descriptor {
            UnixSocket.setSendBuffer(descriptor.number, bytes: Limits.watchSendBufferBytes)
        }
        mode = begins ? .watching : .answering
        deliver(reply, ticket)
        if begins, lastReads != nil { finish() }
        // The daemon's end may have put its own last event there meanwhile.
        while mode == .watching, let event = await pictures.next(), mode == .watching, !isHungUp {
            self.event = event.line
            if event.isLast { mode = .closing }
            advance()
        }
        pictures.end()
    }

    /// Whether an event may go out as soon as the client has taken what it was sent before.
    var isEventDue: Bool { event != nil && replies.inFlight == 0 && output.isEmpty }
}
