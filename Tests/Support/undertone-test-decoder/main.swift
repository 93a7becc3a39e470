// A zygote for tests: it forks a child for each job like the real one, but the child decodes
// nothing. What it does instead is told by the file's name, up to the first dot.

import GLibSupport
import Glibc

let arguments = (0..<Int(CommandLine.argc)).compactMap { index in
    unsafe CommandLine.unsafeArgv[index].map { unsafe String(cString: $0) }
}
exit(TestZygote.run(isWide: arguments.contains("wide")))
