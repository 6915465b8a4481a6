import type { IncomingMessage } from 'node:http'
import { ApiError } from '../base/errors.ts'
import type { Exchange } from './exchange.ts'
import { parseJson } from './parse-json.ts'
import { Problem } from './schema/problem.ts'
import type { Schema } from './schema/schema.ts'

/** The body of a request, read within its limit, decoded strictly and checked: unknown JSON in, a typed value out. */
export const readJson = async <Value>(
  exchange: Exchange,
  limitBytes: number,
  schema: Schema<Value>,
): Promise<Value> => {
  checkContentType(exchange.request)
  const bytes = await readBody(exchange, limitBytes)
  const value = parseJson(bytes)
  try {
    return schema(value)
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}

/** A missing Content-Type is taken for JSON: there is nothing else it could be. */
const checkContentType = ({ headers }: IncomingMessage): void => {
  const contentType = headers['content-type']
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType.trim()))
    throw ApiError.of('unsupported_content_type', { contentType: contentType.slice(0, 100) })
  const encoding = headers['content-encoding']?.toLowerCase()
  if (encoding !== undefined && encoding !== 'identity')
    throw ApiError.of('unsupported_content_encoding', { encoding: encoding.slice(0, 100) })
}

const readBody = (exchange: Exchange, limitBytes: number): Promise<Buffer> => {
  const { request, signal } = exchange
  const tooLarge = (): ApiError => ApiError.of('request_too_large', { limitBytes })
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.reject(tooLarge())
  if (exchange.expectsContinue) sendContinue(exchange)

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limitBytes) chunks.push(chunk)
      else settle(() => reject(tooLarge()))
    }
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)))
    const onAbort = (): void => settle(() => reject(signal.reason))
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    request.on('data', onData).on('end', onEnd)
  })
}

const sendContinue = (exchange: Exchange): void => {
  exchange.expectsContinue = false
  exchange.response.writeContinue()
}
