import { createRoutes, type RoutesDependencies } from '../../src/routes.ts'

/** The table of all routes, to look at: no handler of it can run. */
export const routeTable = (): ReturnType<typeof createRoutes> => {
  const nothing: object = {
    ...{ config: {}, store: {}, accounts: {} },
    ...{ chatCompletions: {}, responses: {}, messages: {}, completions: {}, embeddings: {}, inputTokens: {} },
    ...{ rerank: {}, score: {} },
    readers: { reader: () => ({}) },
  }
  return createRoutes(nothing as RoutesDependencies)
}
