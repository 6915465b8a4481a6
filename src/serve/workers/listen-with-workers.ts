import type { Config } from '../../config/settings.ts'
import { workerSocketPath } from '../../http/control-socket.ts'
import type { Dispatch } from '../../http/dispatch.ts'
import { type Listener, type ListenTarget, listen } from '../../http/listen.ts'
import type { Workers } from './workers.ts'

type WorkersListenOptions = {
  workers: Workers
  target: Extract<ListenTarget, { host: string }>
  dataDir: string
  config: Config
  dispatch: Dispatch
}

/** The workers listen on the network, and the main thread for what they pass on to it. */
export const listenWithWorkers = async (options: WorkersListenOptions): Promise<Listener> => {
  const { workers, target, dataDir, config, dispatch } = options
  const { host, tls } = target
  // Workers keep their connections to it.
  const limits = { ...config, idleTimeoutMs: 0 }
  const internal = await listen({ socketPath: workerSocketPath(dataDir), isInternal: true }, limits, dispatch)
  try {
    await requireFree(options)
    const pair = tls === null ? null : { cert: tls.cert, key: tls.key }
    const port = await workers.listen({ host, port: target.port, tls: pair })
    return {
      address: { port, address: host, family: '' },
      setCertificate: (next) => workers.setCertificate(next),
      async close(how = { keepsIdle: false }) {
        await workers.closeListeners(how)
        // What workers have passed on has ended.
        await internal.close()
      },
      closeAllConnections() {
        workers.closeAllConnections()
        internal.closeAllConnections()
      },
    }
  } catch (error) {
    internal.closeAllConnections()
    await internal.close()
    throw error
  }
}

/** Workers would share the port with another server whose workers have it. */
const requireFree = async ({ target, config, dispatch }: WorkersListenOptions): Promise<void> => {
  if (target.port === 0) return
  const tried = await listen(target, config, dispatch)
  await tried.close()
}

type DrainedDispatch = Pick<Dispatch, 'closeConnections' | 'refuseNew' | 'abortAll' | 'idle'>

/** What running requests are told, here and in the workers. */
export const dispatchOfAll = (own: DrainedDispatch, workers: Workers): DrainedDispatch => ({
  closeConnections() {
    own.closeConnections()
    workers.closeConnections()
  },
  refuseNew() {
    own.refuseNew()
    workers.refuseNew()
  },
  abortAll(error) {
    own.abortAll(error)
    workers.abortAll(error)
  },
  async idle() {
    await workers.idle()
    await own.idle()
  },
})
