import { ApiError } from '../../base/api-error.ts'
import { systemClock as clock } from '../../base/clock.ts'
import { errorText } from '../../base/log.ts'
import { openTurnPort, type TurnHandlers } from '../../base/turn-port.ts'
import { listSecrets } from '../../config/list-secrets.ts'
import { createBodyBudget } from '../../http/body-budget.ts'
import { createCors } from '../../http/cors.ts'
import { createDispatch } from '../../http/dispatch.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createForwarded } from '../../http/forwarded.ts'
import { type Listener, listen } from '../../http/listen.ts'
import { createKeyVerifier } from '../../keys/verify-key.ts'
import { createUpstreamSet } from '../../upstreams/upstream-set.ts'
import { createClosers } from '../closers.ts'
import { openTraces } from '../open-traces.ts'
import { createRecheckAnswers } from '../recheck-answers.ts'
import { createStopAnswers } from '../stop-answers.ts'
import type { AuthorityPort } from './authority-port.ts'
import { createCallerNumbers } from './caller-numbers.ts'
import { createGrantedPlaces } from './granted-places.ts'
import { createIsElsewhere } from './is-elsewhere.ts'
import { createIsPassedOn } from './is-passed-on.ts'
import { createKnownCallers } from './known-callers.ts'
import { openWorkerEndpoints } from './open-worker-endpoints.ts'
import { createPassOn } from './pass-on.ts'
import { portOptions } from './port-options.ts'
import type { AuthorityCalls, AuthorityNotes, WorkerCalls, WorkerNotes } from './protocol.ts'
import { createRemoteAccounting } from './remote-accounting.ts'
import { createRemotePlacement } from './remote-placement.ts'
import { createRemoteQueue } from './remote-queue.ts'
import { createRemoteStorage } from './remote-storage.ts'
import { createSharedCounts, maxTickets } from './shared-counts.ts'
import { createSharedEpoch } from './shared-epoch.ts'
import { openMemoryUse } from './shared-memory.ts'
import { createSharedSpanCounts } from './shared-span-counts.ts'
import { openThreadFigures } from './shared-thread-figures.ts'
import { createSharedTicks, tickMs } from './shared-ticks.ts'
import { createAskSlot } from './slot-request.ts'
import { createTickets } from './tickets.ts'
import { createTouch } from './touch.ts'
import type { WorkerData } from './worker-data.ts'
import { createWorkerLog } from './worker-log.ts'
import { createWorkerModels } from './worker-models.ts'

type ParentPort = Parameters<typeof openTurnPort>[0]
type Handlers = TurnHandlers<WorkerCalls, WorkerNotes>

/** Composition root of a worker: the front of a server whose limits, ledger, queues and placement are those of its authority. */
export const openWorker = (parent: ParentPort, data: WorkerData): void => {
  const { config, socketPath } = data
  const ticks = createSharedTicks(data.ticks)
  const noteFigures = openThreadFigures(data.figures)
  setInterval(() => {
    ticks.add()
    noteFigures()
  }, tickMs).unref()
  const memory = openMemoryUse(data.memory, data.index)
  const closers = createClosers()
  const log = createWorkerLog(() => port, data.lines, clock)
  const passOn = createPassOn({ socketPath, log })

  const upstreams = createUpstreamSet({
    ...{ clock, log, secrets: listSecrets(config) },
    openPlacement: (model, members) =>
      createRemotePlacement(model, members, { port, tickets: placeTickets, granted: places }),
  })
  closers.add(() => upstreams.close())
  const placeTickets = createTickets(maxTickets)
  const places = createGrantedPlaces(() => port, placeTickets)
  const models = createWorkerModels({
    ...{ upstreams, settings: config, clock, log },
    openQueue: () => createRemoteQueue({ port, clock }),
  })

  const epoch = createSharedEpoch(data.epoch).current
  const callers = createKnownCallers({ clock, epoch })
  const port: AuthorityPort = openTurnPort<WorkerCalls, WorkerNotes, AuthorityCalls, AuthorityNotes>(
    parent,
    createHandlers(),
    portOptions,
  )
  const { limiter, ledger } = createRemoteAccounting({
    ...{ port, tickets: createTickets(maxTickets), counts: createSharedCounts(data.counts), callers },
    numberOf: createCallerNumbers(),
    askSlot: createAskSlot({ port, tickets: createTickets(maxTickets), places }),
  })
  const verifier = createKeyVerifier({
    records: { findByHash: (hash) => port.call('findKey', Buffer.from(hash).toString('hex')) },
    clock,
    maxOutageMs: config.storeOutageMinutes * 60_000,
    epoch,
  })
  const answerElsewhere = async (exchange: Exchange, body: Uint8Array): Promise<void> => {
    // Until the authority has released it here, it would count twice.
    await port.call('sync', null)
    exchange.releaseBody()
    await passOn(exchange, body)
  }
  const { routes, unreplayed } = openWorkerEndpoints({
    ...{ config, clock, log, models, limiter, ledger, verifier, closers, touch: createTouch(port, clock) },
    storage: createRemoteStorage({ port, tickets: createTickets(maxTickets), isEmbedded: config.store === null }),
    refusals: { add: (refusal) => port.note('refusal', refusal) },
    bodies: { isKept: callers.isKept, add: (bodies) => port.note('bodies', bodies) },
    answerUse: memory.answers,
    elsewhere: { isElsewhere: createIsElsewhere(config, models.isOwn), answer: answerElsewhere },
  })
  const dispatch = createDispatch({
    routes,
    locate: createForwarded({ trustedProxies: config.trustedProxies, publicUrl: config.publicUrl ?? undefined }),
    cors: createCors(config.corsOrigins),
    bodies: createBodyBudget(config, memory.bodies),
    showUnknown: () => false,
    clock,
    log,
    traces: openTraces({ config, clock, log, closers, onCounts: createSharedSpanCounts(data.spans).write }),
    passOn: { isFor: createIsPassedOn({ routes, unreplayed }), answer: (exchange) => passOn(exchange) },
  })
  const noReplays = { senders: () => [], abortAll() {} }
  const stopAnswers = createStopAnswers({ dispatch, replays: noReplays })
  const recheckAnswers = createRecheckAnswers({
    records: {
      keys: (ids) => port.call('callerKeys', ids),
      members: (members) => port.call('callerMembers', members),
    },
    ...{ dispatch, replays: noReplays, stopAnswers },
  })
  const recheck = (): void =>
    void recheckAnswers().catch((error: unknown) => log.warn('node_look_failed', { cause: errorText(error) }))
  /** Pending while a worker that replaces another is told what else the listener is to do: that waits for it. */
  let listening: Promise<Listener> | null = null
  const withListener = (act: (listener: Listener) => void): void =>
    // Whoever asked it to listen learns of a failure.
    void listening?.then(act, () => {})

  function createHandlers(): Handlers {
    return {
      calls: {
        async listen({ host, port: wanted, tls }) {
          const pair = tls === null ? null : { cert: Buffer.from(tls.cert), key: Buffer.from(tls.key) }
          listening = listen({ host, port: wanted, tls: pair, isShared: true }, config, dispatch)
          const { address } = await listening
          return { port: address?.port ?? wanted }
        },
        idle: () => dispatch.idle().then(() => null),
        closeListener: async (how) => {
          const listener = await listening?.catch(() => null)
          await listener?.close(how)
          return null
        },
        async stop() {
          await closers.closeAll()
          log.flush()
          return null
        },
      },
      notes: {
        served: models.update,
        certificate: ({ cert, key }) =>
          withListener((listener) => listener.setCertificate({ cert: Buffer.from(cert), key: Buffer.from(key) })),
        // After what answers in the same message have caused: a request whose key was just found must be seen.
        recheck: () => void setImmediate(recheck),
        leaseLost: () => void setImmediate(stopAnswers.ofNode),
        closeConnections: () => dispatch.closeConnections(),
        refuseNew: () => dispatch.refuseNew(),
        abortAll: (error) => dispatch.abortAll(ApiError.fromPlain(error)),
        closeAllConnections: () => withListener((listener) => listener.closeAllConnections()),
      },
    }
  }
}
