public import GLibSupport

extension MainContext {
    /// Waits until something holds, and tells whether it does after 60 s at the latest.
    ///
    /// All tests of a process share the one main context, so whatever is to happen there may take
    /// as long as the others make it wait.
    @MainContext @discardableResult
    public static func wait(until condition: @MainContext () -> Bool) async -> Bool {
        let end = now + 60
        while !condition() {
            if now > end { return false }
            await sleep(seconds: 0.002)
        }
        return true
    }
}
