import type { Route } from '../../../http/route.ts'
import { responsesStyle } from '../responses-style.ts'
import {
  createCancelResponse,
  createDeleteResponse,
  createGetResponse,
  createListInputItems,
  type StoredResponsesDependencies,
} from './handler.ts'

const one = '/v1/responses/{response}'
const read = 'completions.read'
const write = 'completions.write'
const style = responsesStyle
/** Shortening a conversation is not supported. */
const except = ['/v1/responses/compact']

export const createStoredResponseRoutes = (dependencies: StoredResponsesDependencies): Route[] => [
  { method: 'GET', path: one, except, access: 'key', scope: read, style, handle: createGetResponse(dependencies) },
  { method: 'DELETE', path: one, except, access: 'key', scope: write, handle: createDeleteResponse(dependencies) },
  { method: 'POST', path: `${one}/cancel`, access: 'key', scope: write, handle: createCancelResponse(dependencies) },
  { method: 'GET', path: `${one}/input_items`, access: 'key', scope: read, handle: createListInputItems(dependencies) },
]
