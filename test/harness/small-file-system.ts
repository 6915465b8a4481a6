import { spawnSync } from 'node:child_process'

/**
 * Command prefix that runs a command with a 3 MB file system at `path`. A separate namespace avoids the need for root,
 * and the mount ends with its process.
 */
export const withinSmallFileSystem = (path: string): string[] => {
  const mountFirst = 'mount -t tmpfs -o size=3m,mode=0700 none "$0" && exec "$@"'
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountFirst, path]
}

const [command = '', ...words] = withinSmallFileSystem('/tmp')

/** Some machines forbid namespaces, and some do not have them. */
export const canMount = spawnSync(command, [...words, 'true']).status === 0
