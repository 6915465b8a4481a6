/** Formats 20261115 as `2026-11-15`. */
export const dayText = (day: number): string => {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(day)) ?? []
  return `${year}-${month}-${date}`
}

/** Returns null for a date that does not exist, such as 2026-02-30. */
export const readDayText = (text: string): number | null => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return null
  const day = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return null
  return Number(`${year}${month}${date}`)
}

/** Number of days from one to the other, inclusive. */
export const daysBetween = (from: number, to: number): number =>
  (Date.parse(dayText(to)) - Date.parse(dayText(from))) / 86_400_000 + 1

export const addDays = (day: number, count: number): number =>
  Number(new Date(Date.parse(dayText(day)) + count * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''))
