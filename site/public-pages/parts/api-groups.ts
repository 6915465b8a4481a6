import { type ListedOperation, operations } from '../../../src/api/openapi/operations.ts'
import { type ApiPage, apiPages } from '../../../src/site-server/pages.ts'

/** Which page of the reference an endpoint is on, by the beginning of its path; the first that fits. */
const beginnings: readonly (readonly [path: string, page: ApiPage])[] = [
  ['/v1/chat/completions', '/docs/api/chat-completions'],
  ['/v1/responses', '/docs/api/responses'],
  ['/v1/messages', '/docs/api/messages'],
  ['/v1/completions', '/docs/api/completions'],
  ['/v1/embeddings', '/docs/api/embeddings'],
  ['/v1/rerank', '/docs/api/rerank'],
  ['/v1/score', '/docs/api/rerank'],
  ['/v1/models', '/docs/api/models'],
  ['/v1/tokenize', '/docs/api/tokens'],
  ['/v1/detokenize', '/docs/api/tokens'],
  ['/v1/key', '/docs/api/keys'],
  ['/v1/usage', '/docs/api/usage'],
]

/** An endpoint that no group is named for is among the others. */
const apiPageOf = ({ path }: ListedOperation): ApiPage =>
  beginnings.find(([beginning]) => path.startsWith(beginning))?.[1] ?? '/docs/api/other'

/** The groups of endpoints, in the order of the navigation. */
export const apiGroups = (): { page: ApiPage; operations: ListedOperation[] }[] =>
  apiPages.map((page) => ({ page, operations: operations.filter((operation) => apiPageOf(operation) === page) }))
