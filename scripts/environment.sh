# Sourced by every script here, from the top folder of the clone. Sets `root` (the clone) and `cache` (what is built
# once and kept outside the clone), finds a cargo that rustup put where the shell does not look, and reads the
# variables that scripts/setup could not write into the cargo configuration because that file is the user's own.
root=$(pwd -P)
cache=${ARTOO_BUILD_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or ARTOO_BUILD_CACHE}/.cache}/artoo}
case "$cache" in
  /*) ;;
  *) cache="$root/$cache" ;;
esac
command -v cargo >/dev/null 2>&1 || PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
variables_file="${CARGO_TARGET_DIR:-$root/target}/setup.env"
if [ -f "$variables_file" ] && [ -z "${setup_runs:-}" ]; then
  # shellcheck disable=SC1090 # written by scripts/setup
  . "$variables_file"
fi
