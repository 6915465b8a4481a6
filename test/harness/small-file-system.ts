import { spawnSync } from 'node:child_process'

/**
 * Words that run a command with a file system of 3 MB at `path`. In a name space of its own nobody has to be root, and the
 * mount ends with its process.
 */
export const withinSmallFileSystem = (path: string): string[] => {
  const mountFirst = 'mount -t tmpfs -o size=3m,mode=0700 none "$0" && exec "$@"'
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mountFirst, path]
}

const [command = '', ...words] = withinSmallFileSystem('/tmp')

/** Some machines allow it to nobody, and some have no such thing. */
export const canMount = spawnSync(command, [...words, 'true']).status === 0
