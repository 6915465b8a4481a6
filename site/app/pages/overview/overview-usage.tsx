import type { ReactNode } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/segments.tsx'
import { wholeText } from '../../figures.ts'
import { Readout } from '../usage/readout.tsx'
import { SmallCharts } from '../usage/small-charts.tsx'
import { UsageChart } from '../usage/usage-chart.tsx'
import { UsageLede } from '../usage/usage-lede.tsx'
import { UsageNotes } from '../usage/usage-notes.tsx'
import { UsageTable } from '../usage/usage-table.tsx'
import { useChosenSlot } from '../usage/use-chosen-slot.ts'

export const overviewPeriods = ['7', '30', '90', '365'] as const
type OverviewPeriod = (typeof overviewPeriods)[number]

type OverviewUsageProps = {
  usage: Usage
  days: OverviewPeriod
  onDays(days: OverviewPeriod): void
  /** Between the chart and the table of its figures. */
  children: ReactNode
}

/** What all organisations used: a chart, what else there is about the period, and the figures by day. */
export const OverviewUsage = ({ usage: read, days, onDays, children }: OverviewUsageProps) => {
  const { language } = useLocale()
  const { overview, usage } = useWords()
  // A new server has nothing to compare with.
  const data = read.previous?.total.requests === 0 ? { ...read, previous: null } : read
  const { slots, chosen, onChoose } = useChosenSlot(data)
  return (
    <>
      <Section title={overview.usageTitle} text={overview.usageText}>
        <Segments
          label={usage.range}
          values={overviewPeriods}
          chosen={days}
          onChoose={onDays}
          text={(each) => usage.presets[each]}
        />
        <p className="overview-sum">
          <UsageLede usage={data} view={{ days, from: '', to: '' }} />
        </p>
        <Readout
          {...{ usage: data, slots, series: [] }}
          metric="tokens"
          chosen={chosen}
          valueText={(value) => wholeText(value, language)}
        />
        <UsageChart slots={slots} unit="day" chosen={chosen} onChoose={onChoose} />
        <SmallCharts usage={data} slots={slots} prefersCosts />
      </Section>
      {children}
      <Section title={overview.days} text={overview.daysText}>
        <UsageTable usage={{ ...data, previous: null }} metric="tokens" chosenSlot={chosen} />
        <UsageNotes usage={data} />
      </Section>
    </>
  )
}
