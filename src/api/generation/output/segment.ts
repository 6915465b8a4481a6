/** A part of the model's text. `source` is the text itself: all sources joined are what the model wrote. */
export type Segment =
  | { type: 'content' | 'reasoning' | 'arguments' | 'dropped'; source: string }
  | { type: 'call'; name: string; source: string }
  /** The arguments of a call are complete. */
  | { type: 'call-end'; source: '' }
