import type { PlainError } from '../../base/api-error.ts'

/** How a response ended, for the other nodes. */
export type SharedEnd =
  /** Complete and stored. */
  | { type: 'stored' }
  /** Complete, and not stored yet. */
  | { type: 'complete' }
  /** Too long to be stored or shared. */
  | { type: 'not_kept' }
  | { type: 'failed'; error: PlainError }
  /** Nobody read it any more. */
  | { type: 'abandoned' }

export type SharedPart = { events: readonly string[]; end: SharedEnd | null }

/**
 * The events of running responses, by the ids of their requests, for all nodes. They are there for a while after the end. They
 * may be lost: readers also look for the stored response.
 */
export interface SharedEvents {
  /**
   * Adds what comes after the first `from` events. Returns how many there are now: fewer than expected if some were lost,
   * which must be added again.
   */
  append(requestId: string, from: number, part: SharedPart): Promise<number>
  /** A few of those from this one on, in order. */
  read(requestId: string, from: number): Promise<SharedPart>
  /** Calls back when there may be more. The returned function ends this. */
  onMore(requestId: string, callback: () => void): () => void
  /** Somebody reads these responses at this node. Counts for as long as a client may be away, and a little longer. */
  attend(requestIds: readonly string[]): Promise<void>
  /** For how long somebody at another node still counts; 0 if there is nobody. */
  attendedMs(requestId: string): Promise<number>
}
