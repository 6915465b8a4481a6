import { type ReactNode, useState } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { Section } from '../../components/section.tsx'
import { durationText, moneyText, percentText, wholeText } from '../../figures.ts'
import { useLocale, useWords } from '../../words-context.tsx'
import { Readout } from '../usage/readout.tsx'
import { SmallChart } from '../usage/small-chart.tsx'
import { UsageChart } from '../usage/usage-chart.tsx'
import { UsageLede } from '../usage/usage-lede.tsx'
import { UsageNotes } from '../usage/usage-notes.tsx'
import { buildSlots, type UsageSlot } from '../usage/usage-slots.ts'
import { UsageTable } from '../usage/usage-table.tsx'

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
  const [chosen, setChosen] = useState<number | null>(null)
  // A new server has nothing to compare with.
  const data = read.previous?.total.requests === 0 ? { ...read, previous: null } : read
  const slots = buildSlots(data)
  const pointed = chosen === null || chosen >= slots.length ? null : chosen
  return (
    <>
      <Section title={overview.usageTitle} text={overview.usageText}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere */}
        <div className="segments" role="group" aria-label={usage.range}>
          {overviewPeriods.map((each) => (
            <button key={each} type="button" aria-pressed={each === days} onClick={() => onDays(each)}>
              {usage.presets[each]}
            </button>
          ))}
        </div>
        <p className="overview-sum">
          <UsageLede usage={data} view={{ days, from: '', to: '' }} />
        </p>
        <Readout
          {...{ usage: data, slots, series: [] }}
          metric="tokens"
          chosen={pointed}
          valueText={(value) => wholeText(value, language)}
        />
        <UsageChart slots={slots} unit="day" chosen={pointed} onChoose={setChosen} />
        <SmallCharts usage={data} slots={slots} />
      </Section>
      {children}
      <Section title={overview.days} text={overview.daysText}>
        <UsageTable usage={{ ...data, previous: null }} metric="tokens" chosenSlot={pointed} />
        <UsageNotes usage={data} />
      </Section>
    </>
  )
}

const SmallCharts = ({ usage: { total, currency }, slots }: { usage: Usage; slots: readonly UsageSlot[] }) => {
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
      {total.costMicros > 0 ? (
        <SmallChart
          name={words.shell.cost}
          figure={moneyText(total.costMicros, currency, language)}
          values={slots.map(({ costMicros }) => costMicros)}
          kind="counts"
        />
      ) : (
        <SmallChart
          name={words.shell.firstToken}
          note={words.usage.average}
          figure={total.firstTokenMs === null ? '–' : durationText(total.firstTokenMs, language)}
          values={slots.map(({ firstTokenMs }) => firstTokenMs)}
          kind="times"
        />
      )}
    </div>
  )
}
