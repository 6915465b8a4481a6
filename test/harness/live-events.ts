import { createParser, type EventSourceMessage } from 'eventsource-parser'

export type LiveEvents = {
  /** The next event once it arrives; null at the end. */
  next(): Promise<EventSourceMessage | null>
  /** The text of the next event's delta. */
  nextText(): Promise<string | undefined>
  /** Reads up to the event with this text; throws if the stream ends before. */
  until(text: string): Promise<void>
  /** All remaining events. */
  rest(): Promise<EventSourceMessage[]>
  /** Closes the connection. */
  leave(): Promise<void>
}

/** A stream read event by event, so that a test can disconnect at any point. */
export const liveEvents = (response: Response): LiveEvents => {
  if (response.body === null) throw new Error('there is no body')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const come: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void come.push(event) })
  const next = async (): Promise<EventSourceMessage | null> => {
    for (;;) {
      const event = come.shift()
      if (event !== undefined) return event
      const { done, value } = await reader.read()
      if (done) return null
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }
  return {
    next,
    async nextText() {
      const event = await next()
      return event === null ? undefined : textOf(event)
    },
    async until(text) {
      for (let event = await next(); event === null || textOf(event) !== text; event = await next())
        if (event === null) throw new Error(`the stream has ended (${response.status}) without ${text}`)
    },
    async rest() {
      const events: EventSourceMessage[] = []
      for (let event = await next(); event !== null; event = await next()) events.push(event)
      return events
    },
    leave: () => reader.cancel(),
  }
}

export const textOf = ({ data }: { data: string }): string | undefined =>
  data === '[DONE]' ? data : JSON.parse(data).choices?.[0]?.delta.content
