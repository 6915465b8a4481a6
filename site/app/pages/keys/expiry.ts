export type ExpiryChoice = 'keep' | 'never' | '30' | '90' | 'date'

const dayMs = 86_400_000

/** When a key expires; null for never, undefined for unchanged, `'wrong'` for a missing or past date. */
export const readExpiry = (choice: ExpiryChoice, date: string, now: number): number | null | undefined | 'wrong' => {
  if (choice === 'keep') return undefined
  if (choice === 'never') return null
  if (choice !== 'date') return now + Number(choice) * dayMs
  const [year, month, day] = date.split('-').map(Number)
  if (year === undefined || month === undefined || day === undefined) return 'wrong'
  const end = new Date(year, month - 1, day, 23, 59, 59, 999).getTime()
  return end > now ? end : 'wrong'
}

/** As a date field writes it, by the reader's calendar. */
export const dateValue = (ms: number): string => {
  const date = new Date(ms)
  const two = (figure: number): string => String(figure).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
