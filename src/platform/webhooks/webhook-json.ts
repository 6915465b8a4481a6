import type { DeliveryPlace, DeliveryRecord, EndpointRecord } from '../../store/webhook-contract.ts'
import { allEventTypes, testType } from '../../webhooks/event-types.ts'
import { deliveryErrors } from '../../webhooks/next-attempt.ts'
import type { ShownDelivery, ShownEndpoint } from '../contract/webhooks.ts'

/** Types that only a later version knows are left out. */
export const endpointJson = (record: EndpointRecord): ShownEndpoint => {
  const { id, channel, url, description, events, isEnabled, previousUntil, createdAt } = record
  const known = allEventTypes.filter((type) => events.includes(type))
  return { id, channel, url, description, events: known, isEnabled, previousUntil, createdAt }
}

export const deliveryJson = (record: DeliveryRecord): ShownDelivery => {
  const { id, event, state, attempts, createdAt, attemptedAt, dueAt, status, error, durationMs } = record
  return {
    ...{ id, eventId: event.id, type: allEventTypes.find((type) => type === event.type) ?? testType, data: event.data },
    ...{ state, attempts, createdAt, attemptedAt, dueAt, status, durationMs },
    error: deliveryErrors.find((known) => known === error) ?? null,
  }
}

/** A place in the list, for the address of the next page. */
export const placeText = ({ createdAt, id }: DeliveryPlace): string => `${createdAt}.${id}`

/** Null: the first page. */
export const readPlace = (text: string | undefined): DeliveryPlace | null => {
  const [, createdAt = '', id = ''] = /^(\d{1,15})\.(\w{1,64})$/.exec(text ?? '') ?? []
  return id === '' ? null : { createdAt: Number(createdAt), id }
}
