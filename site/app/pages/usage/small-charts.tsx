import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { durationText, moneyText, percentText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { SmallChart } from './small-chart.tsx'
import type { UsageSlot } from './usage-slots.ts'

type SmallChartsProps = {
  usage: Usage
  slots: readonly UsageSlot[]
  /** Costs, if there are any, instead of the time to the first token. */
  prefersCosts?: boolean
}

/** Requests, errors and a third thing, on the axis of the chart above. */
export const SmallCharts = ({ usage: { total, currency }, slots, prefersCosts = false }: SmallChartsProps) => {
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
      {prefersCosts && total.costMicros > 0 ? (
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
