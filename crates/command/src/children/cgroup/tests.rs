use std::path::PathBuf;

use super::own_folder;

const HYBRID: &str = "25 30 0:22 / /sys rw - sysfs sysfs rw\n\
                      35 25 0:30 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n\
                      36 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n";

fn check(groups: &str, mounts: &str, folder: Option<&str>) {
    assert_eq!(own_folder(groups, mounts), folder.map(PathBuf::from), "{groups}");
}

#[test]
fn the_own_group_is_found_below_its_mount() {
    let desktop = "35 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    let service = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/artoo.service\n";
    let folder = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/artoo.service";
    check(service, desktop, Some(folder));
    check("9:name=systemd:/\n8:pids:/\n0::/\n", HYBRID, Some("/sys/fs/cgroup/unified/"));
    // In a container only a part of the hierarchy is mounted.
    let part = "35 25 0:30 /machine/a /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
    check("0::/machine/a/b\n", part, Some("/sys/fs/cgroup/b"));
    check("0::/machine/c\n", part, None);
    check("8:pids:/\n", HYBRID, None);
    check("0::/\n", "36 25 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n", None);
}
