import Glibc

/// The environment variables that a decoder needs to be the same everywhere.
enum ProcessEnvironment {
    /// What is set, and why.
    static let settings: [(name: String, value: String, reason: String)] = [
        ("LC_ALL", "C", "loaders read and print numbers with a full stop"),
        ("GIO_USE_VFS", "local", "no connection to gvfs, and no thread for it"),
        ("GIO_MODULE_DIR", "/dev/null", "no GIO module is loaded: none is needed"),
        ("GSETTINGS_BACKEND", "memory", "no connection to dconf"),
    ]

    /// What is removed, and why.
    static let removals: [(name: String, reason: String)] = [
        ("G_DEBUG", "fatal-warnings would end a child for a loader's mere warning"),
        ("G_MESSAGES_DEBUG", "a child's messages go nowhere; not even their text is made"),
        ("G_ENABLE_DIAGNOSTIC", "the same"),
    ]

    /// Applies both lists; called before the first call into GLib.
    static func tidy() {
        for setting in settings {
            unsafe setenv(setting.name, setting.value, 1)
        }
        for removal in removals {
            unsafe unsetenv(removal.name)
        }
    }
}
