import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { errorText, type Log } from '../base/log.ts'
import type { WebhookRecords, WebhookScope } from '../store/webhook-contract.ts'
import type { EventType } from './event-types.ts'

/** The names are those of the JSON that endpoints get. Never a secret. */
export type EventData = Readonly<Record<string, string | number | null>>

type RaisedEvent = {
  scope: WebhookScope
  type: EventType
  data: EventData
  /** What it is about, within its scope and type; see `Occurrence`. */
  about: string
  /** Until when the same event is not raised again. */
  until: number
}

/** Never rejects: an event that cannot be stored does not fail the request or job that raised it. True if this call created the event. */
export type RaiseEvent = (event: RaisedEvent) => Promise<boolean>

type RaiseDependencies = {
  records: Pick<WebhookRecords, 'raise'>
  clock: Clock
  log: Log
  onRaised(): void
}

export const createRaiseEvent =
  ({ records, clock, log, onRaised }: RaiseDependencies): RaiseEvent =>
  async ({ scope, type, data, about, until }) => {
    const event = { id: newId('evt'), organisationId: scope, type, data: JSON.stringify(data), createdAt: clock.now() }
    try {
      const isRaised = await records.raise(event, { name: `${scope ?? 'server'} ${type} ${about}`, until })
      if (isRaised) {
        log.info('webhook_event', { eventId: event.id, type, organisation: scope ?? undefined })
        onRaised()
      }
      return isRaised
    } catch (error) {
      log.warn('webhook_event_failed', { type, cause: errorText(error) })
      return false
    }
  }
