internal import GLibSupport
internal import Glibc

/// A sandbox that applications are put into: what is in it sees other files than the user does.
enum DesktopSandbox {
    /// What this process is inside of, if it is.
    ///
    /// Flatpak puts a file at the root, and snapd sets variables for what belongs to a snap.
    static func kind(flatpakInfo: String = "/.flatpak-info") -> String? {
        if unsafe access(flatpakInfo, F_OK) == 0 { return "a Flatpak sandbox" }
        let isSnap = Environment["SNAP"] != nil && Environment["SNAP_NAME"] != nil
        return isSnap ? "a snap" : nil
    }
}
