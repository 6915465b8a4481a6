import type { Exchange } from '../../http/exchange.ts'
import { sendJsonText } from '../../http/respond.ts'
import { createHandledRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { createOpenapiWriter } from '../../operations/write-openapi.ts'
import { openapiDocument } from './document.ts'
import { openapiOperations } from './operations.ts'

export const createOpenapiRoutes = (options: { strictRequests: boolean }): Route[] => {
  const write = createOpenapiWriter((origin) => openapiDocument(origin, options))
  return [
    createHandledRoute(openapiOperations.getOpenapi, {
      handle: (exchange: Exchange) => sendJsonText(exchange, 200, write(exchange.origin.origin)),
    }),
  ]
}
