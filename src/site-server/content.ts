import { createHash } from 'node:crypto'
import type { ContentEncoding } from '../http/content-encoding.ts'

export type Compression = Exclude<ContentEncoding, 'identity'>

/** Bytes to send. */
export type Content = {
  etag: string
  plain: Buffer
  /** The same, compressed; null if it is sent as it is. A promise only while it is being compressed. */
  packed(compression: Compression): Buffer | null | Promise<Buffer | null>
}

/** The same for every encoding, hence weak (RFC 9110 §8.8.1). */
export const computeEtag = (text: Buffer | string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
