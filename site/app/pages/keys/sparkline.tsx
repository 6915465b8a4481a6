import { roundText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

const step = 7
const height = 26

/** A rung for each of the last 14 days; a day on which nothing happened is a dot. */
export const Sparkline = ({ values }: { values: readonly number[] }) => {
  const { language, words } = useLocale()
  const max = Math.max(...values, 1)
  const total = values.reduce((sum, value) => sum + value, 0)
  const rungs = values.map((value, index) => {
    const length = value === 0 ? 0 : Math.max(3, (value / max) * (height - 4))
    return `M${index * step + 2} ${height - 2}v${-length}`
  })
  return (
    <svg
      className={total === 0 ? 'sparkline none' : 'sparkline'}
      width={values.length * step - 3}
      height={height}
      role="img"
      aria-label={words.keys.lastDaysText(roundText(total, language))}
    >
      <path d={rungs.join('')} />
    </svg>
  )
}
