import GLibSupport
import Glibc
import UndertoneProtocol

/// The inotify instances of all watches: so many and no more, and each used again where it can be.
@MainContext
final class WatchInstances {
    /// Seconds after which the kernel has forgotten the watches of an instance.
    private static let idleSeconds = 0.25

    /// How many are in use.
    private(set) var count = 0
    /// Tells those who use them of mounts.
    let mounts = MountWatch()
    private var idle: [SharedDescriptor] = []
    private var timer: MainTimer?

    /// Takes an instance without watches; what it still tells is of watches that are no more.
    func take() throws(RequestError) -> SharedDescriptor {
        guard count < Limits.watches else {
            throw RequestError(.busy, "there are \(Limits.watches) watches already")
        }
        if let instance = idle.popLast() {
            count += 1
            return instance
        }
        do throws(SystemError) {
            let instance = try InotifyInstance.create()
            count += 1
            return instance
        } catch {
            guard error.number == EMFILE else { throw RequestError(.busy, error.description) }
            throw RequestError(
                .busy,
                "all of the user's inotify instances (fs.inotify.max_user_instances) or of the "
                    + "daemon's descriptors are in use")
        }
    }

    /// Takes an instance back, with the watches in it, and closes it if nobody needs it soon.
    func giveBack(_ instance: SharedDescriptor) {
        count -= 1
        InotifyInstance.clear(instance.number)
        idle.append(instance)
        closeLater()
    }

    private func closeLater() {
        let timer = MainTimer { [weak self] in self?.closeIdle() }
        self.timer = timer
        timer.schedule(after: Self.idleSeconds)
    }

    private func closeIdle() {
        timer = nil
        // A child that was killed may have placed one more while it died.
        idle.removeAll { InotifyInstance.clear($0.number) }
        if !idle.isEmpty { closeLater() }
    }
}
