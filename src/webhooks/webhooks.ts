/**
 * Webhooks and mails about events: who is told of what, and the log of what was delivered. May import everything below it in the
 * table of the architecture. Promises: one event for each occurrence, however many nodes notice it; each delivery is attempted until the endpoint
 * has accepted it, or for more than a day; a secret is shown once and stored encrypted; no connection is made into
 * networks that the operator has not opened.
 */
import { auditEvent } from '../accounts/audit-event.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { AuditAction } from '../store/audit-actions.ts'
import type { AuditActor, AuditEvent } from '../store/audit-contract.ts'
import type {
  DeliveryPlace,
  DeliveryRecord,
  EndpointChanges,
  EndpointRecord,
  WebhookRecords,
  WebhookScope,
} from '../store/webhook-contract.ts'
import { type EventType, eventTypesOf, testType } from './event-types.ts'
import { type TargetGuard, TargetRefused } from './target-guard.ts'
import { mintWebhookSecret } from './webhook-secret.ts'

const maxEndpoints = 20
const maxUrlLength = 2000
/** How long messages are also signed with the secret from before a rotation. */
const rotationGraceMs = 24 * 3_600_000

type NewEndpoint = { url: string | null; description: string; events: readonly EventType[] }
type EndpointEdit = Partial<NewEndpoint & { isEnabled: boolean }>

type WebhooksDependencies = {
  records: WebhookRecords
  seal: Pick<Seal, 'close'>
  guard: Pick<TargetGuard, 'hasOpenNetworks' | 'requirePermitted'>
  sendsMail(): boolean
  clock: Clock
  /** Something is due at once. */
  onQueued(): void
}

/** Each call names whose endpoints it is about; callers check who may. */
export type Webhooks = ReturnType<typeof createWebhooks>

export const createWebhooks = ({ records, seal, guard, sendsMail, clock, onQueued }: WebhooksDependencies) => {
  const close = (id: string, secret: string): string => seal.close(Buffer.from(secret), sealedContexts.webhook(id))
  const event = (
    action: Extract<AuditAction, `webhook.${string}`>,
    by: AuditActor,
    { id, url, organisationId }: Pick<EndpointRecord, 'id' | 'url' | 'organisationId'>,
  ): AuditEvent =>
    // Paths of URLs often contain secrets of their own.
    auditEvent(action, by, clock.now(), {
      ...{
        organisationId,
        target: { kind: 'webhook', id, name: url === null ? 'mail' : (URL.parse(url)?.host ?? '') },
      },
    })
  const find = async (scope: WebhookScope, id: string): Promise<EndpointRecord> => {
    const found = await records.find(scope, id)
    if (found === null) throw notFound(id)
    return found
  }
  const queued = (delivery: DeliveryRecord | null, error: ApiError): DeliveryRecord => {
    if (delivery === null) throw error
    onQueued()
    return delivery
  }
  const save = async (
    { organisationId, id }: EndpointRecord,
    changes: EndpointChanges,
    audit: AuditEvent,
  ): Promise<EndpointRecord> => {
    const changed = await records.change(organisationId, id, changes, audit)
    if (changed === null) throw notFound(id)
    return changed
  }
  return {
    sendsMail,
    /** To networks that the operator has opened. */
    allowsHttp: guard.hasOpenNetworks,
    list: (scope: WebhookScope) => records.list(scope),
    /** Without a URL, mails are sent. The secret is returned once; mails have none. */
    async create(by: AuditActor, scope: WebhookScope, { url, description, events }: NewEndpoint) {
      if (url === null && !sendsMail()) throw ApiError.of('mail_not_configured', {})
      const id = newId('whk')
      const secret = url === null ? null : mintWebhookSecret()
      const endpoint: EndpointRecord = {
        ...{ id, organisationId: scope, channel: url === null ? 'mail' : 'webhook', description: description.trim() },
        ...{ url: url === null ? null : readUrl(url, guard), events: knownEvents(scope, events) },
        ...{ sealedSecret: secret === null ? null : close(id, secret), sealedPrevious: null, previousUntil: null },
        ...{ isEnabled: true, createdAt: clock.now() },
      }
      if (!(await records.insert(endpoint, maxEndpoints, event('webhook.added', by, endpoint))))
        throw ApiError.of('too_many_webhooks', { limit: maxEndpoints })
      return { endpoint, secret }
    },
    async change(by: AuditActor, scope: WebhookScope, id: string, edit: EndpointEdit) {
      const found = await find(scope, id)
      const { url, description, events, isEnabled } = edit
      const changes: EndpointChanges = {
        ...(url === undefined || url === null || found.url === null ? {} : { url: readUrl(url, guard) }),
        ...(description === undefined ? {} : { description: description.trim() }),
        ...(events === undefined ? {} : { events: knownEvents(scope, events) }),
        ...(isEnabled === undefined ? {} : { isEnabled }),
      }
      return save(found, changes, event('webhook.changed', by, { ...found, ...changes }))
    },
    /** The previous secret signs too, for a day. */
    async rotate(by: AuditActor, scope: WebhookScope, id: string) {
      const found = await find(scope, id)
      if (found.channel === 'mail') throw notFound(id)
      const secret = mintWebhookSecret()
      const changes = {
        ...{ sealedSecret: close(id, secret), sealedPrevious: found.sealedSecret },
        previousUntil: clock.now() + rotationGraceMs,
      }
      return { endpoint: await save(found, changes, event('webhook.rotated', by, found)), secret }
    },
    async remove(by: AuditActor, scope: WebhookScope, id: string): Promise<void> {
      const found = await find(scope, id)
      if (!(await records.remove(scope, id, event('webhook.removed', by, found)))) throw notFound(id)
    },
    /** An event of its own, with no other meaning. */
    async test(scope: WebhookScope, id: string): Promise<DeliveryRecord> {
      await find(scope, id)
      const data = JSON.stringify({ organisation_id: scope })
      const test = { id: newId('evt'), organisationId: scope, type: testType, data, createdAt: clock.now() }
      return queued(await records.send(scope, id, test), ApiError.of('webhook_disabled', {}))
    },
    async deliveries(scope: WebhookScope, id: string, after: DeliveryPlace | null, limit: number) {
      await find(scope, id)
      const found = await records.deliveries(scope, id, after, limit + 1)
      return { items: found.slice(0, limit), hasMore: found.length > limit }
    },
    /** With the same id, so that an endpoint that has seen the event can tell. */
    async replay(scope: WebhookScope, id: string, deliveryId: string): Promise<DeliveryRecord> {
      await find(scope, id)
      const replayed = await records.replay(scope, id, deliveryId, clock.now())
      return queued(replayed, ApiError.of('delivery_not_repeatable', {}))
    },
  }
}

const notFound = (id: string): ApiError => ApiError.of('webhook_not_found', { id: id.slice(0, 64) })

/** Names are looked up at each attempt; what can be refused without is refused at once. */
const readUrl = (text: string, guard: Pick<TargetGuard, 'hasOpenNetworks' | 'requirePermitted'>): string => {
  const invalid = ApiError.of('invalid_webhook_url', {}, { param: 'url' })
  const url = text.length > maxUrlLength ? null : URL.parse(text.trim())
  if (url === null || url.username !== '' || url.password !== '') throw invalid
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || !guard.hasOpenNetworks)) throw invalid
  try {
    guard.requirePermitted(url)
  } catch (error) {
    throw error instanceof TargetRefused ? invalid : error
  }
  url.hash = ''
  return url.href
}

/** Those that exist here, each once. */
const knownEvents = (scope: WebhookScope, events: readonly EventType[]): EventType[] =>
  eventTypesOf(scope === null ? 'server' : 'organisation').filter((type) => events.includes(type))
