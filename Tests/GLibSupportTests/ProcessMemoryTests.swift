import Testing

@testable import GLibSupport

@Suite struct ProcessMemoryTests {
    @Test func findsTheCodeOfFiles() {
        let line = "7f5c1000-7f5c3000 r-xp 00028000 fe:00 1311 /usr/lib/libc.so.6"
        #expect(ProcessMemory.codeRange(Array(line.utf8)) == 0x7f5c_1000..<0x7f5c_3000)
        let spaced = "1000-2000 r-xp 00000000 fe:00 9                 /a b/with (deleted)"
        #expect(ProcessMemory.codeRange(Array(spaced.utf8)) == 0x1000..<0x2000)
    }

    @Test(arguments: [
        // Data, data that relocations wrote, memory without a file, the kernel's pages, rubbish.
        "1000-2000 rw-p 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "1000-2000 r--p 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "1000-2000 r-xs 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "1000-2000 rwxp 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "1000-2000 r-xp 00000000 00:00 0 ",
        "7ffd1000-7ffd2000 r-xp 00000000 00:00 0                  [vdso]",
        "2000-1000 r-xp 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "1000 r-xp 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "x-y r-xp 00028000 fe:00 1311 /usr/lib/libc.so.6",
        "", " ", "1000-2000",
    ])
    func leavesTheRestAlone(_ line: String) {
        #expect(ProcessMemory.codeRange(Array(line.utf8)) == nil)
    }

    @Test func goesOnRunningWithoutItsCode() {
        for round in 1...20 {
            ProcessMemory.releaseCode()
            #expect("\(round)".utf8.count == (round < 10 ? 1 : 2))
        }
    }
}
