import { spawnSync } from 'node:child_process'

/**
 * Command prefix that runs a command with a small file system at `path`, of 3 MB by default. A separate namespace avoids the need for root,
 * and the mount ends with its process.
 */
export const withinSmallFileSystem = (path: string, megabytes = 3): string[] => {
  const mountFirst = `mount -t tmpfs -o size=${megabytes}m,mode=0700 none "$0" && exec "$@"`
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountFirst, path]
}

const [command = '', ...words] = withinSmallFileSystem('/tmp')

/** Some machines forbid namespaces, and some do not have them. */
export const canMount = spawnSync(command, [...words, 'true']).status === 0
