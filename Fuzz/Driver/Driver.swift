import FuzzTargets
import Glibc

/// Called once, before libFuzzer looks at its arguments.
@c public func LLVMFuzzerInitialize(
    _: UnsafeMutablePointer<CInt>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    switch CommandLine.arguments.dropFirst().first {
    case "--list": Driver.list()
    case "--seeds": Driver.writeSeeds(into: CommandLine.arguments[2])
    default:
        _ = Driver.target
        return 0
    }
    exit(0)
}

/// Called for each input.
@c public func LLVMFuzzerTestOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    do throws(Violation) {
        try Driver.target.check(input)
    } catch {
        // A trap is what libFuzzer keeps the input of.
        fatalError("\(Driver.target.name): it should hold that \(error)")
    }
    return 0
}

/// Hands a target to libFuzzer, or says what there is:
///
///     undertone-fuzz --list                 names, sizes and runs of the targets
///     undertone-fuzz --seeds DIRECTORY      writes each target's seeds into a folder of its name
///     undertone-fuzz [LIBFUZZER OPTION ...] CORPUS ... -ignore_remaining_args=1 TARGET
///
/// libFuzzer brings `main`, which calls the two functions below; it takes no notice of arguments
/// that begin with two dashes, or that follow `-ignore_remaining_args=1`.
enum Driver {
    /// The target that the last argument names.
    static let target: FuzzTarget = {
        let name = CommandLine.arguments.last
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            fail("no target \(name ?? ""); see --list")
        }
        return target
    }()

    static func list() {
        for target in FuzzTarget.all { print(target.name, target.maximumBytes, target.runs) }
    }

    static func writeSeeds(into directory: String) {
        makeDirectory(directory)
        for target in FuzzTarget.all {
            makeDirectory("\(directory)/\(target.name)")
            for (index, seed) in target.seeds().enumerated() {
                write(seed, to: "\(directory)/\(target.name)/seed-\(index)")
            }
        }
    }

    private static func makeDirectory(_ path: String) {
        if unsafe mkdir(path, 0o777) < 0, errno != EEXIST { fail("cannot create \(path)") }
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        let written = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
        }
        if file < 0 || written != bytes.count { fail("cannot write \(path)") }
        close(file)
    }

    private static func fail(_ message: String) -> Never {
        print("undertone-fuzz: \(message)")
        exit(2)
    }
}
