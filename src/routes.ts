import { type ChatCompletionsRooms, createChatCompletions } from './api/chat-completions/handler.ts'
import { createRecordRefusal, type RecordRefusalDependencies } from './api/chat-completions/record-refusal.ts'
import { createShowKey } from './api/key/handler.ts'
import { createKeyRoutes } from './api/keys/routes.ts'
import { createGetModel, createListModels } from './api/models/handler.ts'
import { showOpenapi } from './api/openapi/handler.ts'
import { createStoredCompletionRoutes } from './api/stored-completions/routes.ts'
import { createShowUsage } from './api/usage/handler.ts'
import { createWriteBackup } from './control/back-up.ts'
import { type ControlRooms, createControl } from './control/create-control.ts'
import { createControlRoutes } from './control/routes.ts'
import { createShowReadiness, showHealth } from './health/show-health.ts'
import type { Route } from './http/route.ts'
import { createMakeLink } from './platform/admin/handler.ts'
import { createPlatformRoutes, type PlatformRooms } from './platform/routes.ts'
import { createResetTwoFactorByCommand } from './platform/sign-in/two-factor.ts'
import type { Site } from './site-server/open-site.ts'
import { createSiteRoutes } from './site-server/routes.ts'

export type Rooms = Omit<ChatCompletionsRooms, 'completions'> &
  Omit<PlatformRooms, 'complete' | 'onRefused'> &
  RecordRefusalDependencies &
  Omit<ControlRooms, 'suspensions'> & { site: Site; siteUrl(): string }

/** The whole list of routes, each with who may call it. What is not here does not exist. */
export const createRoutes = (rooms: Rooms): Route[] => [
  {
    method: 'POST',
    path: '/v1/chat/completions',
    access: 'key',
    scope: 'chat',
    handle: createChatCompletions(withRecords(rooms)),
    onError: createRecordRefusal(rooms),
  },
  ...createStoredCompletionRoutes(withRecords(rooms)),
  { method: 'GET', path: '/v1/models', access: 'key', scope: 'models', handle: createListModels(rooms.engine) },
  { method: 'GET', path: '/v1/models/{model}', access: 'key', scope: 'models', handle: createGetModel(rooms.engine) },
  { method: 'GET', path: '/v1/key', access: 'key', scope: 'any', handle: createShowKey(rooms) },
  ...createKeyRoutes(rooms),
  { method: 'GET', path: '/v1/usage', access: 'key', scope: 'manage', handle: createShowUsage(rooms) },
  { method: 'GET', path: '/v1/openapi.json', access: 'anyone', handle: showOpenapi },

  { method: 'GET', path: '/healthz', access: 'anyone', handle: showHealth },
  {
    method: 'GET',
    path: '/readyz',
    access: 'anyone',
    handle: createShowReadiness(rooms.engine, rooms.store, rooms.clock),
  },

  ...createPlatformRoutes({
    ...rooms,
    complete: createChatCompletions(withRecords(rooms)),
    onRefused: createRecordRefusal(rooms),
  }),

  ...createControlRoutes(createControl({ ...rooms, suspensions: rooms.accounts.suspensions })),
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
