//! `make install`, an upgrade under a running daemon, `make uninstall`, and the Debian package, with the programs of these tests in
//! the place of a release build.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use artoo_testing::{Home, binaries};

/// The top of the repository.
pub(crate) fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the tests lie in the repository").to_owned()
}

/// One of the repository's scripts, in this home.
fn script(home: &Home, name: &str, arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(repository().join("scripts").join(name));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", home.root())
        .env("CI", "true")
        .env("ARTOO_BUILT", binaries());
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.envs(variables.iter().map(|(name, value)| (name, value.as_os_str())));
    command.stdin(std::process::Stdio::null()).output().expect("the script can be run")
}

fn said(output: &Output) -> String {
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    text
}

/// Whether this machine has a program.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|ended| ended.status.success())
}

/// What a program of this machine says that has to succeed.
fn run(program: &str, arguments: &[&str]) -> String {
    said(&Command::new(program).args(arguments).output().expect("it can be run"))
}

fn installed(home: &Home, arguments: &[&str]) -> String {
    let mut command = Command::new(home.root().join(".local/bin/artoo"));
    command.args(arguments).env_clear().env("HOME", home.root()).env("PATH", "/usr/bin:/bin");
    said(&command.output().expect("it was installed"))
}

/// The daemon's process id, from the second line of its status.
fn process(home: &Home) -> String {
    let status = installed(home, &["status"]);
    let line = status.lines().find(|line| line.contains("process")).unwrap_or_default().to_owned();
    line.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

#[test]
fn what_is_installed_works_is_upgraded_and_goes_away() {
    let home = Home::new();
    let first = said(&script(&home, "install", &[], &[]));
    assert!(first.contains("put ") && first.contains(".local/bin on your PATH"), "{first}");
    assert!(!first.contains("service"), "nothing is asked: {first}");
    let local = home.root().join(".local");
    for file in [
        "bin/artoo-daemon",
        "share/man/man1/artoo.1",
        "share/man/man1/artoo-doctor.1",
        "share/bash-completion/completions/artoo",
        "share/zsh/site-functions/_artoo",
        "share/fish/vendor_completions.d/artoo.fish",
    ] {
        assert!(local.join(file).metadata().is_ok_and(|meta| meta.len() > 0), "{file}");
    }
    assert!(installed(&home, &["version"]).starts_with("artoo "));

    let before = process(&home);
    let again = said(&script(&home, "install", &[], &[]));
    assert!(again.contains("started anew"), "{again}");
    let after = process(&home);
    assert!(!before.is_empty() && !after.is_empty() && before != after, "{before} {after}");

    let gone = said(&script(&home, "install", &["uninstall"], &[]));
    assert!(gone.contains("still in ~/.artoo"), "{gone}");
    assert!(!local.join("bin/artoo").exists() && !local.join("share/man/man1/artoo-doctor.1").exists());
    assert!(home.data().join("journal").exists(), "what artoo knows stays");
    let other = home.root().join("other");
    said(&script(&home, "install", &[], &[("PREFIX", &other)]));
    assert!(other.join("bin/artoo-daemon").is_file());
}

/// Lets dpkg do something in a root of its own, with a database of its own. The libraries of this machine are not in it.
fn dpkg(root: &Path, arguments: &[&str]) {
    let database = root.join("var/lib/dpkg");
    for folder in ["info", "updates", "triggers"] {
        std::fs::create_dir_all(database.join(folder)).expect("the home can be written");
    }
    for file in ["status", "available"] {
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(database.join(file));
        drop(opened.expect("the home can be written"));
    }
    let mut command = Command::new("dpkg");
    command.arg(format!("--root={}", root.display())).args([
        "--force-not-root",
        "--force-depends",
        "--force-bad-path",
    ]);
    let log = format!("--log={}", root.join("dpkg.log").display());
    said(&command.arg(log).args(arguments).output().expect("it can be run"));
}

#[test]
fn a_debian_package_is_built_and_works_in_a_fresh_root() {
    if !has("dpkg-deb") {
        // The package is for systems that have it.
        return;
    }
    let home = Home::new();
    let (out, root) = (home.root().join("out"), home.root().join("root"));
    let built = said(&script(
        &home,
        "package-deb",
        &[],
        &[("ARTOO_DEB", &out), ("ARTOO_DEB_COMPRESSION", Path::new("none"))],
    ));
    let package = built.trim().rsplit(": ").next().unwrap_or_default().to_owned();
    let fields = run("dpkg-deb", &["--info", &package]);
    assert!(fields.contains("Package: artoo") && fields.contains("Depends: libc6"), "{fields}");
    dpkg(&root, &["--install", &package]);
    let version = run(&root.join("usr/bin/artoo").display().to_string(), &["--version"]);
    assert!(version.starts_with("artoo "), "{version}");
    assert!(root.join("usr/share/man/man1/artoo-setup.1.gz").is_file());
    let unit =
        std::fs::read_to_string(root.join("usr/lib/systemd/user/artoo.service")).expect("the unit is there");
    assert!(
        unit.contains("\nExecStart=/usr/bin/artoo-daemon --foreground\n") && !unit.contains("%h"),
        "{unit}"
    );
    let state = || {
        let folder = format!("--admindir={}", root.join("var/lib/dpkg").display());
        run("dpkg-query", &[&folder, "--show", "--showformat=${Status}", "artoo"])
    };
    assert_eq!(state(), "install ok installed");
    dpkg(&root, &["--remove", "artoo"]);
    assert!(
        !root.join("usr/bin/artoo").exists() && !root.join("usr/lib/systemd/user/artoo.service").exists()
    );
    if has("lintian") {
        let found =
            Command::new("lintian").args(["--fail-on", "error", &package]).output().expect("it can be run");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout));
    }
}

/// The lines of a formula in the order that `brew style` wants, with the archive's own digest.
#[test]
fn a_homebrew_formula_names_its_archive_and_every_step() {
    let home = Home::new();
    let folder = home.root().join("homebrew");
    let url = "https://example.org/releases/artoo-0.1.0.tar.gz";
    let variables: [(&str, &Path); 2] = [("ARTOO_FORMULA", &folder), ("ARTOO_URL", Path::new(url))];
    said(&script(&home, "package-formula", &[], &variables));
    let text = std::fs::read_to_string(folder.join("artoo.rb")).expect("the formula was written");
    let archive = folder.join("artoo-0.1.0.tar.gz");
    let digest = run("sha256sum", &[&archive.display().to_string()]);
    let digest = digest.split_whitespace().next().expect("it prints one").to_owned();
    let mut rest = text.as_str();
    for part in [
        "class Artoo < Formula\n",
        "  desc \"",
        "  homepage \"https://",
        &format!("  url \"{url}\"\n"),
        &format!("  sha256 \"{digest}\"\n"),
        "  license any_of: [\"MIT\", \"Apache-2.0\"]\n",
        "  depends_on \"rust\" => :build\n",
        "  def install\n",
        "std_cargo_args(path: \"artoo-client\")",
        "std_cargo_args(path: \"artoo-daemon\")",
        "generate_completions_from_executable(bin/\"artoo\", \"completions\")",
        "system bin/\"artoo\", \"manual\", man1\n",
        "  service do\n    run [opt_bin/\"artoo-daemon\", \"--foreground\"]\n",
        "  test do\n",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("no {part:?} where it belongs in\n{text}"));
        rest = &rest[at + part.len()..];
    }
    let description = text.lines().find_map(|line| line.strip_prefix("  desc \"")).expect("it has one");
    let description = description.trim_end_matches('"');
    let is_name = description.to_lowercase().starts_with("artoo");
    assert!(description.len() < 80 && !description.ends_with('.') && !is_name, "{description}");
    assert!(text.lines().all(|line| line.len() <= 118 && line == line.trim_end()), "{text}");
    assert!(!text.contains('\'') || text.matches('\'').count() == 2, "strings have double quotes: {text}");
    let listed = run("tar", &["-tzf", &archive.display().to_string()]);
    for file in
        ["Cargo.lock", "artoo-client/Cargo.toml", "artoo-daemon/Cargo.toml", "proto/artoo/v1/service.proto"]
    {
        assert!(
            listed.lines().any(|line| line == format!("artoo-0.1.0/{file}")),
            "{file} is not in the archive"
        );
    }
    if has("ruby") {
        run("ruby", &["-c", &folder.join("artoo.rb").display().to_string()]);
    }
    if has("brew") {
        run("brew", &["style", &folder.join("artoo.rb").display().to_string()]);
    }
    let other =
        [("ARTOO_FORMULA", folder.as_path()), ("ARTOO_URL", Path::new("http://example.org/artoo.zip"))];
    let refused = script(&home, "package-formula", &[], &other);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}
