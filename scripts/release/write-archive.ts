import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

type ArchiveOptions = {
  folder: string
  target: string
  /** Of every file, in seconds since 1970. */
  modifiedAt: number
  /** Paths inside the folder to leave out. */
  without?: readonly string[]
  /** Paths begin with `./`, not with the name of the folder. */
  contentsOnly?: boolean
}

/**
 * A `.tar.gz` whose bytes depend on names, contents and the right to execute only: sorted, with one time and owner for all
 * files, compressed by the pinned Node. Returns its SHA-256.
 */
export const writeArchive = async (options: ArchiveOptions): Promise<string> => {
  const { folder, target, modifiedAt, without = [], contentsOnly = false } = options
  const [directory, name] = contentsOnly ? [folder, '.'] : [dirname(folder), basename(folder)]
  const args = [
    ...['--create', '--format=gnu', '--sort=name', `--mtime=@${modifiedAt}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
    ...without.map((path) => `--exclude=${name}/${path}`),
    ...['--directory', directory, name],
  ]
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LC_ALL: 'C' } })
  const ended = once(tar, 'close')
  const digest = createHash('sha256')
  const counted = new PassThrough()
  counted.on('data', (chunk: Buffer) => digest.update(chunk))
  await pipeline(tar.stdout, createGzip({ level: 6 }), counted, createWriteStream(target))
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
  return digest.digest('hex')
}
