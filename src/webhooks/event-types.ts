/**
 * Every type of event, one row each, in the order in which they are shown: whose it can be, and what it is about. Words are in
 * `languages/`, and docs/webhooks.md describes the data of each. The site imports this file.
 */
const eventTypes = {
  'budget.reached': { scopes: ['organisation', 'server'] },
  'key.expiring': { scopes: ['organisation'] },
  'sign_in.new_place': { scopes: ['organisation'] },
  'engine.down': { scopes: ['server'] },
  'engine.recovered': { scopes: ['server'] },
  'upstream.down': { scopes: ['server'] },
  'upstream.recovered': { scopes: ['server'] },
  'node.lost': { scopes: ['server'] },
  'certificate.expiring': { scopes: ['server'] },
  'disk.low': { scopes: ['server'] },
  'backup.overdue': { scopes: ['server'] },
  'clock.skewed': { scopes: ['server'] },
} as const satisfies Record<string, { scopes: readonly EventScope[] }>

export type EventScope = 'organisation' | 'server'
export type EventType = keyof typeof eventTypes

/** Of an endpoint that is tried out. No endpoint has to ask for it. */
export const testType = 'test'

const isType = (text: string): text is EventType => text in eventTypes
export const allEventTypes: readonly EventType[] = Object.keys(eventTypes).filter(isType)

export const eventTypesOf = (scope: EventScope): EventType[] =>
  allEventTypes.filter((type) => eventTypes[type].scopes.some((one) => one === scope))
