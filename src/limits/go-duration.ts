/** A duration in Go's format, which the official service uses: `17ms`, `1.5s`, `6m0s`. */
export const goDuration = (durationMs: number): string => {
  const ms = Math.max(0, Math.ceil(durationMs))
  if (ms === 0) return '0s'
  if (ms < 1000) return `${ms}ms`
  const minutes = Math.floor(ms / 60_000)
  const seconds = `${(ms % 60_000) / 1000}s`
  if (minutes === 0) return seconds
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`
}

/** Parses a duration that `goDuration` wrote, into milliseconds. */
export const parseGoDuration = (text: string): number => {
  const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  let sum = 0
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(ms|h|m|s)/g)) sum += Number(amount) * (unitMs[unit] ?? 0)
  return Math.round(sum)
}
