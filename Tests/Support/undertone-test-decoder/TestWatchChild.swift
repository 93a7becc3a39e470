import Glibc
import UndertoneProtocol

/// A child that places no watches, and does as its file's directory says.
struct TestWatchChild {
    let job: WatchJob
    let report: Int32

    /// Never returns.
    func run(_ command: String) -> Never {
        switch command {
        case "segfault": kill(getpid(), SIGSEGV)
        case "killed": kill(getpid(), SIGKILL)
        case "silent": break
        case "hang": while true { sleep(60) }
        case "garbage": write([1, 9, 9])
        case "decoded": write(DecodeReport.needsWideProfile.encoded())
        case "surplus-file": write(placed(job.paths.count + 1))
        case "too-few": write(placed(0))
        case "full":
            write(WatchReport.failure(RequestError(.busy, "no more watches")).encoded())
        default: write(placed(job.paths.count))
        }
        _exit(0)
    }

    /// A report of nothing to look out for.
    private func placed(_ files: Int) -> [UInt8] {
        WatchReport.placed(files: (0..<files).map { _ in nil }, places: []).encoded()
    }

    private func write(_ bytes: [UInt8]) {
        unsafe _ = Glibc.write(report, bytes, bytes.count)
    }
}
