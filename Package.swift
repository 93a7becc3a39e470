// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "undertone",
    products: [
        .executable(name: "undertoned", targets: ["undertoned"]),
        .executable(name: "undertone-decoder", targets: ["undertone-decoder"]),
        .executable(name: "undertone", targets: ["undertone"]),
    ],
    targets: [
        // System libraries: a module map each, found through pkg-config.
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0"),
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0"),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson"),
        .systemLibrary(name: "CLittleCMS", pkgConfig: "lcms2"),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),

        // Libraries. Each may use those above it, never those below.
        .target(name: "CLinux"),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "GLibSupport", dependencies: ["CGLib", "CLinux"]),
        .target(name: "UndertoneColor"),
        .target(name: "UndertoneProtocol", dependencies: ["CGLib", "CJansson", "UndertoneColor"]),
        .target(
            name: "UndertoneDecoding",
            dependencies: [
                "CGLib", "CGdkPixbuf", "CJPEG", "CLittleCMS", "CSeccomp", "CLinux", "GLibSupport",
                "UndertoneColor", "UndertoneProtocol",
            ]),
        .target(
            name: "UndertoneServer",
            dependencies: [
                "CGLib", "CSQLite", "CZlib", "CLinux", "GLibSupport", "UndertoneColor",
                "UndertoneProtocol",
            ]),
        .target(
            name: "UndertoneClient",
            dependencies: [
                "CGLib", "CJansson", "CLinux", "GLibSupport", "UndertoneColor", "UndertoneProtocol",
            ]),

        // Programs: a thin main.swift each.
        .executableTarget(name: "undertoned", dependencies: ["UndertoneServer"]),
        .executableTarget(name: "undertone-decoder", dependencies: ["UndertoneDecoding"]),
        .executableTarget(name: "undertone", dependencies: ["UndertoneClient"]),

        // What tests of several modules share; one process has one main context.
        .target(
            name: "TestSupport", dependencies: ["GLibSupport"], path: "Tests/Support/TestSupport"),
        // A decoder that misbehaves on command; no product, so that it is never installed.
        .executableTarget(
            name: "undertone-test-decoder",
            dependencies: ["CLinux", "GLibSupport", "UndertoneColor", "UndertoneProtocol"],
            path: "Tests/Support/undertone-test-decoder"),

        // What strangers write, thrown at what reads it: by `make fuzz`, and again by the tests.
        .target(
            name: "FuzzTargets",
            dependencies: ["CJansson", "UndertoneColor", "UndertoneDecoding", "UndertoneProtocol"],
            path: "Fuzz/Targets"),

        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"]),
        .testTarget(
            name: "GLibSupportTests", dependencies: ["CLinux", "GLibSupport", "TestSupport"]),
        .testTarget(name: "UndertoneColorTests", dependencies: ["UndertoneColor"]),
        .testTarget(name: "UndertoneProtocolTests", dependencies: ["UndertoneProtocol"]),
        .testTarget(
            name: "UndertoneDecodingTests",
            dependencies: [
                "undertone-decoder", "UndertoneDecoding", "UndertoneProtocol", "UndertoneColor",
                "GLibSupport", "CLinux", "CSeccomp",
            ], exclude: ["Fixtures"]),
        .testTarget(
            name: "UndertoneServerTests",
            dependencies: [
                "CSQLite", "CLinux", "GLibSupport", "TestSupport", "UndertoneColor",
                "UndertoneProtocol", "UndertoneServer",
            ]),
        .testTarget(
            name: "UndertoneClientTests", dependencies: ["UndertoneClient", "UndertoneProtocol"]),
    ]
)

// libFuzzer is linked only where it is asked for: no ordinary build sees its program.
if Context.environment["UNDERTONE_FUZZ"] == "1" {
    package.targets += [
        .executableTarget(
            name: "undertone-fuzz", dependencies: ["FuzzTargets"], path: "Fuzz/Driver")
    ]
}

/// Settings that every Swift target shares, each with its proposal.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .strictMemorySafety(),  // SE-0458
    .treatAllWarnings(as: .error),  // SE-0443
]
for target in package.targets where target.type != .system && target.name != "CLinux" {
    target.swiftSettings = settings
}

// The mathematics is compiled for speed in every build: its tests go through all colours there are.
for target in package.targets where target.name.hasPrefix("UndertoneColor") {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}
