import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import type { RequestEvent } from '../../../../src/platform/contract/requests.ts'
import { operationUrl } from '../../../platform/platform.ts'

type Follower = {
  onEvent(event: RequestEvent): void
  /** A stream is being opened: something may have been missed. */
  onOpen(): void
  /** Whether the stream is connected. */
  onLine(isLive: boolean): void
  /** The stream cannot be opened any more, for example because the session has ended. */
  onRefused(): void
}

/** The server sends something every five seconds; a stream that is silent for longer is dead. */
const silenceMs = 15_000
const againMs = 2000

/**
 * Follows requests from `after` on. The browser reconnects by itself with the id of the last event; if it gives up, or
 * the stream stays silent, a new one continues from there. A hidden page is disconnected and catches up when it is
 * shown. Returns a function that stops it.
 */
export const followRequests = (after: string, { onOpen, onEvent, onLine, onRefused }: Follower): (() => void) => {
  let last = after
  let source: EventSource | null = null
  let watch: ReturnType<typeof setTimeout> | undefined

  const open = (): void => {
    close()
    if (document.hidden) return
    const opened = new EventSource(operationUrl('followRequests', { query: { after: last } }))
    source = opened
    opened.onopen = onOpen
    opened.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      heard()
      if (data === '[DONE]') return onRefused()
      if (lastEventId !== '') last = lastEventId
      onLine(true)
      onEvent(asEvent(parseJsonText(data)))
    }
    opened.onerror = () => {
      onLine(false)
      if (opened.readyState !== EventSource.CLOSED) return
      onRefused()
      again(againMs)
    }
    heard()
  }
  const again = (ms: number): void => {
    clearTimeout(watch)
    watch = setTimeout(open, ms)
  }
  const heard = (): void => again(silenceMs)
  const close = (): void => {
    clearTimeout(watch)
    source?.close()
    source = null
  }
  document.addEventListener('visibilitychange', open)
  addEventListener('online', open)
  open()
  return () => {
    document.removeEventListener('visibilitychange', open)
    removeEventListener('online', open)
    close()
  }
}

/** As the contract of this stream says. */
const asEvent = (value: unknown): RequestEvent => value as RequestEvent
