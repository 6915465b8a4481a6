import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type UpstreamPeriod, upstreamPeriods } from '../../../../src/platform/contract/upstream-periods.ts'
import type { UpstreamFiguresShown } from '../../../../src/platform/contract/upstreams.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/segments.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { durationText, moneyText, speedText, wholeText } from '../../figures.ts'
import { FigureRungs } from './figure-rungs.tsx'
import { upstreamFiguresQuery } from './upstreams-query.ts'

type Figures = UpstreamFiguresShown['data'][number]
/** What can be drawn over time. */
const charted = ['requests', 'firstTokenMs', 'tokensPerSecond', 'costMicros'] as const
type Charted = (typeof charted)[number]
type FigureTexts = Record<Charted, { name: string; text(value: number): string }>

/** What each upstream did with each of its models: how much, how well, how fast and for how much. */
export const UpstreamFigures = () => {
  const { upstreams } = useWords()
  const [period, setPeriod] = useState<UpstreamPeriod>('day')
  const [figure, setFigure] = useState<Charted>('requests')
  const query = useQuery(upstreamFiguresQuery(usePlatform(), period))
  const texts = useFigureTexts(query.data?.currency ?? '')
  return (
    <Section title={upstreams.figuresTitle} text={upstreams.figuresText}>
      <div className="figures-choices">
        <Segments<UpstreamPeriod>
          label={upstreams.period}
          values={upstreamPeriods}
          chosen={period}
          onChoose={setPeriod}
          text={(each) => upstreams.periods[each]}
        />
        <Segments<Charted>
          label={upstreams.charted}
          values={charted}
          chosen={figure}
          onChoose={setFigure}
          text={(each) => texts[each].name}
        />
      </div>
      <Loaded query={query} errorTitle={upstreams.figuresNotLoaded} lines={2}>
        {(data) =>
          data.data.length === 0 ? (
            <p className="secondary small">{upstreams.noFigures}</p>
          ) : (
            <FiguresTable figures={data} charted={figure} texts={texts} />
          )
        }
      </Loaded>
    </Section>
  )
}

const useFigureTexts = (currency: string): FigureTexts => {
  const { language } = useLocale()
  const { upstreams } = useWords()
  return {
    requests: { name: upstreams.requests, text: (count) => wholeText(count, language) },
    firstTokenMs: { name: upstreams.firstToken, text: (ms) => durationText(ms, language) },
    tokensPerSecond: { name: upstreams.tokensPerSecond, text: (speed) => speedText(speed, language) },
    costMicros: { name: upstreams.cost, text: (micros) => moneyText(micros, currency, language) },
  }
}

type TableProps = { figures: UpstreamFiguresShown; charted: Charted; texts: FigureTexts }

/** The figure that is drawn stands beside its chart, the others in columns of their own. */
const FiguresTable = ({ figures: { data }, charted: chosen, texts }: TableProps) => {
  const { language } = useLocale()
  const { upstreams, shell } = useWords()
  const figure = (id: string, head: string, text: (row: Figures) => string | null): Column<Figures> => ({
    ...{ id, head, end: true, labelled: true, className: 'figures-cell' },
    cell: (row) => text(row) ?? <span className="muted">–</span>,
  })
  const columns: Column<Figures>[] = [
    {
      id: 'model',
      className: 'name',
      head: shell.model,
      cell: ({ upstream, model }) => (
        <>
          <b className="mono">{model}</b>
          <span className="subtext mono">{upstream}</span>
        </>
      ),
    },
    {
      id: 'charted',
      className: 'rungs-cell',
      head: texts[chosen].name,
      labelled: true,
      cell: (row) => <Chart row={row} chosen={chosen} texts={texts} />,
    },
    figure('errors', upstreams.errorCount, ({ errors }) => (errors === 0 ? null : wholeText(errors, language))),
    ...charted
      .filter((each) => each !== chosen)
      .map((each) => figure(each, texts[each].name, (row) => figureText(row[each], texts[each].text))),
  ]
  return (
    <Table
      className="cards halves upstream-figures"
      caption={upstreams.figuresTitle}
      columns={columns}
      rows={data}
      rowKey={({ upstream, model }) => JSON.stringify([upstream, model])}
    />
  )
}

const figureText = (value: number | null, text: (value: number) => string): string | null =>
  value === null || value === 0 ? null : text(value)

const Chart = ({ row, chosen, texts }: { row: Figures; chosen: Charted; texts: FigureTexts }) => {
  const { language } = useLocale()
  const { upstreams } = useWords()
  const { name, text } = texts[chosen]
  const values = row.slots.map((slot) => slot[chosen])
  const known = values.filter((value) => value !== null && value > 0)
  const range = (): string =>
    known.length === 0
      ? upstreams.chartEmpty(name)
      : upstreams.chartText(name, text(Math.min(...known.map(Number))), text(Math.max(...known.map(Number))))
  const isRequests = chosen === 'requests'
  return (
    <>
      <FigureRungs
        values={values}
        errors={isRequests ? row.slots.map(({ errors }) => errors) : undefined}
        label={
          isRequests ? upstreams.rungsText(wholeText(row.requests, language), wholeText(row.errors, language)) : range()
        }
      />
      <span className="tabular">{figureText(row[chosen], text) ?? <span className="muted">–</span>}</span>
    </>
  )
}
