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
import { RequestRungs } from './request-rungs.tsx'
import { upstreamFiguresQuery } from './upstreams-query.ts'

type Figures = UpstreamFiguresShown['data'][number]

/** What each upstream did with each of its models: how much, how well, how fast and for how much. */
export const UpstreamFigures = () => {
  const { upstreams } = useWords()
  const [period, setPeriod] = useState<UpstreamPeriod>('day')
  const query = useQuery(upstreamFiguresQuery(usePlatform(), period))
  return (
    <Section title={upstreams.figuresTitle} text={upstreams.figuresText}>
      <Segments<UpstreamPeriod>
        label={upstreams.period}
        values={upstreamPeriods}
        chosen={period}
        onChoose={setPeriod}
        text={(each) => upstreams.periods[each]}
      />
      <Loaded query={query} errorTitle={upstreams.figuresNotLoaded} lines={2}>
        {(data) =>
          data.data.length === 0 ? (
            <p className="secondary small">{upstreams.noFigures}</p>
          ) : (
            <FiguresTable figures={data} />
          )
        }
      </Loaded>
    </Section>
  )
}

const FiguresTable = ({ figures: { data, currency } }: { figures: UpstreamFiguresShown }) => {
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
      id: 'requests',
      className: 'rungs-cell',
      head: upstreams.requests,
      labelled: true,
      cell: ({ requests, errors, slots }) => (
        <>
          <RequestRungs
            slots={slots}
            label={upstreams.rungsText(wholeText(requests, language), wholeText(errors, language))}
          />
          <span className="tabular">{wholeText(requests, language)}</span>
        </>
      ),
    },
    figure('errors', upstreams.errorCount, ({ errors }) => (errors === 0 ? null : wholeText(errors, language))),
    figure('first', upstreams.firstToken, ({ firstTokenMs }) =>
      firstTokenMs === null ? null : durationText(firstTokenMs, language),
    ),
    figure('speed', upstreams.tokensPerSecond, ({ tokensPerSecond }) =>
      tokensPerSecond === null ? null : speedText(tokensPerSecond, language),
    ),
    figure('cost', upstreams.cost, ({ costMicros }) =>
      costMicros === 0 ? null : moneyText(costMicros, currency, language),
    ),
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
