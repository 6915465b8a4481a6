import type { Route } from '../../http/route.ts'
import {
  createChangeKey,
  createCreateKey,
  createDeleteKey,
  createGetKey,
  createListKeys,
  createRotateKey,
  type KeysRooms,
} from './handler.ts'

const all = '/v1/keys'
const one = '/v1/keys/{key}'
const scope = 'manage'

export const createKeyRoutes = (rooms: KeysRooms): Route[] => [
  { method: 'GET', path: all, access: 'key', scope, handle: createListKeys(rooms) },
  { method: 'POST', path: all, access: 'key', scope, handle: createCreateKey(rooms) },
  { method: 'GET', path: one, access: 'key', scope, handle: createGetKey(rooms) },
  { method: 'POST', path: one, access: 'key', scope, handle: createChangeKey(rooms) },
  { method: 'DELETE', path: one, access: 'key', scope, handle: createDeleteKey(rooms) },
  { method: 'POST', path: `${one}/rotate`, access: 'key', scope, handle: createRotateKey(rooms) },
]
