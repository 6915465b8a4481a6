import type { Route } from '../../http/route.ts'
import {
  createDeleteCompletion,
  createGetCompletion,
  createListCompletions,
  createListMessages,
  createUpdateCompletion,
  type StoredCompletionsDependencies,
} from './handler.ts'

const all = '/v1/chat/completions'
const one = '/v1/chat/completions/{completion}'
const read = 'completions.read'
const write = 'completions.write'

export const createStoredCompletionRoutes = (dependencies: StoredCompletionsDependencies): Route[] => [
  { method: 'GET', path: all, access: 'key', scope: read, handle: createListCompletions(dependencies) },
  { method: 'GET', path: one, access: 'key', scope: read, handle: createGetCompletion(dependencies) },
  { method: 'POST', path: one, access: 'key', scope: write, handle: createUpdateCompletion(dependencies) },
  { method: 'DELETE', path: one, access: 'key', scope: write, handle: createDeleteCompletion(dependencies) },
  { method: 'GET', path: `${one}/messages`, access: 'key', scope: read, handle: createListMessages(dependencies) },
]
