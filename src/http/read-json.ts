import type { IncomingMessage } from 'node:http'
import { ApiError } from '../base/api-error.ts'
import type { Exchange } from './exchange.ts'
import { createJsonCheck, parseJson } from './parse-json.ts'
import { type BodyBlocks, freeBytes, joinBlocks, readBody } from './read-body.ts'
import { Problem } from './schema/problem.ts'
import type { Schema } from './schema/schema.ts'

/** Reads the body of a request within its limit and validates it: unknown JSON in, a typed value out. */
export const readJson = async <Value>(
  exchange: Exchange,
  limitBytes: number,
  schema: Schema<Value>,
): Promise<Value> => {
  const blocks = await readJsonBlocks(exchange, limitBytes)
  try {
    return schema(parseJson(joinBlocks(blocks)))
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  } finally {
    blocks.forEach(freeBytes)
  }
}

/** The bytes of a body that is declared as JSON. Most bodies that exceed a limit are refused while they arrive. */
export const readJsonBlocks = async (exchange: Exchange, limitBytes: number): Promise<BodyBlocks> => {
  checkContentType(exchange.request)
  return readBody(exchange, limitBytes, createJsonCheck())
}

/** A missing Content-Type means JSON: nothing else is accepted. */
const checkContentType = ({ headers }: IncomingMessage): void => {
  const contentType = headers['content-type']
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType.trim()))
    throw ApiError.of('unsupported_content_type', { contentType: contentType.slice(0, 100) })
  const encoding = headers['content-encoding']?.toLowerCase()
  if (encoding !== undefined && encoding !== 'identity')
    throw ApiError.of('unsupported_content_encoding', { encoding: encoding.slice(0, 100) })
}
