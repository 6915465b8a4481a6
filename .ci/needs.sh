# Sourced by the other scripts: what they need and how to get it. Whatever cannot be had is reported, and what needs it is not run. Everything
# ends within minutes, also where a network swallows packets.

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
has_debian=yes
need() { # command, packages
  command -v "$1" >/dev/null && return
  [ "$has_debian" = yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  local apt=(timeout --kill-after=10 240 env DEBIAN_FRONTEND=noninteractive apt-get --quiet -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120)
  local install=("${apt[@]}" install --yes --no-install-recommends "${@:2}")
  # A fresh machine has no lists, and an old one lists packages that are gone.
  if ! "${install[@]}" >/dev/null 2>&1 && ! { "${apt[@]}" update >/dev/null 2>&1 && "${install[@]}" >/dev/null 2>&1; }; then
    # Nothing else would be installed either.
    has_debian=no
    return 1
  fi
  command -v "$1" >/dev/null
}
