import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
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

/** Writes compressed copies of text files, and lists what may be served. */
export const packFiles = async (folder: string): Promise<SiteIndex['files']> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
  const listed: SiteIndex['files'] = []
  for (const entry of files) {
    const at = join(entry.parentPath, entry.name)
    const kind = contentTypes[extname(entry.name)]
    if (kind === undefined) throw new Error(`${entry.name}: no content type is known for it`)
    if (kind.isText) {
      const content = await readFile(at)
      await writeFile(`${at}.br`, await packBr(content))
      await writeFile(`${at}.gz`, await packGzip(content, { level: 9 }))
    }
    const path = at.slice(folder.length).replaceAll('\\', '/')
    listed.push({ path, contentType: kind.type, isCompressed: kind.isText })
  }
  return listed
}
