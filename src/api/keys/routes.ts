import type { Route } from '../../http/route.ts'
import {
  createChangeKey,
  createCreateKey,
  createDeleteKey,
  createGetKey,
  createListKeys,
  createRotateKey,
  type KeysDependencies,
} from './handler.ts'

const all = '/v1/keys'
const one = '/v1/keys/{key}'
const scope = 'manage'

export const createKeyRoutes = (dependencies: KeysDependencies): Route[] => [
  { method: 'GET', path: all, access: 'key', scope, handle: createListKeys(dependencies) },
  { method: 'POST', path: all, access: 'key', scope, handle: createCreateKey(dependencies) },
  { method: 'GET', path: one, access: 'key', scope, handle: createGetKey(dependencies) },
  { method: 'POST', path: one, access: 'key', scope, handle: createChangeKey(dependencies) },
  { method: 'DELETE', path: one, access: 'key', scope, handle: createDeleteKey(dependencies) },
  { method: 'POST', path: `${one}/rotate`, access: 'key', scope, handle: createRotateKey(dependencies) },
]
