import CLinux
import CSeccomp
import GLibSupport
import Glibc

/// A system-call filter, compiled once in the zygote and put in force in every child.
struct SystemCallFilter {
    /// The kernel's instructions, as libseccomp wrote them.
    private let program: [UInt8]

    /// Compiles a table; whatever it does not name fails with EPERM, and nothing is fatal.
    init(_ rules: [SystemCallRule]) throws(SystemError) {
        guard let context = unsafe seccomp_init(Self.refuse(EPERM)) else {
            throw SystemError(ENOMEM, "seccomp_init")
        }
        defer { unsafe seccomp_release(context) }
        // A call through another architecture's entry point has other numbers: it ends the child.
        try Self.check("seccomp_attr_set") {
            unsafe seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
        }
        for rule in rules {
            let number = unsafe seccomp_syscall_resolve_name(rule.name)
            guard number != Self.unknownCall else { throw SystemError(EINVAL, rule.name) }
            let arguments = rule.conditions.map { condition in
                scmp_arg_cmp(
                    arg: condition.argument, op: SCMP_CMP_MASKED_EQ, datum_a: condition.mask,
                    datum_b: condition.value)
            }
            let action =
                switch rule.answer {
                case .allow: SCMP_ACT_ALLOW
                case .refuse(let error): Self.refuse(error)
                }
            try Self.check(rule.name) {
                unsafe seccomp_rule_add_array(
                    context, action, number, UInt32(arguments.count), arguments)
            }
        }
        program = try unsafe Self.export(context)
    }

    /// How long the program is; the kernel runs at most so many instructions for each call.
    var instructionCount: Int { program.count / 8 }

    /// Puts the filter in force for this thread and those that it starts, for good.
    func enter() throws(SystemError) {
        _ = try checking("seccomp") { unsafe clinux_install_filter(program, program.count) }
    }

    /// `__NR_SCMP_ERROR`.
    private static let unknownCall: Int32 = -1

    /// `SCMP_ACT_ERRNO`, which is a macro with an argument.
    private static func refuse(_ error: Int32) -> UInt32 { 0x0005_0000 | UInt32(error) }

    /// Reads the compiled filter back; it takes a pipe, whose 64 KiB no filter here comes near.
    private static func export(_ context: scmp_filter_ctx) throws(SystemError) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        _ = try checking("pipe") { unsafe clinux_pipe(&ends) }
        let reading = Descriptor(owning: ends[0])
        let writing = Descriptor(owning: ends[1])
        try check("seccomp_export_bpf") { unsafe seccomp_export_bpf(context, writing.number) }
        var program = [UInt8](repeating: 0, count: 65536)
        let length = try retrying("read") {
            unsafe read(reading.number, &program, program.count)
        }
        return Array(program.prefix(length))
    }

    /// libseccomp answers `-errno`.
    private static func check(_ call: String, _ body: () -> Int32) throws(SystemError) {
        _ = try checking(call, body)
    }
}
