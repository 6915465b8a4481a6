import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fullVersion } from '../base/version.ts'
import { type Content, computeEtag } from './content.ts'
import { originMark, versionMark } from './pages.ts'

/** A server has a few addresses; made-up host names only evict each other. */
const maxContents = 300

/** Documents with the reader's address filled in, compressed once and cached. */
export const createFilledDocuments = (
  textOf: (file: string) => string,
): ((file: string, origin: string) => Content) => {
  const contents = new Map<string, Content>()
  return (file, origin) => {
    const key = `${file} ${origin}`
    const content = contents.get(key) ?? fill(textOf(file), origin)
    contents.delete(key)
    contents.set(key, content)
    const [oldest] = contents.keys()
    if (contents.size > maxContents && oldest !== undefined) contents.delete(oldest)
    return content
  }
}

/** The origin is built from a validated host name, so it contains nothing that HTML would interpret. */
const fill = (html: string, origin: string): Content => {
  const plain = Buffer.from(html.replaceAll(originMark, origin).replaceAll(versionMark, fullVersion))
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return { etag: computeEtag(plain), plain, br: brotliCompressSync(plain, quality), gzip: gzipSync(plain) }
}
