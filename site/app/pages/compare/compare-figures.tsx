import { speedOf } from '../../answer/answer-figures.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { durationText, speedText, wholeText } from '../../figures.ts'
import { chosenModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import type { CompareColumn } from './use-columns.ts'

/** Tokens and times of all columns, side by side. Nothing until one of them was answered. */
export const CompareFigures = ({ columns }: { columns: readonly CompareColumn[] }) => {
  const { language, words } = useLocale()
  const { compare, shell, answer: said } = words
  const session = useSession()
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
    figure('first', shell.firstToken, ({ side: { answer } }) => {
      const [first] = answer.moments
      return first === undefined ? '–' : durationText(first, language)
    }),
    figure('total', compare.total, ({ side: { answer } }) => {
      const last = answer.moments.at(-1)
      return last === undefined ? '–' : durationText(last, language)
    }),
    figure('speed', said.speed, ({ side: { answer } }) => {
      const speed = speedOf(answer.moments)
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
