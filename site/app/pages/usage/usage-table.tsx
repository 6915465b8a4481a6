import type { UsageFigures, UsageGroup, UsageLine } from '../../../../src/platform/contract/usage.ts'
import { type Column, Table } from '../../components/table.tsx'
import { durationText, moneyText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { dayWords } from './day-words.ts'

type UsageTableProps = {
  lines: readonly UsageLine[]
  by: UsageGroup
  currency: string
  isChosen?(line: UsageLine): boolean
}

/** The figures of the chart, all of them, and those that have no place in it. */
export const UsageTable = ({ lines, by, currency, isChosen }: UsageTableProps) => {
  const { usage } = useLocale().words
  const captions = { day: usage.captionDay, key: usage.captionKey, model: usage.captionModel }
  return (
    <Table
      className="usage"
      caption={captions[by]}
      columns={useColumns(lines, by, currency)}
      rows={lines}
      rowKey={nameOf}
      {...(isChosen === undefined ? {} : { isChosen })}
    />
  )
}

const nameOf = ({ day, key, model }: UsageLine): string => day ?? model ?? key?.id ?? 'playground'

const tokensOf = ({ promptTokens, completionTokens }: UsageFigures): number => promptTokens + completionTokens

const useColumns = (lines: readonly UsageLine[], by: UsageGroup, currency: string): Column<UsageLine>[] => {
  const { language, words } = useLocale()
  const { usage, shell } = words
  const total = Math.max(
    1,
    lines.reduce((sum, line) => sum + tokensOf(line), 0),
  )
  const figure = (id: keyof UsageFigures, head: string, more: Partial<Column<UsageLine>> = {}): Column<UsageLine> => ({
    id,
    head,
    end: true,
    cell: (line) => (
      <span className={line[id] ? 'tabular' : 'tabular muted'}>{wholeText(line[id] ?? 0, language)}</span>
    ),
    ...more,
  })
  const time = (id: 'firstTokenMs' | 'durationMs', head: string): Column<UsageLine> => ({
    id,
    head,
    end: true,
    wideOnly: true,
    cell: (line) => {
      const ms = line[id]
      return ms === null ? (
        <span className="muted">–</span>
      ) : (
        <span className="tabular">{durationText(ms, language)}</span>
      )
    },
  })
  const cost: Column<UsageLine> = {
    id: 'cost',
    head: shell.cost,
    end: true,
    className: 'cost',
    cell: ({ costMicros }) => (
      <span className={costMicros > 0 ? 'tabular' : 'tabular muted'}>{moneyText(costMicros, currency, language)}</span>
    ),
  }
  return [
    {
      id: 'name',
      className: 'name',
      head: { day: usage.day, key: shell.key, model: shell.model }[by],
      cell: (line) => <Name line={line} />,
    },
    { id: 'split', head: usage.split, className: 'split', cell: (line) => <Split line={line} total={total} /> },
    figure('promptTokens', shell.prompt),
    figure('cachedTokens', usage.cached, { className: 'minor' }),
    figure('completionTokens', shell.completion),
    figure('reasoningTokens', usage.reasoning, { className: 'minor' }),
    figure('requests', shell.requests),
    ...(lines.some(({ costMicros }) => costMicros > 0) ? [cost] : []),
    ...(lines.some(({ estimated }) => estimated > 0)
      ? [figure('estimated', usage.estimated, { className: 'minor' })]
      : []),
    figure('failed', usage.errors, { wideOnly: true }),
    figure('aborted', usage.aborted, { className: 'minor' }),
    time('firstTokenMs', shell.firstToken),
    time('durationMs', usage.duration),
  ]
}

const Name = ({ line: { day, key, model } }: { line: UsageLine }) => {
  const { language, words } = useLocale()
  if (day !== undefined) return dayWords(day, language)
  if (model !== undefined) return <code translate="no">{model}</code>
  if (key === null || key === undefined) return words.shell.playground
  return (
    <>
      <b>{key.name ?? words.usage.goneKey}</b>
      <span className="subtext" translate="no">
        …{key.lastFour ?? key.id.slice(-4)}
      </span>
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
