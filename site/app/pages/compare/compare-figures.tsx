import { useQueries } from '@tanstack/react-query'
import { measureSpeed } from '../../answer/measure-speed.ts'
import { isRunning } from '../../answer/use-answer.ts'
import { usePlatform } from '../../app-state.ts'
import { type Column, Table } from '../../components/table.tsx'
import { durationText, moneyText, speedText, wholeText } from '../../figures.ts'
import { chosenModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { requestQuery } from '../requests/requests-query.ts'
import type { CompareColumn } from './use-columns.ts'

/** Tokens, times and costs of all columns, side by side. Nothing until one of them was answered. */
export const CompareFigures = ({ columns }: { columns: readonly CompareColumn[] }) => {
  const { language, words } = useLocale()
  const { compare, shell, answer: said } = words
  const session = useSession()
  const findCost = useCosts(columns)
  if (columns.every(({ side }) => side.answer.moments.length === 0)) return null
  const figure = (id: string, head: string, cell: (column: CompareColumn) => string): Column<CompareColumn> => ({
    ...{ id, head, end: true, labelled: true },
    cell: (column) => <span className="tabular">{cell(column)}</span>,
  })
  const table: Column<CompareColumn>[] = [
    { id: 'side', className: 'name', head: compare.column, cell: ({ letter }) => <b>{compare.side(letter)}</b> },
    {
      id: 'model',
      head: shell.model,
      cell: ({ side }) => (
        <span className="mono" translate="no">
          {chosenModel(session, side.settings.model).id}
        </span>
      ),
    },
    figure('prompt', shell.prompt, ({ side: { answer } }) =>
      answer.promptTokens === null ? '–' : wholeText(answer.promptTokens, language),
    ),
    figure('completion', shell.completion, ({ side: { answer } }) => wholeText(answer.tokens, language)),
    ...(session.hasPrices ? [figure('cost', shell.cost, ({ letter }) => findCost(letter) ?? '–')] : []),
    figure('first', shell.firstToken, ({ side: { answer } }) => {
      const [first] = answer.moments
      return first === undefined ? '–' : durationText(first, language)
    }),
    figure('total', compare.total, ({ side: { answer } }) => {
      const last = answer.moments.at(-1)
      return last === undefined ? '–' : durationText(last, language)
    }),
    figure('speed', said.speed, ({ side: { answer } }) => {
      const speed = measureSpeed(answer.moments)
      return speed === null ? '–' : shell.tokensPerSecond(speedText(speed, language))
    }),
  ]
  return (
    <Table
      className="cards halves compare-figures"
      caption={compare.figures}
      columns={table}
      rows={columns}
      rowKey={({ letter }) => letter}
    />
  )
}

/** What the ledger says that each answer cost, once it has ended; null without a price. */
const useCosts = (columns: readonly CompareColumn[]): ((letter: string) => string | null) => {
  const platform = usePlatform()
  const { language } = useLocale()
  const { currency, hasPrices } = useSession()
  const requests = useQueries({
    queries: columns.map(({ side: { answer } }) => ({
      ...requestQuery(platform, answer.requestId ?? ''),
      enabled: hasPrices && answer.requestId !== null && !isRunning(answer),
    })),
  })
  return (letter) => {
    const micros = requests[columns.findIndex((column) => column.letter === letter)]?.data?.costMicros ?? null
    return micros === null ? null : moneyText(micros, currency, language)
  }
}
