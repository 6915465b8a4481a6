import type { RequestEvent } from '../../../platform/request-types.ts'

type Follower = {
  onEvent(event: RequestEvent): void
  /** Whether the line stands. */
  onLine(isLive: boolean): void
  /** It cannot be opened any more, as when the session is over. */
  onRefused(): void
}

/** The server speaks every five seconds; a line that is silent for longer has died in its sleep. */
const silenceMs = 15_000
const againMs = 2000

/**
 * Follows requests from `after` on. The browser comes back by itself with the id of the last event; where it gives up, or
 * the line stays silent, a new one goes on from there. Nobody looks at a page that is hidden: it catches up when it is
 * shown. Returns how to stop.
 */
export const followRequests = (after: string, { onEvent, onLine, onRefused }: Follower): (() => void) => {
  let last = after
  let source: EventSource | null = null
  let watch: ReturnType<typeof setTimeout> | undefined

  const open = (): void => {
    close()
    if (document.hidden) return
    const opened = new EventSource(`/platform/requests/events?after=${encodeURIComponent(last)}`)
    source = opened
    opened.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      heard()
      if (data === '[DONE]') return onRefused()
      if (lastEventId !== '') last = lastEventId
      onLine(true)
      onEvent(JSON.parse(data))
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
