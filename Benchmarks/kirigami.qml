// Asks Kirigami's ImageColors about the picture that the last argument names.

import QtQuick 2.15
import org.kde.kirigami 2.13 as Kirigami

Item {
    Kirigami.ImageColors {
        // Makes the theme here: otherwise another thread does, and crashes.
        Kirigami.Theme.inherit: false
        source: "file://" + Qt.application.arguments[Qt.application.arguments.length - 1]
        onPaletteChanged: {
            console.log(average);
            // Of a picture that Qt has no reader for it makes none.
            Qt.exit(palette.length > 0 ? 0 : 1);
        }
    }
}
