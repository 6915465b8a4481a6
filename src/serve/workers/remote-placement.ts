import { ApiError } from '../../base/api-error.ts'
import type { UpstreamOutcome } from '../../upstreams/pool/circuit-breaker.ts'
import type { Placed, Placement, Placing } from '../../upstreams/pool/placement.ts'
import type { PoolMember } from '../../upstreams/pool/pool-member.ts'
import type { AuthorityPort } from './authority-port.ts'
import type { GrantedPlaces } from './granted-places.ts'
import type { Ticket } from './protocol.ts'
import type { Tickets } from './tickets.ts'

type PlacementDependencies = { port: AuthorityPort; tickets: Tickets; granted: GrantedPlaces }

/** Which upstream gets a request of a worker: its authority decides, because it knows the requests of all. */
export const createRemotePlacement = (
  model: string,
  members: () => readonly PoolMember[],
  { port, tickets, granted }: PlacementDependencies,
): Placement => {
  granted.follow(model, () => members().length)
  const candidates = ({ tried, accepts }: Pick<Placing, 'tried' | 'accepts'>): readonly PoolMember[] =>
    members().filter((member) => !member.isDraining && !tried.has(member.name) && accepts(member))
  const open = (ticket: Ticket, member: PoolMember, tokens: number): Placed => {
    // Keeps its connections open; how it is doing is known to the authority only.
    const local = member.use(tokens)
    let ended: UpstreamOutcome | null = null
    let hasBegun = false
    let answeredTokens: number | null = null
    let isReleased = false
    return {
      member,
      use: {
        end(outcome) {
          if (outcome.type !== 'began') ended ??= outcome
          else if (!hasBegun && !isReleased) {
            hasBegun = true
            port.note('placeBegan', { ticket, isWhole: outcome.isWhole ?? false })
          }
        },
        answered(tokens) {
          answeredTokens = tokens
        },
        release() {
          if (isReleased) return
          isReleased = true
          local.release()
          port.note('placeLeft', { ticket, outcome: ended, answeredTokens })
          tickets.giveBack(ticket)
        },
      },
    }
  }
  /** The place that came with the slot, if it is still the right one. */
  const takeGranted = ({ ownerId, tokens, isContinuation, tried, accepts }: Placing): Placed | null => {
    const place = isContinuation || tried.size > 0 ? null : granted.take(model, ownerId)
    if (place === null) return null
    const [only, second] = members()
    if (only?.name === place.upstream && second === undefined && !only.isDraining && accepts(only))
      return open(place.ticket, only, tokens)
    granted.giveBack(place.ticket)
    return null
  }
  return {
    place: (wanted, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const placed = takeGranted(wanted)
        if (placed !== null) return resolve(placed)
        const { ownerId, tokens, prefixKeys, isContinuation, tried, accepts } = wanted
        const ticket = tickets.take()
        if (ticket === null) return reject(ApiError.of('queue_full', {}, { retryAfterMs: 1000 }))
        const all = members()
        const accepted = all.filter(accepts).map(({ name }) => name)
        // With one upstream there is nothing to prefer.
        const keys = all.length < 2 ? [] : prefixKeys
        const placing = { ownerId, tokens, prefixKeys: keys, isContinuation, tried: [...tried], accepted }
        let isLeft = false
        const leave = (): void => {
          isLeft = true
          port.note('placeLeft', { ticket, outcome: null, answeredTokens: null })
        }
        const onAbort = (): void => {
          leave()
          reject(signal.reason)
        }
        signal.addEventListener('abort', onAbort, { once: true })
        port.call('place', { ticket, model, placing }).then(
          ({ upstream }) => {
            signal.removeEventListener('abort', onAbort)
            const member = members().find(({ name }) => name === upstream)
            if (!isLeft && member !== undefined) return resolve(open(ticket, member, tokens))
            if (!isLeft) leave()
            tickets.giveBack(ticket)
            reject(ApiError.of('upstream_failed', {}, { cause: 'the upstream was removed' }))
          },
          (error: unknown) => {
            signal.removeEventListener('abort', onAbort)
            tickets.giveBack(ticket)
            reject(error)
          },
        )
      }),
    hasCandidate: (choice) => candidates(choice).length > 0,
    width: () =>
      Math.max(
        1,
        members().reduce((total, { maxInFlight }) => total + maxInFlight, 0),
      ),
    waiting: 0,
    wake() {},
  }
}
