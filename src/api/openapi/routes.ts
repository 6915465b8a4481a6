import type { Exchange } from '../../http/exchange.ts'
import { sendJsonText } from '../../http/respond.ts'
import { createHandledRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { openapiOperations } from './operations.ts'
import { createDocumentWriter } from './write-document.ts'

export const createOpenapiRoutes = (options: { strictRequests: boolean }): Route[] => {
  const write = createDocumentWriter(options)
  return [
    createHandledRoute(openapiOperations.getOpenapi, {
      handle: (exchange: Exchange) => sendJsonText(exchange, 200, write(exchange.origin.origin)),
    }),
  ]
}
