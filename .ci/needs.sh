# Sourced by the other scripts: what they need and how to get it. Whatever cannot be had is reported, and what needs it is not run.

# Runs a command again after a failure: registries fail for moments.
retry() { # command
  local pause
  for pause in 2 5 15; do
    "$@" && return
    sleep "$pause"
  done
  "$@"
}

# True if the command is there, or could be installed from Debian's packages.
need() { # command, packages
  command -v "$1" >/dev/null && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends -o Acquire::Retries=3 "${@:2}")
  # A fresh machine has no lists, and an old one lists packages that are gone.
  "${install[@]}" >/dev/null 2>&1 || { retry apt-get update --quiet >/dev/null 2>&1 && retry "${install[@]}" >/dev/null 2>&1; } || return 1
  command -v "$1" >/dev/null
}
