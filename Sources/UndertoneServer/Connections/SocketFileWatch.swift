import GLibSupport

/// Notices when the file of a listening socket is gone: nobody can reach the daemon any more.
@MainContext
final class SocketFileWatch {
    private let changes: DirectoryChanges
    private let watch: FileWatch

    /// Watches a socket's place; `onLoss` is called for each change after which the socket is not
    /// in it.
    ///
    /// - Throws: What the kernel says if it can't watch one more directory.
    init(
        _ listener: ListeningSocket, in directory: [UInt8],
        onLoss: @escaping @MainContext () -> Void
    ) throws(SystemError) {
        let changes = try DirectoryChanges(in: directory)
        self.changes = changes
        watch = try FileWatch(changes.number, for: .readable) { _ in
            changes.forget()
            if !listener.isInPlace { onLoss() }
        }
        // It may have gone before anybody watched.
        if !listener.isInPlace { onLoss() }
    }

    /// Ends the watch.
    func cancel() { watch.cancel() }
}
