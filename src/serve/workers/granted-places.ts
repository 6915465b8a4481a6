import type { AuthorityPort } from './authority-port.ts'
import type { Ticket } from './protocol.ts'
import type { Tickets } from './tickets.ts'

/** A place at an upstream that came with a slot. */
type GrantedPlace = { ticket: Ticket; model: string; ownerId: string; upstream: string }

/**
 * Places that came with slots and are not used yet. With one upstream there is nothing to choose, so that the authority can
 * give both at once; which request of an owner uses which makes no difference.
 */
export interface GrantedPlaces {
  /** From now on these are the upstreams of a model. */
  follow(model: string, countUpstreams: () => number): void
  /** A ticket to ask with; null: the place is asked for apart. */
  ask(model: string): Ticket | null
  granted(place: GrantedPlace): void
  /** Another was not: its ticket is free. */
  notGranted(ticket: Ticket): void
  take(model: string, ownerId: string): GrantedPlace | null
  /** Nothing was sent to the upstream. */
  giveBack(ticket: Ticket): void
  /** The same, unless it was taken. */
  giveBackUnused(ticket: Ticket): void
}

export const createGrantedPlaces = (port: () => AuthorityPort, tickets: Tickets): GrantedPlaces => {
  const upstreamsOf = new Map<string, () => number>()
  const unused: GrantedPlace[] = []

  const remove = (index: number): GrantedPlace | null => (index < 0 ? null : (unused.splice(index, 1)[0] ?? null))
  const giveBack = (ticket: Ticket): void => {
    port().note('placeLeft', { ticket, outcome: null, answeredTokens: null })
    tickets.giveBack(ticket)
  }
  return {
    follow: (model, countUpstreams) => void upstreamsOf.set(model, countUpstreams),
    ask: (model) => (upstreamsOf.get(model)?.() === 1 ? tickets.take() : null),
    granted: (place) => void unused.push(place),
    notGranted: (ticket) => tickets.giveBack(ticket),
    take: (model, ownerId) => remove(unused.findIndex((one) => one.model === model && one.ownerId === ownerId)),
    giveBack,
    giveBackUnused(ticket) {
      if (remove(unused.findIndex((one) => one.ticket === ticket)) !== null) giveBack(ticket)
    },
  }
}
