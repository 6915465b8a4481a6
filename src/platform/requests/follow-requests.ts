import type { Sessions } from '../../accounts/sessions/sessions.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import type { Clock } from '../../base/clock.ts'
import { type EventStream, openEventStream } from '../../http/event-stream.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readQuery } from '../../http/read-query.ts'
import type { Member } from '../../http/route.ts'
import { object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { ownTurn } from '../../http/turn.ts'
import { stillSignedIn } from '../../session/still-signed-in.ts'
import type { LoggedRequest, RequestLogRecords, RequestMark } from '../../store/request-log-contract.ts'
import type { LedgerNotifier } from '../../usage/ledger-notifier.ts'
import { createLineLimit, type LineLimit } from './line-limit.ts'
import { markText, readMark } from './mark-text.ts'
import { requestJson } from './request-json.ts'
import { subscribeToNews } from './subscribe-to-news.ts'

export type FollowRooms = {
  requestLog: Pick<RequestLogRecords, 'mark' | 'news'>
  notifier: LedgerNotifier
  sessions: Pick<Sessions, 'find'>
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
}

/** Told at once, however many it were; whoever missed more begins anew. */
const mostNews = 200
const mostMissed = 500
/** Between two looks into the log, however many requests come and go. */
const restMs = 500
/** At the latest; by that a page knows that the line still stands, and the session is looked at. */
const beatMs = 5000

const query = object({ after: optional(string({ maxLength: 4000 })) })

/**
 * `GET /platform/requests/events`: requests that begin, end or are refused, as server-sent events. One event has all that one look
 * found, and its id says how far that is: whoever comes back with it goes on there. Nothing waits in memory for a slow
 * reader but the event that it is reading.
 */
export const createFollowRequests =
  (rooms: FollowRooms, lines: LineLimit = createLineLimit()) =>
  async (exchange: Exchange, member: Member): Promise<void> => {
    const { organisationId } = member
    const { signal } = exchange
    const { after } = readQuery(exchange.request, query)
    const sent = exchange.request.headers['last-event-id']?.toString() ?? after
    await ownTurn(exchange)
    const leave = lines.enter(organisationId)
    const subscription = subscribeToNews(rooms.notifier, organisationId, rooms.clock, restMs)
    signal.addEventListener('abort', subscription.close, { once: true })
    try {
      const stream = openEventStream(exchange, { ...rooms, signal })
      stream.open()
      let mark = await begin(stream, organisationId, sent, rooms)
      while (exchange.request.method !== 'HEAD' && (await subscription.next(beatMs))) {
        if (!(await stillSignedIn(rooms.sessions, exchange, member, abilities.see.least))) break
        mark = await tellNews(stream, organisationId, mark, rooms)
      }
      // Ended from outside: whoever ended it says how that is told.
      signal.throwIfAborted()
      stream.done()
    } finally {
      leave()
      subscription.close()
    }
  }

/** From where they stopped; from now on, where they did not begin yet or have missed too much. */
const begin = async (
  stream: EventStream,
  organisationId: string,
  sent: string | undefined,
  { requestLog }: FollowRooms,
): Promise<RequestMark> => {
  const known = sent === undefined ? null : readMark(sent)
  if (known !== null) {
    const { rows, mark } = await requestLog.news(organisationId, known, mostMissed)
    if (rows.length < mostMissed) {
      await tell(stream, rows, mark)
      return mark
    }
  }
  const mark = await requestLog.mark(organisationId)
  await stream.send(JSON.stringify({ type: sent === undefined ? 'beat' : 'reset' }), markText(mark))
  return mark
}

const tellNews = async (
  stream: EventStream,
  organisationId: string,
  mark: RequestMark,
  { requestLog }: FollowRooms,
): Promise<RequestMark> => {
  for (let from = mark; ; ) {
    const news = await requestLog.news(organisationId, from, mostNews)
    await tell(stream, news.rows, news.mark)
    from = news.mark
    if (news.rows.length < mostNews) return from
  }
}

/** Also where there is nothing: the page then knows that it missed nothing. */
const tell = async (stream: EventStream, rows: readonly LoggedRequest[], mark: RequestMark): Promise<void> => {
  const event = rows.length === 0 ? { type: 'beat' } : { type: 'requests', data: rows.map(requestJson) }
  await stream.send(JSON.stringify(event), markText(mark))
}
