/// The six hues of a terminal, in the order of its colours 1…6.
public enum TerminalHue: Int, CaseIterable, Sendable {
    case red = 1
    case green, yellow, blue, magenta, cyan

    /// The angles in OKLCh, in degrees, within which a colour is recognised as this one. Red's
    /// window ends above 360, where it goes on from 0. Between two windows are at least 30 degrees.
    public var window: ClosedRange<Double> {
        switch self {
        case .red: 375...405
        case .yellow: 80...110
        case .green: 140...165
        case .cyan: 195...220
        case .blue: 250...280
        case .magenta: 315...345
        }
    }

    /// The angle where nothing in a picture suggests another.
    private var usual: Double {
        switch self {
        case .red: 387
        case .yellow: 96
        case .green: 149
        case .cyan: 206
        case .blue: 264
        case .magenta: 330
        }
    }

    /// Whether an angle in degrees is within the window.
    public func contains(_ hue: Double) -> Bool {
        window.contains(hue) || window.contains(hue + 360)
    }

    /// The angle to be used for a picture: drawn towards the hues that it has near the window, by
    /// chroma and weight, and well inside the window, since rounding to eight bits moves it.
    func angle(towards clusters: [ColorCluster]) -> Double {
        let reach = 15.0
        var (sum, total) = (0.0, 0.0)
        for cluster in clusters {
            let color = cluster.color.oklch
            if color.chroma < 0.04 { continue }
            for angle in [color.hue, color.hue + 360]
            where
                angle > window.lowerBound - reach && angle < window.upperBound + reach
            {
                let weight = color.chroma * Double(cluster.weight)
                sum += angle * weight
                total += weight
            }
        }
        let angle = total > 0 ? sum / total : usual
        let margin = 3.0
        return max(window.lowerBound + margin, min(window.upperBound - margin, angle))
    }
}
