import type { UsageUnit } from '../../../../src/platform/contract/usage-groups.ts'
import { strandRuns } from '../../chart/strand-runs.ts'
import { roundText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { ChartFrame, type Plot } from './chart-frame.tsx'
import type { UsageSlot } from './usage-slots.ts'

type UsageChartProps = {
  slots: readonly UsageSlot[]
  unit: UsageUnit
  chosen: number | null
  onChoose(index: number | null): void
}

/** A rung a slot: what was sent above zero, what came back below, on one scale, so that its length is the total. */
export const UsageChart = ({ slots, unit, chosen, onChoose }: UsageChartProps) => {
  const { language, words } = useLocale()
  const { usage } = words
  return (
    <ChartFrame
      names={slots.map(({ name }) => name)}
      unit={unit}
      above={max(slots, 'promptTokens')}
      below={Math.max(1, max(slots, 'completionTokens'))}
      title={usage.chartTitle(usage.metrics.tokens, usage.units[unit])}
      text={usage.chartText}
      axisText={(value) => roundText(value, language)}
      sides={{ above: words.shell.prompt, below: words.shell.completion }}
      chosen={chosen}
      onChoose={onChoose}
    >
      {(plot) => (
        <>
          {slots[0]?.previous === null ? null : (
            <>
              <path className="previous" d={strand(slots, plot, ({ previous }) => previous?.promptTokens ?? 0)} />
              <path
                className="previous"
                d={strand(slots, plot, ({ previous }) => -(previous?.completionTokens ?? 0))}
              />
            </>
          )}
          <path className="strand sent" d={strand(slots, plot, ({ promptTokens }) => promptTokens)} />
          <path className="strand received" d={strand(slots, plot, ({ completionTokens }) => -completionTokens)} />
          <path className={rungClass(plot, 'sent')} d={rungs(slots, plot, ({ promptTokens }) => promptTokens)} />
          <path
            className={rungClass(plot, 'received')}
            d={rungs(slots, plot, ({ completionTokens }) => -completionTokens)}
          />
        </>
      )}
    </ChartFrame>
  )
}

type Side = 'promptTokens' | 'completionTokens'
type Measure = (slot: UsageSlot) => number

const max = (slots: readonly UsageSlot[], side: Side): number =>
  slots.reduce((highest, slot) => Math.max(highest, slot[side], slot.previous?.[side] ?? 0), 0)

const strand = (slots: readonly UsageSlot[], { x, y }: Plot, measure: Measure): string =>
  strandRuns(slots.map((slot, index) => (measure(slot) === 0 ? null : [x(index), y(measure(slot))])))

/** Where slots are narrow, so are their rungs. */
const rungClass = ({ step }: Plot, side: 'sent' | 'received'): string => `rungs ${side} ${step < 13 ? 'narrow' : ''}`

const rungs = (slots: readonly UsageSlot[], { x, y }: Plot, measure: Measure): string =>
  slots
    .map((slot, index) => {
      const value = measure(slot)
      const [zero, end] = [y(0), y(value)]
      const start = zero + Math.sign(end - zero) * Math.min(4, Math.abs(end - zero))
      return value === 0 ? '' : `M${x(index).toFixed(1)} ${start}V${end.toFixed(1)}`
    })
    .join('')
