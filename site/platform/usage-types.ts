/** What `GET /platform/usage` answers. Averages are null where there is nothing to take them of. */
export type UsageGroup = 'day' | 'key' | 'model'

export type UsageFigures = {
  requests: number
  failed: number
  aborted: number
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number
  firstTokenMs: number | null
  durationMs: number | null
}

/** Named by what it was grouped by; a key that is null is the playground. */
export type UsageLine = UsageFigures & {
  day?: string
  key?: { id: string; name: string | null; lastFour: string | null } | null
  model?: string
}

export type Usage = {
  /** Days, 2026-11-15, both counted, by the calendar of the server. */
  from: string
  to: string
  timeZone: string
  by: UsageGroup
  data: UsageLine[]
  total: UsageFigures
}
