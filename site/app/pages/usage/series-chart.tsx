import type { UsageUnit } from '../../../../src/platform/contract/usage-groups.ts'
import { strandPath } from '../../chart/strand-path.ts'
import { useWords } from '../../words-context.tsx'
import { ChartFrame, type Plot } from './chart-frame.tsx'
import { seriesClass } from './series-class.ts'
import { type ChartSeries, readMetric, type UsageSlot } from './usage-slots.ts'
import type { UsageMetric } from './usage-view.ts'

type SeriesChartProps = {
  series: readonly ChartSeries[]
  slots: readonly UsageSlot[]
  unit: UsageUnit
  metric: UsageMetric
  axisText(value: number): string
  chosen: number | null
  onChoose(index: number | null): void
}

/** A bar a slot, in which the series stand on each other; a dashed line shows the previous period. */
export const SeriesChart = ({ series, slots, unit, metric, axisText, chosen, onChoose }: SeriesChartProps) => {
  const { usage } = useWords()
  const previousMetric = ({ previous }: UsageSlot): number => (previous === null ? 0 : readMetric(previous, metric))
  const highest = slots.reduce((max, slot) => Math.max(max, readMetric(slot, metric), previousMetric(slot)), 0)
  return (
    <ChartFrame
      names={slots.map(({ name }) => name)}
      unit={unit}
      above={highest}
      below={0}
      title={usage.chartTitle(usage.metrics[metric], usage.units[unit])}
      text={usage.seriesText}
      axisText={axisText}
      chosen={chosen}
      onChoose={onChoose}
    >
      {(plot) => (
        <>
          {series.map(({ id }, index) => (
            <path key={id} className={`bars ${seriesClass(index, id)}`} d={bars(series, index, plot)} />
          ))}
          {slots[0]?.previous === null ? null : (
            <path
              className="previous"
              d={strandPath(slots.map((slot, index) => [plot.x(index), plot.y(previousMetric(slot))]))}
            />
          )}
        </>
      )}
    </ChartFrame>
  )
}

const maxWidth = 18

/** The rectangles of one series, above those of the series before it. */
const bars = (series: readonly ChartSeries[], which: number, { x, y, step }: Plot): string => {
  const half = Math.max(0.5, Math.min(maxWidth, step * 0.7) / 2)
  const values = series[which]?.values ?? []
  return values
    .map((value, index) => {
      if (value === 0) return ''
      const under = series.slice(0, which).reduce((sum, each) => sum + (each.values[index] ?? 0), 0)
      const [from, to] = [y(under), y(under + value)]
      const left = x(index) - half
      return `M${left.toFixed(1)} ${from.toFixed(1)}h${(half * 2).toFixed(1)}V${to.toFixed(1)}h-${(half * 2).toFixed(1)}z`
    })
    .join('')
}
