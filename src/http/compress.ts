import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentEncoding } from './content-encoding.ts'

const packBr = promisify(brotliCompress)
const packGzip = promisify(gzip)

/** Most of the gain in a tenth of the time of the highest quality. */
const brotliQuality = 4

/** In a thread of Node's pool, off the event loop. */
export const compress = (
  bytes: Buffer,
  encoding: Exclude<ContentEncoding, 'identity'>,
  quality = brotliQuality,
): Promise<Buffer> =>
  encoding === 'gzip'
    ? packGzip(bytes)
    : packBr(bytes, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
