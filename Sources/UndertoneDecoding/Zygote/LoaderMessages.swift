import CGLib

/// What GLib and the loaders have to say about a picture.
enum LoaderMessages {
    /// Drops them all: they would be written at a picture's command, to a log that others read.
    static func drop() {
        unsafe g_log_set_writer_func({ _, _, _, _ in G_LOG_WRITER_HANDLED }, nil, nil)
    }
}
