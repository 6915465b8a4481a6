import { ApiError } from '../../base/api-error.ts'
import type { PauseSwitch } from '../../base/pause-switch.ts'
import { createInbox, type Inbox } from './inbox.ts'
import type { RequestMessage, ToWorker } from './protocol.ts'
import { asApiError, isLast } from './request-messages.ts'
import type { Supervisor } from './supervisor.ts'

/** The requests that the engine process works on, each with the replies that nobody has taken yet. */
export class EngineRequests {
  readonly #supervisor: Pick<Supervisor, 'state' | 'retryAfterMs' | 'send'>
  readonly #inboxes = new Map<number, Inbox<RequestMessage>>()
  #lastId = 0

  constructor(supervisor: Pick<Supervisor, 'state' | 'retryAfterMs' | 'send'>) {
    this.#supervisor = supervisor
  }

  get count(): number {
    return this.#inboxes.size
  }

  async *ask(request: (id: number) => ToWorker, signal: AbortSignal): AsyncGenerator<RequestMessage, void> {
    for await (const messages of this.askBatches(request, signal)) yield* messages
  }

  /**
   * Sends one request and yields its replies up to the last one, all that have arrived at a time. Leaving early cancels the
   * request.
   */
  async *askBatches(
    request: (id: number) => ToWorker,
    signal: AbortSignal,
    pausing?: PauseSwitch,
  ): AsyncGenerator<RequestMessage[], void> {
    signal.throwIfAborted()
    this.refuseUnlessReady()
    this.#lastId += 1
    const id = this.#lastId
    const inbox = createInbox<RequestMessage>()
    const onAbort = () => inbox.fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#inboxes.set(id, inbox)
    const onPause = (isPaused: boolean) => this.#supervisor.send({ type: isPaused ? 'pause' : 'resume', id })
    let ended = false
    let unfollow = (): void => {}
    try {
      this.#supervisor.send(request(id))
      if (pausing?.isPaused) onPause(true)
      unfollow = pausing?.subscribe(onPause) ?? unfollow
      while (!ended) {
        const messages = await inbox.takeAll()
        signal.throwIfAborted()
        const last = messages.at(-1)
        ended = last !== undefined && isLast(last)
        if (last?.type === 'failed') messages.pop()
        if (messages.length > 0) yield messages
        if (last?.type === 'failed') throw asApiError(last.failure)
        signal.throwIfAborted()
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      unfollow()
      this.#inboxes.delete(id)
      if (!ended) this.#supervisor.send({ type: 'cancel', id })
    }
  }

  /** Of a request that has ended, a message is dropped. */
  receive(message: RequestMessage): void {
    this.#inboxes.get(message.id)?.put(message)
  }

  refuseUnlessReady(): void {
    const state = this.#supervisor.state()
    if (state === 'stopped') throw ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
    if (state === 'loading') throw ApiError.of('engine_loading', {}, { retryAfterMs: this.#supervisor.retryAfterMs() })
  }

  /** The engine process is gone. */
  failAll(): void {
    for (const inbox of this.#inboxes.values()) inbox.fail(ApiError.of('engine_failed', {}))
  }
}
