export type RecordedEvent = { id: string; data: string }

/** What one connection receives. */
export type Subscription = {
  /** Another request started the response. */
  replayed: boolean
  /** There were events before this subscription. */
  begun: boolean
  /** Ends with the response; throws what the response failed with, or the reason of the signal. */
  events(signal: AbortSignal): AsyncGenerator<RecordedEvent, void>
  close(): void
}
