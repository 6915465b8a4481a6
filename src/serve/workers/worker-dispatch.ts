import type { Dispatch } from '../../http/dispatch.ts'
import type { ListenedDispatch } from '../../http/listen.ts'
import type { HttpRoute } from '../../http/route.ts'
import type { PassOn } from './pass-on.ts'

type WorkerDispatchOptions = {
  own: Dispatch
  routes: readonly HttpRoute[]
  /** The paths on which an Idempotency-Key has no effect. */
  unreplayed: ReadonlySet<string>
  passOn: PassOn
}

/** Answers what a worker can answer, and passes on the rest. */
export const createWorkerDispatch = ({ own, routes, unreplayed, passOn }: WorkerDispatchOptions) => {
  const paths = new Set(routes.map(({ path }) => path))
  let passed = 0
  let onIdle = (): void => {}
  const isOwn = ({ method, url = '', headers }: Parameters<Dispatch['handle']>[0]): boolean =>
    method === 'POST' && paths.has(url) && (headers['idempotency-key'] === undefined || unreplayed.has(url))
  const listened: ListenedDispatch = {
    handle(request, response, arrival) {
      if (isOwn(request)) return own.handle(request, response, arrival)
      passed += 1
      if (arrival.expects === 'continue') response.writeContinue()
      void passOn(request, response).then(() => {
        passed -= 1
        if (passed === 0) onIdle()
      })
    },
    handleBroken: own.handleBroken,
    handleHalfClosed: own.handleHalfClosed,
  }
  return {
    ...listened,
    /** Resolves when no request is running. Call it once. */
    async idle(): Promise<void> {
      await own.idle()
      if (passed > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
    },
  }
}
