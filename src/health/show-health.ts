import type { Clock } from '../base/clock.ts'
import type { Exchange } from '../http/exchange.ts'
import { sendJson } from '../http/respond.ts'
import type { Models } from '../models/contract.ts'
import type { Store } from '../store/contract.ts'

/** `GET /healthz`: the process is up. */
export const showHealth = (exchange: Exchange): void => sendJson(exchange, 200, { status: 'ok' })

/** `GET /readyz`: the default model can answer and the store accepts writes. */
export const createShowReadiness = (models: Pick<Models, 'defaultPool'>, store: Store, clock: Clock) => {
  const isWritable = createWriteCheck(store, clock)
  return async (exchange: Exchange): Promise<void> => {
    const writable = await isWritable()
    const { state } = models.defaultPool.status()
    // An unloaded model is loaded by the next request.
    const ready = writable && (state === 'ready' || state === 'unloaded')
    sendJson(exchange, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not_ready',
      checks: { model: state, store: writable ? 'ok' : 'not_writable' },
    })
  }
}

const freshMs = 1000

/** Anyone can call this and each real check writes to the disk, so it checks at most once a second. */
const createWriteCheck = (store: Store, clock: Clock): (() => Promise<boolean>) => {
  let last: { askedMs: number; writable: Promise<boolean> } | null = null
  return () => {
    const askedMs = clock.monotonicMs()
    if (last === null || askedMs - last.askedMs >= freshMs) {
      const writable = store.ping().then(
        () => true,
        () => false,
      )
      last = { askedMs, writable }
    }
    return last.writable
  }
}
