import CLinux
import GLibSupport
import Glibc
import UndertoneProtocol

extension Confinement {
    /// Enters the confinement in a process of its own and tries to get out.
    ///
    /// - Parameter example: What to decode in it, if anything.
    /// - Throws: EINTR if the process was killed, by a lack of memory or by somebody: then nothing
    ///   is known of the confinement.
    func prove(
        _ profile: DecoderProfile, example: ExamplePicture?
    ) throws(SystemError) -> SandboxProof {
        var ends: [Int32] = [-1, -1]
        _ = try checking("pipe") { unsafe clinux_pipe(&ends) }
        let reading = Descriptor(owning: ends[0])
        let writing = Descriptor(owning: ends[1])
        // Open here until the child has its copy.
        let file = try example?.file().release()
        defer { if let file { close(file) } }

        let child = DecoderChild(profile: profile, parent: getpid(), report: writing.number)
        let pid = try retrying("fork") { fork() }
        if pid == 0 { child.prove(self, example: file) }
        close(writing.release())

        let text = try Self.readAll(reading.number)
        var status: Int32 = 0
        _ = try retrying("waitpid") { unsafe waitpid(pid, &status, 0) }
        if status & 0x7f == SIGKILL { throw SystemError(EINTR, "the proof of the sandbox") }
        guard status == 0 else { throw SystemError(EPERM, "its proof (status \(status))") }
        return SandboxProof(parsing: String(decoding: text, as: UTF8.self))
    }

    private static func readAll(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = try retrying("read") {
                unsafe read(descriptor, &buffer, buffer.count)
            }
            if count == 0 { return text }
            text += buffer.prefix(count)
        }
    }
}
