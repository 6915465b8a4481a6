import type { Usage, UsageFigures, UsageLine } from '../../../../src/platform/contract/usage.ts'
import { type Column, Table } from '../../components/table.tsx'
import { durationText, moneyText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { Change } from './change.tsx'
import { SeriesName } from './series-name.tsx'
import { slotWords } from './slot-words.ts'
import { readMetric } from './usage-slots.ts'
import type { UsageMetric } from './usage-view.ts'

type UsageTableProps = { usage: Usage; metric: UsageMetric; chosenSlot?: number | null }

/** The figures of the chart, all of them, and those that have no place in it. Newest first. */
export const UsageTable = ({ usage: data, metric, chosenSlot = null }: UsageTableProps) => {
  const { usage } = useLocale().words
  // The lines of a slot stay in their order, most tokens first.
  const lines = data.data.toSorted((one, two) => two.slot - one.slot)
  return (
    <Table
      className="usage"
      caption={usage.caption}
      columns={useColumns(data, metric)}
      rows={lines}
      rowKey={({ slot, series }) => `${slot} ${series?.id ?? ''}`}
      isChosen={({ slot }) => slot === chosenSlot}
    />
  )
}

const totalTokens = ({ promptTokens, completionTokens }: UsageFigures): number => promptTokens + completionTokens

const useColumns = (data: Usage, metric: UsageMetric): Column<UsageLine>[] => {
  const { language, words } = useLocale()
  const { usage, shell } = words
  const { total, unit, by, currency } = data
  const figure = (id: keyof UsageFigures, head: string, more: Partial<Column<UsageLine>> = {}): Column<UsageLine> => ({
    id,
    head,
    end: true,
    cell: (line) => (
      <span className={line[id] ? 'tabular' : 'tabular muted'}>{wholeText(line[id] ?? 0, language)}</span>
    ),
    ...more,
  })
  const time = (id: 'firstTokenMs' | 'durationMs', head: string, className = ''): Column<UsageLine> => ({
    id,
    head,
    end: true,
    wideOnly: true,
    className,
    cell: (line) => {
      const ms = line[id]
      return ms === null ? (
        <span className="muted">–</span>
      ) : (
        <span className="tabular">{durationText(ms, language)}</span>
      )
    },
  })
  const split: Column<UsageLine> = {
    id: 'split',
    head: usage.split,
    className: 'split',
    cell: (line) => <Split line={line} total={Math.max(1, totalTokens(total))} />,
  }
  const cost: Column<UsageLine> = {
    id: 'cost',
    head: shell.cost,
    end: true,
    className: 'cost',
    cell: ({ costMicros }) => (
      <span className={costMicros > 0 ? 'tabular' : 'tabular muted'}>{moneyText(costMicros, currency, language)}</span>
    ),
  }
  const previous: Column<UsageLine> = {
    id: 'previous',
    head: usage.previousOf(usage.metrics[metric]),
    end: true,
    wideOnly: true,
    cell: (line) => {
      const before = line.previous === null ? 0 : readMetric(line.previous, metric)
      return (
        <span className="tabular">
          {metric === 'cost' ? moneyText(before, currency, language) : wholeText(before, language)}
          <span className="subtext">
            <Change now={readMetric(line, metric)} before={before} />
          </span>
        </span>
      )
    },
  }
  return [
    {
      id: 'name',
      className: 'name',
      head: [...(unit === 'total' ? [] : [usage.slotHeads[unit]]), ...(by === 'none' ? [] : [usage.series[by]])].join(
        ' · ',
      ),
      cell: (line) => <Name line={line} usage={data} />,
    },
    // There is room for this or for the comparison.
    ...(data.previous === null ? [split] : []),
    figure('promptTokens', shell.prompt),
    figure('cachedTokens', usage.cached, { className: 'minor' }),
    figure('completionTokens', shell.completion),
    figure('reasoningTokens', usage.reasoning, { className: 'minor' }),
    figure('requests', shell.requests),
    ...(total.costMicros > 0 ? [cost] : []),
    ...(total.estimated > 0 ? [figure('estimated', usage.estimated, { className: 'minor' })] : []),
    figure('failed', usage.errors, { wideOnly: true }),
    figure('aborted', usage.aborted, { className: 'minor' }),
    time('firstTokenMs', shell.firstToken),
    // A tablet has room for this or for the comparison.
    time('durationMs', usage.duration, data.previous === null ? '' : 'spare'),
    ...(data.previous === null ? [] : [previous]),
  ]
}

/** The slot, and under it the series. */
const Name = ({ line: { slot, series }, usage: { slots, unit, by } }: { line: UsageLine; usage: Usage }) => {
  const { language, words } = useLocale()
  const name = series === null ? null : <SeriesName series={series} by={by} />
  if (unit === 'total') return name ?? words.usage.allDays
  const time = <span className="slot">{slotWords(slots[slot] ?? '', unit, language)}</span>
  return name === null ? (
    time
  ) : (
    <>
      {time}
      <span className="subtext">{name}</span>
    </>
  )
}

/** What was sent and what came back, as shares of all tokens in the table: the bars together fill one track. */
const Split = ({ line, total }: { line: UsageLine; total: number }) => {
  const sent = (line.promptTokens / total) * 100
  const received = (line.completionTokens / total) * 100
  return (
    <svg className="split-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="whole" width={100} height={6} />
      <rect className="sent" width={sent} height={6} />
      <rect className="received" x={sent} width={received} height={6} />
    </svg>
  )
}
