import { useState } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { durationText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { fillDays } from './fill-days.ts'
import { Readout } from './readout.tsx'
import { SmallChart } from './small-chart.tsx'
import { UsageChart } from './usage-chart.tsx'
import { UsageTable } from './usage-table.tsx'

/** The days as a chart, three small ones under it, and the table that has all of their figures. */
export const UsageDays = ({ usage }: { usage: Usage }) => {
  const { language, words } = useLocale()
  const [chosen, setChosen] = useState<number | null>(null)
  const days = fillDays(usage)
  const day = chosen === null ? undefined : days[chosen]
  const { total } = usage
  const rate = total.requests === 0 ? undefined : `${((total.failed / total.requests) * 100).toFixed(1)}%`
  const firstToken = total.firstTokenMs === null ? '–' : durationText(total.firstTokenMs, language)
  return (
    <>
      <Readout
        day={day?.day ?? null}
        figures={day ?? total}
        currency={total.costMicros === 0 ? null : usage.currency}
      />
      <UsageChart days={days} chosen={chosen} onChoose={setChosen} />
      <div className="small-charts">
        <SmallChart
          name={words.shell.requests}
          figure={wholeText(total.requests, language)}
          values={days.map(({ requests }) => requests)}
          kind="counts"
        />
        <SmallChart
          name={words.usage.errors}
          note={rate}
          figure={wholeText(total.failed, language)}
          values={days.map(({ failed }) => failed)}
          kind="errors"
        />
        <SmallChart
          name={words.shell.firstToken}
          note={words.usage.average}
          figure={firstToken}
          values={days.map(({ firstTokenMs }) => firstTokenMs)}
          kind="times"
        />
      </div>
      <UsageTable
        lines={days.toReversed()}
        by="day"
        currency={usage.currency}
        isChosen={(line) => line.day === day?.day}
      />
    </>
  )
}
