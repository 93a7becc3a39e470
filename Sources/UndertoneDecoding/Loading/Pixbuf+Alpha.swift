extension Pixbuf {
    /// Whether any pixel of a row has an alpha above 0; without alpha, always.
    func hasVisiblePixel(inRow index: Int) -> Bool {
        guard channels == 4 else { return true }
        let row = unsafe self.row(index)
        return Swift.stride(from: 3, to: row.count, by: 4).contains { unsafe row[$0] > 0 }
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

    /// Fills the margins, less than a pixel wide, that a picture of another shape has left at two
    /// edges: pixels that are as opaque as the part of them that is inside become opaque.
    func fillMargins(of size: PixelSize) {
        guard channels == 4, size.width > 0, size.height > 0 else { return }
        let across = Double(self.size.width) / Double(size.width)
        let down = Double(self.size.height) / Double(size.height)
        let scale = min(across, down)
        let isWider = across > down
        let extent = isWider ? self.size.width : self.size.height
        let content = Double(isWider ? size.width : size.height) * scale
        // Half of what is left over lies at each edge; of a single pixel, all of it.
        let inside = extent == 1 ? content : 1 - (Double(extent) - content) / 2
        guard inside > 0.4, inside < 1 else { return }
        let expected = Int((inside * 255).rounded())
        for edge in Set([0, extent - 1]) {
            for index in 0..<(isWider ? self.size.height : self.size.width) {
                let row = isWider ? index : edge
                let column = isWider ? edge : index
                let alpha = unsafe pixels + row * stride + column * 4 + 3
                if unsafe abs(Int(alpha.pointee) - expected) <= 2 { unsafe alpha.pointee = 255 }
            }
        }
    }
}
