import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { axisMoneyText, moneyText, roundText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { DayStrips } from './day-strips.tsx'
import { Readout } from './readout.tsx'
import { SeriesChart } from './series-chart.tsx'
import { SmallCharts } from './small-charts.tsx'
import { UsageChart } from './usage-chart.tsx'
import { buildSeries } from './usage-slots.ts'
import { UsageTable } from './usage-table.tsx'
import type { UsageMetric } from './usage-view.ts'
import { useChosenSlot } from './use-chosen-slot.ts'

/** The slots as a chart, small ones under it, and the table that has all of their figures. */
export const UsageContent = ({ usage, metric }: { usage: Usage; metric: UsageMetric }) => {
  const { language } = useLocale()
  const { slots, chosen, onChoose } = useChosenSlot(usage)
  if (usage.unit === 'total') return <UsageTable usage={usage} metric={metric} />
  const series = buildSeries(usage, metric)
  const money = (value: number): string => moneyText(value, usage.currency, language)
  const valueText = (value: number): string => (metric === 'cost' ? money(value) : wholeText(value, language))
  const axisText = (value: number): string =>
    metric === 'cost' ? axisMoneyText(value, usage.currency, language) : roundText(value, language)
  const shared = { slots, unit: usage.unit, chosen, onChoose }
  return (
    <>
      <Readout {...{ usage, metric, series, slots, valueText }} chosen={chosen} />
      {usage.by === 'none' && metric === 'tokens' ? (
        <UsageChart {...shared} />
      ) : (
        <SeriesChart {...shared} series={series} metric={metric} axisText={axisText} />
      )}
      {usage.by === 'none' ? <SmallCharts usage={usage} slots={slots} /> : null}
      {usage.by === 'none' && usage.unit === 'day' ? <DayStrips usage={usage} /> : null}
      <UsageTable usage={usage} metric={metric} chosenSlot={chosen} />
    </>
  )
}
