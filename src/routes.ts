import { type ChatCompletionsRooms, createChatCompletions } from './api/chat-completions/handler.ts'
import { createGetModel, createListModels } from './api/models/handler.ts'
import { showOpenapi } from './api/openapi/handler.ts'
import { createStoredCompletionRoutes } from './api/stored-completions/routes.ts'
import type { Route } from './http/route.ts'
import type { KeyRegistry } from './keys/key-registry.ts'
import { createMakeLink } from './platform/admin/handler.ts'
import { createWriteBackup } from './platform/backup/handler.ts'
import { createShowReadiness, showHealth } from './platform/health/handler.ts'
import { createCreateKey, createListKeys, createRevokeKey } from './platform/keys/handler.ts'
import { createPlatformRoutes, type PlatformRooms } from './platform/routes.ts'
import { createResetTwoFactorByCommand } from './platform/sign-in/two-factor.ts'
import type { Site } from './site/open-site.ts'
import { createSiteRoutes } from './site/routes.ts'
import type { Store } from './store/contract.ts'

export type Rooms = Omit<ChatCompletionsRooms, 'completions'> &
  Omit<PlatformRooms, 'complete'> & { store: Store; keys: KeyRegistry; site: Site; siteUrl(): string }

/** The whole list of routes, each with who may call it. What is not here does not exist. */
export const createRoutes = (rooms: Rooms): Route[] => [
  {
    method: 'POST',
    path: '/v1/chat/completions',
    access: 'key',
    scope: 'chat',
    handle: createChatCompletions(withRecords(rooms)),
  },
  ...createStoredCompletionRoutes(withRecords(rooms)),
  { method: 'GET', path: '/v1/models', access: 'key', scope: 'models', handle: createListModels(rooms.engine) },
  { method: 'GET', path: '/v1/models/{model}', access: 'key', scope: 'models', handle: createGetModel(rooms.engine) },
  { method: 'GET', path: '/v1/openapi.json', access: 'anyone', handle: showOpenapi },

  { method: 'GET', path: '/healthz', access: 'anyone', handle: showHealth },
  {
    method: 'GET',
    path: '/readyz',
    access: 'anyone',
    handle: createShowReadiness(rooms.engine, rooms.store, rooms.clock),
  },

  ...createPlatformRoutes({ ...rooms, complete: createChatCompletions(withRecords(rooms)) }),

  { method: 'POST', path: '/control/keys', access: 'socket', handle: createCreateKey(rooms.keys) },
  { method: 'GET', path: '/control/keys', access: 'socket', handle: createListKeys(rooms.keys) },
  { method: 'POST', path: '/control/keys/{key}/revoke', access: 'socket', handle: createRevokeKey(rooms.keys) },
  { method: 'POST', path: '/control/links', access: 'socket', handle: createMakeLink(rooms.accounts, rooms.siteUrl) },
  { method: 'POST', path: '/control/backup', access: 'socket', handle: createWriteBackup(rooms.store) },
  {
    method: 'POST',
    path: '/control/accounts/reset-two-factor',
    access: 'socket',
    handle: createResetTwoFactorByCommand(rooms.accounts),
  },

  ...createSiteRoutes(rooms.site),
]

const withRecords = (rooms: Rooms): ChatCompletionsRooms => ({ ...rooms, completions: rooms.store.completions })
