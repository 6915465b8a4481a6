import type { Clock } from '../base/clock.ts'
import { isLoopback } from '../base/is-loopback.ts'
import { recordFrom } from '../base/record-from.ts'
import { commit, version } from '../base/version.ts'
import type { Exchange } from '../http/exchange.ts'
import { sendJson } from '../http/respond.ts'
import type { Models } from '../models/contract.ts'
import type { NodeCheck } from '../nodes/node-check.ts'
import type { Store } from '../store/contract.ts'
import { isStoreAway } from '../store/store-failure.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import type { SelfChecks } from './self-checks.ts'

/** `GET /healthz`: the process is up, and which build it is. */
export const showHealth = (exchange: Exchange): void => sendJson(exchange, 200, { status: 'ok', version, commit })

export type ReadinessDependencies = {
  models: Pick<Models, 'defaultPool'>
  store: Store
  clock: Clock
  ledger: Pick<Ledger, 'acceptsWithoutStore'>
  /** Null for a single server. */
  redis: { readonly isAway: boolean } | null
  checks: Pick<SelfChecks, 'run'>
  /** Whether the server is about to stop; `asked` records that a load balancer has probed it. */
  stop: { readonly isStopping: boolean; asked(): void }
}

/**
 * Ready: the default model can answer, its answers can be recorded, and the server is not about to stop. If Redis
 * cannot be reached, the server still answers what it can decide alone, and the other servers would do no better: the
 * response says so, but the server stays ready.
 */
export const createShowReadiness = ({
  models,
  store,
  clock,
  ledger,
  redis,
  stop,
  checks: selfChecks,
}: ReadinessDependencies) => {
  const checkWriting = createWriteCheck(store, clock)
  const check = async () => {
    stop.asked()
    const found = await checkWriting()
    const written = found === 'away' ? (ledger.acceptsWithoutStore ? 'spooling' : 'not_writable') : found
    const { state } = models.defaultPool.status()
    // An unloaded model is loaded by the next request.
    const works = written !== 'not_writable' && (state === 'ready' || state === 'unloaded')
    const shared = redis === null ? {} : { redis: redis.isAway ? 'away' : 'ok' }
    return { ready: works && !stop.isStopping, checks: { model: state, store: written, ...shared } }
  }
  return {
    /** `GET /readyz`. With `?verbose`, a caller on this machine gets the state of every dependency. */
    async showReadiness(exchange: Exchange): Promise<void> {
      const { ready, checks } = await check()
      const status = stop.isStopping ? 'stopping' : ready ? 'ready' : 'not_ready'
      const dependencies = isVerbose(exchange) ? { dependencies: describe(await selfChecks.run()) } : {}
      sendJson(exchange, ready ? 200 : 503, { status, checks, ...dependencies })
    },
    /** `GET /health`: the same in the format of llama.cpp and vLLM, for tools that wait for one of them. */
    async showEngineHealth(exchange: Exchange): Promise<void> {
      const { ready } = await check()
      sendJson(exchange, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable' })
    },
  }
}

/** Without the details: they name addresses, folders and upstreams. */
const describe = (checks: readonly NodeCheck[]) =>
  recordFrom(
    checks.map(({ check, state, ageMs, sinceMs }) => [
      check.replaceAll(' ', '_'),
      { state, age_ms: ageMs, since_ms: sinceMs },
    ]),
  )

const forwardedHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/**
 * Only for programs on this machine: through the control socket, or from a loopback address without the headers that proxies
 * add. For others the query means nothing.
 */
const isVerbose = ({ request: { url = '', headers, socket } }: Exchange): boolean => {
  const query = url.indexOf('?')
  if (query === -1 || !new URLSearchParams(url.slice(query)).has('verbose')) return false
  const { remoteAddress } = socket
  if (remoteAddress === undefined) return true
  const isLocal = isLoopback(remoteAddress.replace(/^::ffff:/, ''))
  return isLocal && forwardedHeaders.every((name) => headers[name] === undefined)
}

const freshMs = 1000

type StoreState = 'ok' | 'away' | 'not_writable'

/** Anyone can call this and each real check writes to the disk, so it checks at most once a second. */
const createWriteCheck = (store: Store, clock: Clock): (() => Promise<StoreState>) => {
  let last: { askedMs: number; found: Promise<StoreState> } | null = null
  return () => {
    const askedMs = clock.monotonicMs()
    if (last === null || askedMs - last.askedMs >= freshMs) {
      const found = store.ping().then(
        (): StoreState => 'ok',
        (error: unknown): StoreState => (isStoreAway(error) ? 'away' : 'not_writable'),
      )
      last = { askedMs, found }
    }
    return last.found
  }
}
