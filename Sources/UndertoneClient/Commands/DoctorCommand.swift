/// `undertone doctor`: looks at everything that a question needs.
enum DoctorCommand {
    /// Looks, tells, and returns whether all is well.
    static func run(_ connector: Connector, _ output: Output, isJSON: Bool) throws -> Bool {
        var doctor = Doctor(connector)
        doctor.examine()
        if isJSON {
            try output.append(DoctorReport.line(doctor.findings))
        } else {
            try output.append(DoctorReport.text(doctor.findings))
        }
        return doctor.findings.allSatisfy(\.isGood)
    }
}
