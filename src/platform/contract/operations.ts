import { isObject } from '../../http/schema/containers.ts'
import { schema } from '../../http/schema/schema.ts'
import type { Operations } from '../../operations/operation.ts'
import { accountOperations } from './account.ts'
import { auditOperations } from './audit.ts'
import { conversationOperations } from './conversations.ts'
import { keyOperations } from './keys.ts'
import { limitOperations } from './limits.ts'
import { modelOperations } from './models.ts'
import { nodeOperations } from './nodes.ts'
import { noticeOperations } from './notices.ts'
import { get, session } from './operation.ts'
import { organisationOperations } from './organisation.ts'
import { overviewOperations } from './overview.ts'
import { playgroundOperations } from './playground.ts'
import { promptOperations } from './prompts.ts'
import { requestOperations } from './requests.ts'
import { secondFactorOperations } from './second-factor.ts'
import { serverOperations } from './server.ts'
import { settingOperations } from './settings.ts'
import { signInOperations } from './sign-in.ts'
import { upstreamOperations } from './upstreams.ts'
import { usageOperations } from './usage.ts'
import { webhookOperations } from './webhooks.ts'

export const documentOperations = {
  showOpenapi: get('/openapi.json', session, 'Returns this OpenAPI document.', {
    answer: schema({ type: 'object' }, (value) => (isObject(value) ? value : {})),
  }),
}

/** Every operation of `/platform`, by the part of the API that it belongs to. */
export const platformOperations = {
  'Sign-in': signInOperations,
  'Second factor': secondFactorOperations,
  Account: accountOperations,
  Organisation: organisationOperations,
  Keys: keyOperations,
  Limits: limitOperations,
  Usage: usageOperations,
  Notices: noticeOperations,
  Requests: requestOperations,
  Playground: playgroundOperations,
  Conversations: conversationOperations,
  Prompts: promptOperations,
  Audit: auditOperations,
  Overview: overviewOperations,
  Server: serverOperations,
  Settings: settingOperations,
  Models: modelOperations,
  Upstreams: upstreamOperations,
  Nodes: nodeOperations,
  Webhooks: webhookOperations,
  Contract: documentOperations,
} as const satisfies Readonly<Record<string, Operations>>

type Parts = (typeof platformOperations)[keyof typeof platformOperations]
type IdsIn<Part> = Part extends unknown ? keyof Part : never
type RowIn<Part, Id> = Part extends unknown ? (Id extends keyof Part ? Part[Id] : never) : never

/** The type of every row by its `operationId`, for callers that must not load the schemas: the scripts of the site. */
export type PlatformRows = { [Id in IdsIn<Parts>]: RowIn<Parts, Id> }
