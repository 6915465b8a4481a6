import { useView } from '../../address/use-view.ts'
import { choice } from '../../address/view-fields.ts'
import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/segments.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { wholeText } from '../../figures.ts'
import { hourText } from '../../time/exact-moment.ts'
import { useLocale } from '../../words-context.tsx'
import { dayMark, dayWords } from '../usage/day-words.ts'
import { KeyChart } from './key-chart.tsx'
import type { KeyDetails } from './key-query.ts'
import { dayBins, hourBins, type UsageBin } from './usage-bins.ts'

const spans = ['hour', 'day'] as const
const view = { by: choice(spans, 'hour') }

/** Tokens of the last 24 hours or of the last 30 days, as a chart and as a table. */
export const KeyUsage = ({ apiKey, now }: { apiKey: KeyDetails; now: number }) => {
  const { language, words } = useLocale()
  const { keys, shell, usage } = words
  const [{ by }, setView] = useView(view)
  const bins = by === 'hour' ? hourBins(apiKey, now) : dayBins(apiKey)
  const isEmpty = bins.every(({ requests }) => requests === 0)
  const mark = ({ start }: UsageBin): string =>
    by === 'hour' ? hourText(Date.parse(start), language) : dayMark(start, language)
  const figure = (id: 'requests' | 'promptTokens' | 'completionTokens', head: string): Column<UsageBin> => ({
    id,
    head,
    end: true,
    labelled: true,
    cell: (bin) => <span className="tabular">{wholeText(bin[id], language)}</span>,
  })
  const columns: Column<UsageBin>[] = [
    {
      id: 'start',
      className: 'name',
      head: keys.spans[by],
      cell: (bin) => (by === 'hour' ? mark(bin) : dayWords(bin.start, language)),
    },
    figure('requests', shell.requests),
    figure('promptTokens', shell.prompt),
    figure('completionTokens', shell.completion),
  ]
  return (
    <Section title={keys.usageTitle} text={by === 'hour' ? keys.hoursText : keys.daysText(apiKey.timeZone)}>
      <Segments
        label={usage.range}
        values={spans}
        chosen={by}
        onChoose={(each) => setView({ by: each })}
        text={(each) => (each === 'hour' ? keys.byHour : usage.units.day)}
      />
      {isEmpty ? (
        <p className="muted">{usage.emptyTitle}</p>
      ) : (
        <>
          <KeyChart bins={bins} title={keys.chartTitle(apiKey.name)} binName={mark} />
          <details className="advanced">
            <summary>{keys.figures}</summary>
            <Table
              className="cards records"
              caption={keys.chartTitle(apiKey.name)}
              columns={columns}
              rows={bins.filter(({ requests }) => requests > 0).toReversed()}
              rowKey={({ start }) => start}
            />
          </details>
        </>
      )}
    </Section>
  )
}
