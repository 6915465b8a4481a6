import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { openapiDocument } from './document.ts'
import { openapiOperations } from './operations.ts'

export const createOpenapiRoutes = (options: { strictRequests: boolean }): Route[] => [
  createRoute(openapiOperations.getOpenapi, ({ exchange }) => openapiDocument(exchange.origin.origin, options)),
]
