import { percentText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

/** How much more or less than before, in percent; nothing if there was nothing before. */
export const Change = ({ now, before }: { now: number; before: number }) => {
  const { language } = useLocale()
  if (before === 0) return <span className="muted">–</span>
  const share = now / before - 1
  const sign = share > 0 ? '+' : share < 0 ? '−' : '±'
  return (
    <span className="tabular nowrap">
      {sign}
      {percentText(Math.abs(share), language)}
    </span>
  )
}
