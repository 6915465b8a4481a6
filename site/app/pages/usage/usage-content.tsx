import { useState } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { durationText, moneyText, percentText, roundText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { Readout } from './readout.tsx'
import { SeriesChart } from './series-chart.tsx'
import { SmallChart } from './small-chart.tsx'
import { UsageChart } from './usage-chart.tsx'
import { buildSeries, buildSlots, type UsageSlot } from './usage-slots.ts'
import { UsageTable } from './usage-table.tsx'
import type { UsageMetric } from './usage-view.ts'

/** The slots as a chart, small ones under it, and the table that has all of their figures. */
export const UsageContent = ({ usage, metric }: { usage: Usage; metric: UsageMetric }) => {
  const { language } = useLocale()
  const [chosen, setChosen] = useState<number | null>(null)
  if (usage.unit === 'total') return <UsageTable usage={usage} metric={metric} />
  const slots = buildSlots(usage)
  const series = buildSeries(usage, metric)
  const pointed = chosen === null || chosen >= slots.length ? null : chosen
  const money = (value: number): string => moneyText(value, usage.currency, language)
  const valueText = (value: number): string => (metric === 'cost' ? money(value) : wholeText(value, language))
  const axisText = (value: number): string => (metric === 'cost' ? money(value) : roundText(value, language))
  const shared = { slots, unit: usage.unit, chosen: pointed, onChoose: setChosen }
  return (
    <>
      <Readout {...{ usage, metric, series, slots, valueText }} chosen={pointed} />
      {usage.by === 'none' && metric === 'tokens' ? (
        <UsageChart {...shared} />
      ) : (
        <SeriesChart {...shared} series={series} metric={metric} axisText={axisText} />
      )}
      {usage.by === 'none' ? <SmallCharts usage={usage} slots={slots} /> : null}
      <UsageTable usage={usage} metric={metric} chosenSlot={pointed} />
    </>
  )
}

const SmallCharts = ({ usage: { total }, slots }: { usage: Usage; slots: readonly UsageSlot[] }) => {
  const { language, words } = useLocale()
  return (
    <div className="small-charts">
      <SmallChart
        name={words.shell.requests}
        figure={wholeText(total.requests, language)}
        values={slots.map(({ requests }) => requests)}
        kind="counts"
      />
      <SmallChart
        name={words.usage.errors}
        note={total.requests === 0 ? undefined : percentText(total.failed / total.requests, language)}
        figure={wholeText(total.failed, language)}
        values={slots.map(({ failed }) => failed)}
        kind="errors"
      />
      <SmallChart
        name={words.shell.firstToken}
        note={words.usage.average}
        figure={total.firstTokenMs === null ? '–' : durationText(total.firstTokenMs, language)}
        values={slots.map(({ firstTokenMs }) => firstTokenMs)}
        kind="times"
      />
    </div>
  )
}
