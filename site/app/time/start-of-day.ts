/** The beginning of a day such as `2026-11-15` by the reader's clock, or so many days later; null without a day. */
export const startOfDay = (day: string, later = 0): number | null => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  return date === undefined ? null : new Date(Number(year), Number(month) - 1, Number(date) + later).getTime()
}
