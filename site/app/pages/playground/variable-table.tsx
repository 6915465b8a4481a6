import { Plus, Rows3 } from 'lucide-react'
import { type ClipboardEvent, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useLocale } from '../../words-context.tsx'
import { changeRows, chosenRow, type LeftOut } from './change-rows.ts'
import { parseCells } from './parse-cells.ts'
import type { PlaygroundState } from './playground-store.ts'
import { maxRows, type OtherRows } from './prompt-variables.ts'
import { undoInPlayground } from './undo-in-playground.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'
import { VariableRow } from './variable-row.tsx'
import { filledRows, tableRows } from './variable-rows.ts'
import '../../../styles/variables.css'

/** What had no place when cells were pasted, and the rows that this made. */
type Pasted = { leftOut: LeftOut; otherRows: OtherRows }

type VariableTableProps = { names: readonly string[]; onRunAll(): void }

/** A column for each variable and a row for each set of values: one is used by what is sent, and all can be sent one by one. */
export const VariableTable = ({ names, onRunAll }: VariableTableProps) => {
  const { words: allWords, language } = useLocale()
  const words = allWords.playground.variables
  const { store } = usePlaygroundParts()
  const state = usePlayground()
  const toast = useToast()
  const id = useId()
  const body = useRef<HTMLTableSectionElement>(null)
  const [pasted, setPasted] = useState<Pasted | null>(null)
  const rows = tableRows(state)
  const isMany = rows.length > 1
  const isFull = rows.length >= maxRows
  const filled = isMany ? filledRows(state).length : 0
  const isIdle = state.runningId === null
  const isSaid = state.turns.length > 0 || state.draft.trim() !== '' || state.attachments.length > 0
  const focusCell = (row: number): void => {
    requestAnimationFrame(() => body.current?.rows[row]?.querySelector('textarea')?.focus())
  }
  const add = (): void => {
    if (isFull) return
    store.change(changeRows.addRow(store.read()))
    focusCell(rows.length)
  }
  const replace = (next: Pick<PlaygroundState, 'variables' | 'otherRows'>, said: string): void => {
    const { variables, otherRows } = store.read()
    store.change(next)
    const isUnchanged = (now: typeof next): boolean =>
      now.variables === next.variables && now.otherRows === next.otherRows
    toast(
      said,
      undoInPlayground(store, () => store.change({ variables, otherRows }), isUnchanged),
    )
  }
  const remove = (row: number): void => {
    replace(changeRows.removeRow(store.read(), row), words.removed(row + 1))
    focusCell(Math.min(row, rows.length - 2))
  }
  const paste = (event: ClipboardEvent, row: number, column: number): void => {
    const { clipboardData } = event
    const cells = parseCells(clipboardData.getData('text/plain'), clipboardData.getData('text/html'))
    if (cells === null) return
    event.preventDefault()
    const { table, leftOut } = changeRows.fillFrom(store.read(), names, { row, column }, cells)
    replace(table, words.pasted(cells.length - leftOut.rows))
    setPasted({ leftOut, otherRows: table.otherRows })
  }
  // Of another table, or of this one since it was changed, it says nothing.
  const leftOut =
    pasted?.otherRows === state.otherRows ? leftOutTexts(pasted.leftOut, words).join(language.sentenceSeparator) : ''
  return (
    <details className="variables" open>
      <summary>{words.title(names.length)}</summary>
      <div className="variable-rows">
        <table className={isMany ? 'variable-table many' : 'variable-table'}>
          <caption className="visually-hidden">{words.title(names.length)}</caption>
          <thead>
            <tr>
              {isMany ? <th scope="col">{words.used}</th> : null}
              {names.map((name) => (
                <th key={name} scope="col" className="mono" translate="no">
                  {name}
                </th>
              ))}
              {isMany ? (
                <td>
                  <span className="visually-hidden">{words.removeColumn}</span>
                </td>
              ) : null}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((values, row) => (
              <VariableRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
                key={row}
                id={`${id}-${row}`}
                group={id}
                names={names}
                values={values}
                number={isMany ? row + 1 : null}
                isChosen={row === chosenRow(state)}
                onChange={(changed) => store.change(changeRows.setRow(store.read(), row, changed))}
                onChoose={() => store.change(changeRows.choose(store.read(), row))}
                onRemove={() => remove(row)}
                onPaste={(event, column) => paste(event, row, column)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className="variable-actions">
        <Button look="plain" aria-disabled={isFull || undefined} onClick={add}>
          <Plus size={16} strokeWidth={1.5} aria-hidden />
          {words.add}
        </Button>
        {isMany ? (
          <Button
            look="plain"
            aria-disabled={filled === 0 || !isIdle || !isSaid || undefined}
            onClick={() => filled > 0 && isIdle && isSaid && onRunAll()}
          >
            <Rows3 size={16} strokeWidth={1.5} aria-hidden />
            {words.run(filled)}
          </Button>
        ) : null}
        <span className="small muted" role="status">
          {leftOut !== '' ? leftOut : isFull ? words.full(maxRows) : null}
        </span>
      </div>
    </details>
  )
}

type LeftOutWords = { leftOut(count: number, most: number): string; cellsLeftOut(count: number): string }

const leftOutTexts = ({ rows, cells }: LeftOut, words: LeftOutWords): string[] => [
  ...(rows > 0 ? [words.leftOut(rows, maxRows)] : []),
  ...(cells > 0 ? [words.cellsLeftOut(cells)] : []),
]
