import type { ReactNode } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { moneyText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { seriesClass } from './series-class.ts'
import { SeriesName } from './series-name.tsx'
import { slotWords } from './slot-words.ts'
import { type ChartSeries, readMetric, type UsageSlot } from './usage-slots.ts'
import type { UsageMetric } from './usage-view.ts'

type ReadoutProps = {
  usage: Usage
  metric: UsageMetric
  series: readonly ChartSeries[]
  slots: readonly UsageSlot[]
  chosen: number | null
  /** How a value of the chart is written in full. */
  valueText(value: number): string
}

/** The legend, with the figures of the slot that is pointed at, or of all of them. */
export const Readout = ({ usage: data, metric, series, slots, chosen, valueText }: ReadoutProps) => {
  const { language, words } = useLocale()
  const { usage, shell } = words
  const slot = chosen === null ? undefined : slots[chosen]
  const figures = slot ?? data.total
  const before = slot === undefined ? data.previous?.total : slot.previous
  const name = slot === undefined ? usage.allDays : slotWords(slot.name, data.unit, language)
  return (
    <p className="readout" aria-live="polite">
      <b>{name}</b>
      {data.by !== 'none' ? (
        series.map(({ id, line, values, total }, index) => (
          <Part
            key={id}
            className={`legend ${seriesClass(index, id)}`}
            figure={valueText(slot === undefined ? total : (values[chosen ?? 0] ?? 0))}
          >
            {line?.series ? <SeriesName series={line.series} by={data.by} /> : null}
          </Part>
        ))
      ) : metric === 'tokens' ? (
        <>
          <Part className="legend" figure={wholeText(figures.promptTokens, language)}>
            {shell.prompt}
          </Part>
          <Part className="legend received" figure={wholeText(figures.completionTokens, language)}>
            {shell.completion}
          </Part>
          <Part figure={wholeText(figures.requests, language)}>{shell.requests}</Part>
          {data.total.costMicros === 0 ? null : (
            <Part figure={moneyText(figures.costMicros, data.currency, language)}>{shell.cost}</Part>
          )}
        </>
      ) : (
        <Part className="legend series-0" figure={valueText(readMetric(figures, metric))}>
          {usage.metrics[metric]}
        </Part>
      )}
      {before === undefined || before === null ? null : (
        <Part className="legend previous" figure={valueText(readMetric(before, metric))}>
          {usage.previous}
        </Part>
      )}
    </p>
  )
}

type PartProps = { className?: string; figure: string; children: ReactNode }

const Part = ({ className, figure, children }: PartProps) => (
  <span className={className}>
    <span>{children}</span> <b>{figure}</b>
  </span>
)
