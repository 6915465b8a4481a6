/** How far a move has come, for the operator. */
export type MoveEvent =
  /** `isLive`: a server is using the store. */
  | { type: 'copying'; isLive: boolean }
  /** Compared so far, and copied where they differed. */
  | { type: 'progress'; table: string; rows: number; totalRows: number }
  | { type: 'copied'; rows: number; changed: number }
  /** Until the server is stopped. */
  | { type: 'waiting' }
  | { type: 'switching' }
  | { type: 'connection_lost'; reason: string }
