import type { KeyDetails } from './key-query.ts'

/** What was used in an hour or on a day. */
export type UsageBin = { start: string; promptTokens: number; completionTokens: number; requests: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nothing = { promptTokens: 0, completionTokens: 0, requests: 0 }

/** The last 24 hours, oldest first. The server omits hours without requests; they are filled with zeros. */
export const hourBins = ({ hours }: Pick<KeyDetails, 'hours'>, now: number): UsageBin[] => {
  const last = Math.floor(now / hourMs) * hourMs
  const used = new Map(hours.map(({ startsAt, ...figures }) => [startsAt, figures]))
  return Array.from({ length: 24 }, (_, index) => {
    const at = last - (23 - index) * hourMs
    return { ...(used.get(at) ?? nothing), start: new Date(at).toISOString() }
  })
}

/** The last 30 days of the server's calendar, oldest first. */
export const dayBins = ({ days, today }: Pick<KeyDetails, 'days' | 'today'>): UsageBin[] => {
  const used = new Map(days.map(({ day, ...figures }) => [day, figures]))
  return Array.from({ length: 30 }, (_, index) => {
    const start = new Date(Date.parse(today) - (29 - index) * dayMs).toISOString().slice(0, 10)
    return { ...(used.get(start) ?? nothing), start }
  })
}
