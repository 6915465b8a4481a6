import type { Sessions } from '../../accounts/sessions/sessions.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import type { Clock } from '../../base/clock.ts'
import { type EventStream, openEventStream } from '../../http/event-stream.ts'
import { ownTurn } from '../../http/turn.ts'
import type { Call } from '../../operations/call.ts'
import { stillSignedIn } from '../../session/still-signed-in.ts'
import type { LoggedRequest, RequestLogRecords, RequestMark } from '../../store/request-log-contract.ts'
import type { LedgerNotifier } from '../../usage/ledger-notifier.ts'
import type { RequestEvent, requestOperations } from '../contract/requests.ts'
import { markText, readMark } from './mark-text.ts'
import { createReadProgress } from './read-progress.ts'
import { requestJson } from './request-json.ts'
import { createStreamLimit, type StreamLimit } from './stream-limit.ts'
import { subscribeToNews } from './subscribe-to-news.ts'

export type FollowRequestsDependencies = {
  requestLog: Pick<RequestLogRecords, 'mark' | 'news' | 'progress'>
  notifier: LedgerNotifier
  sessions: Pick<Sessions, 'find'>
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
}

/** The most that one event holds; a page that missed more has to start again. */
const maxNews = 200
const maxMissed = 500
/** Between two reads of the log, however many requests come and go. */
const restMs = 500
/** At the latest; an event tells the page that the connection still works, and the session is checked. */
const beatMs = 5000
/** While requests are running, so long after each rest: checkpoints are written every 500 ms. */
const progressMs = 17

/**
 * Requests that begin, go on, end or are refused, as server-sent events. One event has everything that one read of the log found,
 * and its ID is the position in the log: a page that reconnects with it continues there. For a slow reader, nothing is held
 * in memory but the event that it is reading.
 */
export const createFollowRequests =
  (dependencies: FollowRequestsDependencies, streams: StreamLimit = createStreamLimit()) =>
  async ({ exchange, caller, query }: Call<typeof requestOperations.followRequests>): Promise<void> => {
    const { requestLog, notifier, sessions, clock } = dependencies
    const { organisationId } = caller
    const { signal } = exchange
    const sent = exchange.request.headers['last-event-id']?.toString() ?? query.after
    await ownTurn(exchange)
    const leave = streams.enter(organisationId)
    const subscription = subscribeToNews(notifier, organisationId, clock, restMs)
    signal.addEventListener('abort', subscription.close, { once: true })
    try {
      const stream = openEventStream(exchange, { ...dependencies, signal })
      stream.open()
      const isAllowed = () => stillSignedIn(sessions, exchange, caller, abilities.see.least)
      const readProgress = createReadProgress(organisationId, requestLog)
      let mark: RequestMark | null = await begin(stream, organisationId, sent, requestLog)
      let beatAtMs = clock.monotonicMs() + beatMs
      while (mark !== null && exchange.request.method !== 'HEAD') {
        const woken = await subscription.next(mark.open.length > 0 ? progressMs : beatMs)
        if (woken === 'closed') break
        if (woken === 'notified' || clock.monotonicMs() >= beatAtMs) {
          mark = await sendNews(stream, organisationId, mark, requestLog, isAllowed)
          beatAtMs = clock.monotonicMs() + beatMs
        }
        const progress = await readProgress(mark?.open ?? [])
        if (progress.length === 0) continue
        mark = (await isAllowed()) ? mark : null
        const event: RequestEvent = { type: 'progress', data: progress }
        if (mark !== null) await stream.send(JSON.stringify(event))
      }
      // Aborted from outside: the reason is the error with which it ends.
      signal.throwIfAborted()
      stream.done()
    } finally {
      leave()
      subscription.close()
    }
  }

type RequestLog = FollowRequestsDependencies['requestLog']

/** From where the page stopped; from now on, if it has not started yet or has missed too much. */
const begin = async (
  stream: EventStream,
  organisationId: string,
  sent: string | undefined,
  requestLog: RequestLog,
): Promise<RequestMark> => {
  const known = sent === undefined ? null : readMark(sent)
  if (known !== null) {
    const { rows, mark } = await requestLog.news(organisationId, known, maxMissed)
    if (rows.length < maxMissed) {
      await send(stream, rows, mark)
      return mark
    }
  }
  const mark = await requestLog.mark(organisationId)
  const event: RequestEvent = { type: sent === undefined ? 'beat' : 'reset' }
  await stream.send(JSON.stringify(event), markText(mark))
  return mark
}

/** Null if the reader has been signed out: asked after the log was read, so that nothing later than that is sent. */
const sendNews = async (
  stream: EventStream,
  organisationId: string,
  mark: RequestMark,
  requestLog: RequestLog,
  isAllowed: () => Promise<boolean>,
): Promise<RequestMark | null> => {
  for (let from = mark; ; ) {
    const news = await requestLog.news(organisationId, from, maxNews)
    if (!(await isAllowed())) return null
    await send(stream, news.rows, news.mark)
    from = news.mark
    if (news.rows.length < maxNews) return from
  }
}

/** Also if there is nothing: the page then knows that it missed nothing. */
const send = async (stream: EventStream, rows: readonly LoggedRequest[], mark: RequestMark): Promise<void> => {
  const event: RequestEvent = rows.length === 0 ? { type: 'beat' } : { type: 'requests', data: rows.map(requestJson) }
  await stream.send(JSON.stringify(event), markText(mark))
}
