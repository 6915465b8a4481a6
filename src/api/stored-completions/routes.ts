import type { Route } from '../../http/route.ts'
import {
  createDeleteCompletion,
  createGetCompletion,
  createListCompletions,
  createListMessages,
  createUpdateCompletion,
  type StoredCompletionRooms,
} from './handler.ts'

const all = '/v1/chat/completions'
const one = '/v1/chat/completions/{completion}'
const read = 'completions.read'
const write = 'completions.write'

export const createStoredCompletionRoutes = (rooms: StoredCompletionRooms): Route[] => [
  { method: 'GET', path: all, access: 'key', scope: read, handle: createListCompletions(rooms) },
  { method: 'GET', path: one, access: 'key', scope: read, handle: createGetCompletion(rooms) },
  { method: 'POST', path: one, access: 'key', scope: write, handle: createUpdateCompletion(rooms) },
  { method: 'DELETE', path: one, access: 'key', scope: write, handle: createDeleteCompletion(rooms) },
  { method: 'GET', path: `${one}/messages`, access: 'key', scope: read, handle: createListMessages(rooms) },
]
