import type { Usage, UsageFigures } from '../../../../src/platform/contract/usage.ts'

export type UsageDay = UsageFigures & { day: string }

const dayMs = 86_400_000

/** Every day of the period, oldest first. The server omits days without requests; they are filled with zeros. */
export const fillDays = ({ from, to, data }: Pick<Usage, 'from' | 'to' | 'data'>): UsageDay[] => {
  const byDay = new Map(data.map((line) => [line.day, line]))
  const days: UsageDay[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ ...(byDay.get(day) ?? nothing), day })
  }
  return days
}

const nothing: UsageFigures = {
  requests: 0,
  failed: 0,
  aborted: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  firstTokenMs: null,
  durationMs: null,
  estimated: 0,
  costMicros: 0,
}
