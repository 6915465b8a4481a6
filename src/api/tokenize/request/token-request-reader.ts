import type { Clock } from '../../../base/clock.ts'
import { type BodyReader, openBodyReader } from '../../../http/body-reader.ts'
import { readTokenRequest, type TokenNeeds, type TokenRequest } from './read-token-request.ts'

export type TokenRequestReader = BodyReader<TokenNeeds, TokenRequest>

type ReaderOptions = { clock: Clock; bodyLimitBytes: number }

/** Reads requests to `POST /v1/tokenize` and `POST /v1/detokenize`. */
export const openTokenRequestReader = ({ clock, bodyLimitBytes }: ReaderOptions): TokenRequestReader =>
  openBodyReader({
    name: 'read-token-request',
    read: readTokenRequest,
    threadFile: new URL('./token-request-thread.ts', import.meta.url),
    clock,
    bodyLimitBytes,
  })
