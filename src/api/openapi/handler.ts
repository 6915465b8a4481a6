import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import { openapiDocument } from './document.ts'

/** `GET /v1/openapi.json` */
export const createShowOpenapi =
  (options: { strictRequests: boolean }) =>
  (exchange: Exchange): void =>
    sendJson(exchange, 200, openapiDocument(exchange.origin.origin, options))
