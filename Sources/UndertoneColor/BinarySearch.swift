extension Range<Int> {
    /// Finds the first member that fulfils a condition which all later ones fulfil too; the upper
    /// bound where none does.
    func firstMember(where fulfils: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if fulfils(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
