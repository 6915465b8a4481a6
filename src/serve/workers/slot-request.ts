import { ApiError } from '../../base/api-error.ts'
import type { AuthorityPort } from './authority-port.ts'
import type { GrantedPlaces } from './granted-places.ts'
import type { Ticket } from './protocol.ts'
import type { Tickets } from './tickets.ts'

export type AskedSlot = {
  /** The request, which begins at the same time. */
  request: Ticket
  model: string
  ownerId: string
  choices: number
}

/** `extras`: how many more slots there are, for further choices. */
export type GivenSlot = { ticket: Ticket; extras: number }

/** The slot of a request of a worker, which its authority was asked for. */
export interface SlotRequest {
  /** Resolves to what was given. Rejects as the queue does, or with the reason of the signal: then it is not wanted any more. */
  wait(signal: AbortSignal): Promise<GivenSlot>
  /** The request has ended. If nothing has waited for the slot, it is not wanted any more. */
  end(): void
  /** The slot is free again, and so is the place that came with it, if it was not used. */
  giveBack(): void
}

type SlotDependencies = { port: AuthorityPort; tickets: Tickets; places: GrantedPlaces }

export const createAskSlot =
  ({ port, tickets, places }: SlotDependencies) =>
  ({ request, model, ownerId, choices }: AskedSlot): SlotRequest => {
    const ticket = tickets.take()
    if (ticket === null) return fullQueue
    const place = places.ask(model)
    const giveBack = (): void => {
      tickets.giveBack(ticket)
      if (place !== null) places.giveBackUnused(place)
    }
    let isWanted = true
    let isAwaited = false
    let isGranted = false
    const answered = port.call('enter', { ticket, request, choices, place }).then(
      ({ upstream, extras }): GivenSlot => {
        if (place !== null && upstream !== null) places.granted({ ticket: place, model, ownerId, upstream })
        else if (place !== null) places.notGranted(place)
        isGranted = true
        if (!isWanted) giveBack()
        return { ticket, extras }
      },
      (error: unknown) => {
        if (place !== null) places.notGranted(place)
        tickets.giveBack(ticket)
        throw error
      },
    )
    // A request that does not begin does not wait for it.
    answered.catch(() => {})
    const leave = (): void => {
      isWanted = false
      port.note('slotLeft', { ticket, tokens: null })
      if (isGranted) giveBack()
    }
    return {
      giveBack,
      end() {
        if (!isAwaited && isWanted) leave()
      },
      wait: (signal) =>
        new Promise((resolve, reject) => {
          isAwaited = true
          const onAbort = (): void => {
            leave()
            reject(signal.reason)
          }
          if (signal.aborted) return onAbort()
          signal.addEventListener('abort', onAbort, { once: true })
          const settled = (): void => signal.removeEventListener('abort', onAbort)
          answered.then(
            (granted) => {
              settled()
              if (isWanted) resolve(granted)
            },
            (error: unknown) => {
              settled()
              reject(error)
            },
          )
        }),
    }
  }

const fullQueue: SlotRequest = {
  wait: () => Promise.reject(ApiError.of('queue_full', {}, { retryAfterMs: 1000 })),
  giveBack() {},
  end() {},
}
