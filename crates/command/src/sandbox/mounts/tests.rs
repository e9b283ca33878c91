use super::listed;

/// Where these mounts show the path again.
fn check(mounts: &[(&str, &str, &str)], path: &str, expected: &[&str]) {
    let line = |(number, (device, root, point)): (usize, &(&str, &str, &str))| {
        format!("{number} 1 {device} {root} {point} rw,relatime shared:1 - ext4 /dev/x rw\n")
    };
    let list: String = mounts.iter().enumerate().map(line).collect();
    assert_eq!(listed(&[path.to_owned()], &list), expected, "{list}");
}

const ROOT: (&str, &str, &str) = ("8:1", "/", "/");

#[test]
fn what_is_mounted_once_has_one_path() {
    check(&[ROOT, ("0:5", "/", "/dev")], "/home/u/.artoo", &[]);
    check(&[ROOT, ("8:2", "/", "/home")], "/home/u/.artoo", &[]);
    check(&[ROOT, ("8:2", "/", "/mnt")], "/home/u/.artoo", &[]);
}

#[test]
fn a_folder_on_the_way_the_hidden_one_or_a_part_of_it_may_be_mounted_again() {
    check(&[ROOT, ("8:1", "/home/u", "/mnt/deep")], "/home/u/.artoo", &["/mnt/deep/.artoo"]);
    check(&[ROOT, ("8:1", "/", "/mnt")], "/home/u/.artoo", &["/mnt/home/u/.artoo"]);
    check(&[ROOT, ("8:1", "/home/u/.artoo", "/mnt")], "/home/u/.artoo", &["/mnt"]);
    check(&[ROOT, ("8:1", "/home/u/.artoo/tasks", "/mnt")], "/home/u/.artoo", &["/mnt"]);
    check(&[ROOT, ("8:1", "/home/u/.artoos", "/mnt")], "/home/u/.artoo", &[]);
    check(&[ROOT, ("8:1", "/home/u", "/home/u/again")], "/home/u/.artoo", &["/home/u/again/.artoo"]);
}

#[test]
fn a_file_system_of_its_own_is_looked_up_by_its_own_paths() {
    let home = ("8:2", "/", "/home");
    check(&[ROOT, home, ("8:2", "/", "/mnt")], "/home/u/.artoo", &["/mnt/u/.artoo"]);
    check(&[ROOT, home, ("8:2", "/u/.artoo", "/mnt")], "/home/u/.artoo", &["/mnt"]);
    check(&[ROOT, home, ("8:1", "/home/u", "/mnt")], "/home/u/.artoo", &[]);
    // A part of a file system, such as a subvolume.
    check(&[ROOT, ("8:2", "/@home", "/home"), ("8:2", "/", "/top")], "/home/u/x", &["/top/@home/u/x"]);
}

#[test]
fn the_mount_that_covers_another_counts_and_escaped_names_are_read() {
    check(
        &[ROOT, ("8:2", "/", "/home"), ("8:3", "/", "/home"), ("8:3", "/u", "/mnt/a\\040b\\134")],
        "/home/u/x",
        &["/mnt/a b\\/x"],
    );
}
