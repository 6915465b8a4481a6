/**
 * A response that is executed runs, is settled and stored, or fails; one that is loaded begins as stored.
 *
 *     running ⇄ unattended → aborting → failed → released
 *        └→ settling ( → overdue ) → stored → released
 */
export type RecordingState =
  | { type: 'running' }
  /** Running without subscribers: aborted at the end of the grace period. */
  | { type: 'unattended'; cancel(): void }
  /** It must end and has not ended yet. */
  | { type: 'aborting'; reason: unknown }
  /** All events are there. Subscribers get the last ones once the response is stored. */
  | { type: 'settling'; cancel(): void }
  /** The response could not be stored in time: subscribers get its end, and it is replayed from memory until it is stored. */
  | { type: 'overdue' }
  /** It can be found on disk, and stays in memory for as long as it has subscribers. */
  | { type: 'stored' }
  /** Subscribers get what is there and then the error. The next request with the key is executed again. */
  | { type: 'failed'; error: unknown }
  /** No longer in memory. */
  | { type: 'released' }

/** How a response ended, as far as subscribers may know. */
export type Ending =
  | { type: 'stored' }
  | { type: 'complete' }
  | { type: 'not_kept' }
  | { type: 'failed'; error: unknown }
