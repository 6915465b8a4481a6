import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { SiteIndex } from '../../src/site-server/built-site.ts'

const contentTypes: Record<string, { type: string; isText: boolean }> = {
  '.js': { type: 'text/javascript; charset=utf-8', isText: true },
  '.css': { type: 'text/css; charset=utf-8', isText: true },
  '.svg': { type: 'image/svg+xml', isText: true },
  '.json': { type: 'application/json', isText: true },
  '.txt': { type: 'text/plain; charset=utf-8', isText: true },
  '.webmanifest': { type: 'application/manifest+json', isText: true },
  '.webp': { type: 'image/webp', isText: false },
  '.png': { type: 'image/png', isText: false },
  '.woff2': { type: 'font/woff2', isText: false },
}

const packBr = promisify(brotliCompress)
const packGzip = promisify(gzip)

/**
 * `quick` is for a clone, where somebody waits for the pages: a fortieth of the time for a tenth more bytes. A release is built once
 * and read by many.
 */
const qualities = { quick: { br: 5, gzip: 6 }, highest: { br: 11, gzip: 9 } } as const

type Listed = SiteIndex['files'][number]

/** Writes compressed copies of text files, and lists what may be served, apart from what was listed before. */
export const packFiles = async (
  folder: string,
  quality: keyof typeof qualities,
  before: readonly Listed[] = [],
): Promise<Listed[]> => {
  const known = new Set(before.map(({ path }) => path))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.json' && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .filter((path) => !known.has(path))
  // All at once: each is compressed on a thread of Node's pool, which has four.
  const listed = await Promise.all(paths.map((path) => packFile(folder, path, quality)))
  return [...before, ...listed].sort((one, other) => (one.path < other.path ? -1 : 1))
}

const packFile = async (folder: string, path: string, quality: keyof typeof qualities): Promise<Listed> => {
  const kind = contentTypes[extname(path)]
  if (kind === undefined) throw new Error(`${path}: no content type is known for it`)
  if (kind.isText) {
    const at = join(folder, path)
    const content = await readFile(at)
    const { br, gzip: level } = qualities[quality]
    const params = { [constants.BROTLI_PARAM_QUALITY]: br }
    const [packed, gzipped] = await Promise.all([packBr(content, { params }), packGzip(content, { level })])
    await Promise.all([writeFile(`${at}.br`, packed), writeFile(`${at}.gz`, gzipped)])
  }
  return { path, contentType: kind.type, isCompressed: kind.isText }
}
