const unitsMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `30d`, `24h`, `90m`, `45s`, `2w`, or 0. Null for anything else. */
export const readDuration = (text: string): number | null => {
  if (text === '0') return 0
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs
}
