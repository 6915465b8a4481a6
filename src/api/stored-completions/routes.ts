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

export const createStoredCompletionRoutes = (rooms: StoredCompletionRooms): Route[] => [
  { method: 'GET', path: all, access: 'key', handle: createListCompletions(rooms) },
  { method: 'GET', path: one, access: 'key', handle: createGetCompletion(rooms) },
  { method: 'POST', path: one, access: 'key', handle: createUpdateCompletion(rooms) },
  { method: 'DELETE', path: one, access: 'key', handle: createDeleteCompletion(rooms) },
  { method: 'GET', path: `${one}/messages`, access: 'key', handle: createListMessages(rooms) },
]
