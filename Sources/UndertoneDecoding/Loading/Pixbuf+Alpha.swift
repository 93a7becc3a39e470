extension Pixbuf {
    /// Whether any pixel of a row, or all of them, have an alpha above 0; without alpha, always.
    func hasVisiblePixels(inRow index: Int, all: Bool) -> Bool {
        guard channels == 4 else { return true }
        let row = unsafe self.row(index)
        let places = Swift.stride(from: 3, to: row.count, by: 4)
        return all
            ? places.allSatisfy { unsafe row[$0] > 0 } : places.contains { unsafe row[$0] > 0 }
    }

    /// Gives each pixel of a row an alpha of 255.
    func makeOpaque(row index: Int) {
        let row = unsafe self.row(index)
        for offset in Swift.stride(from: 3, to: row.count, by: 4) { unsafe row[offset] = 255 }
    }

    /// Divides a row's colors by their alpha, rounded.
    func unpremultiply(row index: Int) {
        let row = unsafe self.row(index)
        for offset in Swift.stride(from: 0, to: row.count, by: 4) {
            let alpha = unsafe Int(row[offset + 3])
            if alpha == 0 || alpha == 255 { continue }
            for channel in offset..<offset + 3 {
                unsafe row[channel] = UInt8(min(255, (Int(row[channel]) * 255 + alpha / 2) / alpha))
            }
        }
    }

    /// Makes the outermost pixels of a rendered picture as opaque as it is there itself: they hold
    /// their alpha times the part of them that is inside.
    func uncoverEdges(of canvas: VectorCanvas) {
        guard channels == 4, canvas.edgeCoverage > 0, canvas.edgeCoverage < 1 else { return }
        let lines = canvas.leavesRows ? size.height : size.width
        for line in Set([0, lines - 1]) {
            for index in 0..<(canvas.leavesRows ? size.width : size.height) {
                let row = canvas.leavesRows ? line : index
                let column = canvas.leavesRows ? index : line
                let alpha = unsafe pixels + row * stride + column * 4 + 3
                let whole = unsafe Double(alpha.pointee) / canvas.edgeCoverage
                // Coverage is rounded: what is all but opaque is opaque.
                unsafe alpha.pointee = whole >= 252.5 ? 255 : UInt8(whole.rounded())
            }
        }
    }
}
