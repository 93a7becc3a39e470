/// File systems on which a file can change without an inotify event: what happens to it happens on
/// another machine, in another program, or in the kernel itself.
enum EventlessFileSystem {
    /// The kernel's magic numbers (`statfs.f_type`), by the names that people know.
    static let names: [UInt64: String] = [
        // The FUSE driver only sees what goes through this kernel.
        0x6573_5546: "FUSE",
        0x6969: "NFS",
        0xff53_4d42: "CIFS",
        0xfe53_4d42: "SMB",
        0x517b: "SMB",
        0x0102_1997: "9p",
        0x00c3_6400: "Ceph",
        0x5346_414f: "AFS",
        0x6b41_4653: "AFS",
        0x7375_7245: "Coda",
        0x0bd0_0bd0: "Lustre",
        0x7461_636f: "OCFS2",
        0x0116_1970: "GFS2",
        0x786f_4256: "VirtualBox",
        0x00c0_ffee: "hostfs",
        // Their files are made when they are read.
        0x9fa0: "proc",
        0x6265_6572: "sysfs",
        0x6462_6720: "debugfs",
        0x7472_6163: "tracefs",
        0x7363_6673: "securityfs",
        0x6265_6570: "configfs",
        0x0027_e0eb: "cgroup",
        0x6367_7270: "cgroup",
        0xcafe_4a11: "BPF",
        0xde5e_81e4: "efivarfs",
    ]
}
