import type { Usage } from '../../../../src/platform/contract/usage.ts'

export const hoursOfDay = 24

/** The completion tokens of a day by the hour of the clock; null before the first request that is counted. */
export type DayHours = { day: string; hours: readonly number[] | null; tokens: number; busiest: number | null }

type HourlyUsage = Pick<Usage, 'slots' | 'data' | 'countedFrom'>

/** Newest first. An hour that the clock shows twice counts once, with the tokens of both. */
export const dayHours = ({ slots, data, countedFrom }: HourlyUsage): DayHours[] => {
  const days = new Map<string, number[]>()
  for (const name of slots) days.set(name.slice(0, 10), days.get(name.slice(0, 10)) ?? new Array(hoursOfDay).fill(0))
  for (const { slot, completionTokens } of data) {
    const name = slots[slot] ?? ''
    const hours = days.get(name.slice(0, 10))
    const hour = Number(name.slice(11, 13))
    if (hours !== undefined) hours[hour] = (hours[hour] ?? 0) + completionTokens
  }
  const firstCounted = slots.find((name) => countedFrom === null || Date.parse(name) >= countedFrom)?.slice(0, 10) ?? ''
  return [...days].reverse().map(([day, hours]) => {
    const tokens = hours.reduce((sum, each) => sum + each, 0)
    const isCounted = tokens > 0 || day >= firstCounted
    return { day, hours: isCounted ? hours : null, tokens, busiest: tokens === 0 ? null : highest(hours) }
  })
}

const highest = (hours: readonly number[]): number => hours.indexOf(Math.max(...hours))
