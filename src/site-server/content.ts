import { createHash } from 'node:crypto'

/** Bytes to send, in each available encoding. */
export type Content = { etag: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null }

/** The same for every encoding, hence weak (RFC 9110 §8.8.1). */
export const computeEtag = (plain: Buffer): string =>
  `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
