import { createByteCache } from '../base/byte-cache.ts'
import { fullVersion } from '../base/version.ts'
import { compress } from '../http/compress.ts'
import { type Compression, type Content, computeEtag } from './content.ts'
import { modelMark, originMark, sourceMark, versionMark } from './pages.ts'

/** Several times what all documents take for one address. Made-up host names only evict each other. */
const maxCachedBytes = 67_108_864
/** Each occupies a thread of Node's pool for some milliseconds. */
const maxPacking = 2

/** Higher than for answers, because each is compressed once for many readers. */
const brotliQuality = 5

/** What a document is filled in with: the address that the reader used, and the default chat model. */
export type DocumentValues = { origin: string; model: string }

type FilledOptions = {
  /** Where the source code is, if the operator named a place. */
  sourceUrl?: string | null
  cachedBytes?: number
  pack?(plain: Buffer, compression: Compression): Promise<Buffer>
}

/**
 * Documents with values filled in. Anybody may ask for each by any host name, so it costs the event loop no more than a copy:
 * documents are compressed on other threads, and sent as they are while these are busy.
 */
export const createFilledDocuments = (
  textOf: (file: string) => string,
  { sourceUrl = null, cachedBytes = maxCachedBytes, pack = packDocument }: FilledOptions = {},
): ((file: string, values: DocumentValues) => Content) => {
  const templates = new Map<string, Template>()
  const cache = createByteCache<Buffer>(cachedBytes)
  const packing = new Map<string, Promise<Buffer | null>>()

  const templateOf = (file: string): Template => {
    const template = templates.get(file) ?? readTemplate(textOf(file))
    templates.set(file, template)
    return template
  }
  const keep = (key: string, bytes: Buffer): Buffer => {
    cache.set(key, bytes, bytes.length)
    return bytes
  }
  const startPacking = (key: string, plain: Buffer, compression: Compression): Promise<Buffer | null> | null => {
    if (packing.size >= maxPacking) return null
    const packed = pack(plain, compression)
      .then((bytes) => keep(key, bytes))
      .catch(() => null)
      .finally(() => packing.delete(key))
    packing.set(key, packed)
    return packed
  }
  return (file, { origin, model }) => {
    const { parts, digest } = templateOf(file)
    const shown = (text: string): string => (file.endsWith('.html') ? escapeHtml(text) : text)
    const values = [origin, fullVersion, shown(model), shown(sourceUrl ?? '')]
    const key = JSON.stringify([file, origin, model])
    const plain = cache.get(key) ?? keep(key, fillIn(parts, values))
    return {
      etag: computeEtag(JSON.stringify([digest, ...values])),
      plain,
      packed(compression) {
        const packedKey = `${key} ${compression}`
        return cache.get(packedKey) ?? packing.get(packedKey) ?? startPacking(packedKey, plain, compression)
      },
    }
  }
}

const packDocument = (plain: Buffer, compression: Compression): Promise<Buffer> =>
  compress(plain, compression, brotliQuality)

/** Texts, and between them the numbers of the values. */
type Template = { parts: readonly (Buffer | number)[]; digest: string }

const marks = [originMark, versionMark, modelMark, sourceMark]
const anyMark = new RegExp(`(${marks.map((mark) => mark.replaceAll(/[{}]/g, '\\$&')).join('|')})`)

const readTemplate = (text: string): Template => ({
  parts: text.split(anyMark).map((part) => (marks.includes(part) ? marks.indexOf(part) : Buffer.from(part))),
  digest: computeEtag(text),
})

/** The origin is built from a validated host name, so it contains nothing that HTML would interpret. */
const fillIn = (parts: Template['parts'], values: readonly string[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from(values[part] ?? '') : part)))

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
