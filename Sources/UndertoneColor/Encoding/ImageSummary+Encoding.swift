extension ImageSummary {
    /// Regions in one summary.
    public static let maximumRegions = 16
    /// Clusters in one summary.
    public static let maximumClusters = 64
    /// Pixels a side.
    public static let maximumSide = 1 << 30
    /// Bytes of the largest encoded summary.
    public static let maximumEncodedSize =
        headerSize + (1 + maximumRegions) * AreaSummary.encodedSize
        + maximumClusters * ColorCluster.encodedSize

    /// `UTSM` and the version of the layout, which changes with every change of a field.
    private static let magic: UInt64 = 0x0000_0001_4d53_5455
    private static let headerSize = 8 + 2 * 4 + 8 + 2 * 5 * 8

    /// Encodes the summary: little-endian, no padding, every area and cluster of fixed size.
    ///
    /// - Precondition: What a decoder makes: at most `maximumRegions` and `maximumClusters`, sides
    ///   of 1…`maximumSide`, tables whole.
    public func encoded() -> [UInt8] {
        precondition(regions.count <= Self.maximumRegions)
        precondition(clusters.count <= Self.maximumClusters)
        let size =
            Self.headerSize + (1 + regions.count) * AreaSummary.encodedSize
            + clusters.count * ColorCluster.encodedSize
        var writer = SummaryWriter(capacity: size)
        writer.integer(Self.magic)
        writer.integer(UInt32(image.width))
        writer.integer(UInt32(image.height))
        writer.integer(image.format.code)
        writer.integer(UInt8(image.orientation))
        writer.integer(image.profile.code)
        writer.integer(UInt8(image.complete ? 1 : 0))
        writer.integer(image.sampling.code)
        writer.integer(UInt8(regions.count))
        writer.integer(UInt8(clusters.count))
        writer.integer(UInt8(0))
        for identity in [identityBefore, identityAfter] { identity.encode(to: &writer) }
        picture.encode(to: &writer)
        for region in regions { region.encode(to: &writer) }
        for cluster in clusters { cluster.encode(to: &writer) }
        return writer.bytes
    }

    /// Decodes a summary, believing nothing: every field is in its range, every table whole and
    /// ascending where it must be, no byte is left over.
    public init(validating bytes: [UInt8]) throws(SummaryFault) {
        var reader = SummaryReader(bytes)
        guard try reader.integer("magic") == Self.magic else { throw SummaryFault("magic") }
        let width = try Self.side(from: &reader, field: "image.width")
        let height = try Self.side(from: &reader, field: "image.height")
        guard let format = ImageFormat(code: try reader.integer("image.format")) else {
            throw SummaryFault("image.format")
        }
        let orientation: UInt8 = try reader.integer("image.orientation")
        guard (1...8).contains(orientation) else { throw SummaryFault("image.orientation") }
        guard let profile = ProfileUse(code: try reader.integer("image.profile")) else {
            throw SummaryFault("image.profile")
        }
        let complete: UInt8 = try reader.integer("image.complete")
        guard complete <= 1 else { throw SummaryFault("image.complete") }
        guard let sampling = Sampling(code: try reader.integer("image.sampling")) else {
            throw SummaryFault("image.sampling")
        }
        let regionCount: UInt8 = try reader.integer("regions")
        guard regionCount <= Self.maximumRegions else { throw SummaryFault("regions") }
        let clusterCount: UInt8 = try reader.integer("clusters")
        guard clusterCount <= Self.maximumClusters else { throw SummaryFault("clusters") }
        guard try reader.integer("reserved", as: UInt8.self) == 0 else {
            throw SummaryFault("reserved")
        }
        let before = try FileIdentity(from: &reader, field: "identityBefore")
        let after = try FileIdentity(from: &reader, field: "identityAfter")
        let picture = try AreaSummary(from: &reader, field: "picture")
        var regions: [AreaSummary] = []
        for index in 0..<regionCount {
            regions.append(try AreaSummary(from: &reader, field: "regions[\(index)]"))
        }
        let clusters = try ColorCluster.list(
            from: &reader, count: Int(clusterCount), visible: picture.opacity > 0)
        guard reader.remaining == 0 else { throw SummaryFault("length") }
        self.init(
            image: ImageFacts(
                width: width, height: height, format: format, orientation: Int(orientation),
                profile: profile, complete: complete == 1, sampling: sampling),
            identityBefore: before, identityAfter: after, picture: picture, regions: regions,
            clusters: clusters)
    }

    private static func side(
        from reader: inout SummaryReader, field: String
    ) throws(SummaryFault) -> Int {
        let value: UInt32 = try reader.integer(field)
        guard value >= 1, value <= maximumSide else { throw SummaryFault(field) }
        return Int(value)
    }
}

extension FileIdentity {
    fileprivate func encode(to writer: inout SummaryWriter) {
        writer.integer(device)
        writer.integer(inode)
        writer.integer(size)
        writer.integer(modified)
        writer.integer(changed)
    }

    /// Every value of every field can be a file's.
    fileprivate init(from reader: inout SummaryReader, field: String) throws(SummaryFault) {
        let device: UInt64 = try reader.integer("\(field).device")
        let inode: UInt64 = try reader.integer("\(field).inode")
        let size: UInt64 = try reader.integer("\(field).size")
        let modified: Int64 = try reader.integer("\(field).modified")
        self.init(
            device: device, inode: inode, size: size, modified: modified,
            changed: try reader.integer("\(field).changed"))
    }
}

extension ColorCluster {
    fileprivate static let encodedSize = 4 * 4

    fileprivate func encode(to writer: inout SummaryWriter) {
        writer.float(oklab.x)
        writer.float(oklab.y)
        writer.float(oklab.z)
        writer.float(weight)
    }

    fileprivate static func list(
        from reader: inout SummaryReader, count: Int, visible: Bool
    ) throws(SummaryFault) -> [ColorCluster] {
        guard visible == (count > 0) else { throw SummaryFault("clusters") }
        var clusters: [ColorCluster] = []
        var total: Float = 0
        for index in 0..<count {
            let field = "clusters[\(index)]"
            let l = try reader.float("\(field).oklab", -1e-5...1.00001)
            let a = try reader.float("\(field).oklab", -0.5...0.5)
            let b = try reader.float("\(field).oklab", -0.5...0.5)
            let lightest = clusters.last?.weight ?? 1
            let weight = try reader.float(
                "\(field).weight", .leastNonzeroMagnitude...lightest)
            clusters.append(ColorCluster(oklab: SIMD3(l, a, b), weight: weight))
            total += weight
        }
        guard count == 0 || abs(total - 1) < 1e-4 else { throw SummaryFault("clusters") }
        return clusters
    }
}
