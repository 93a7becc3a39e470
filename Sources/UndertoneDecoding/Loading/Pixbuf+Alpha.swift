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
}
