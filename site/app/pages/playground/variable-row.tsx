import { X } from 'lucide-react'
import type { ClipboardEvent } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { useWords } from '../../words-context.tsx'
import type { PromptVariables } from './prompt-variables.ts'

type VariableRowProps = {
  id: string
  /** Of the rows one is chosen. */
  group: string
  names: readonly string[]
  values: PromptVariables
  /** Null if it is the only one. */
  number: number | null
  isChosen: boolean
  onChange(changed: PromptVariables): void
  onChoose(): void
  onRemove(): void
  onPaste(event: ClipboardEvent, column: number): void
}

/** A set of values, and whether it is the one that is sent. Its cells have labels of their own: on phones there is no head. */
export const VariableRow = ({ id, group, names, values, number, isChosen, ...actions }: VariableRowProps) => {
  const words = useWords().playground.variables
  return (
    <tr className={number !== null && isChosen ? 'selected' : undefined}>
      {number === null ? null : (
        <th scope="row">
          <label>
            <input
              type="radio"
              name={group}
              checked={isChosen}
              onChange={actions.onChoose}
              // In the form of the composer it would send the message, or stop the answer.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
            {words.row(number)}
            <span className="visually-hidden">{words.useForSend}</span>
          </label>
        </th>
      )}
      {names.map((name, column) => (
        <td key={name}>
          <label className="cell-name" htmlFor={`${id}-${column}`}>
            <span className="mono" translate="no">
              {name}
            </span>
            {number === null ? null : <span className="visually-hidden">{words.inRow(number)}</span>}
          </label>
          {/* A whole document may be the value. */}
          <textarea
            rows={1}
            id={`${id}-${column}`}
            className="input auto-height"
            autoComplete="off"
            placeholder={words.empty}
            value={Object.hasOwn(values, name) ? values[name] : ''}
            onChange={(event) => actions.onChange({ [name]: event.target.value })}
            onPaste={(event) => actions.onPaste(event, column)}
          />
        </td>
      ))}
      {number === null ? null : (
        <td className="remove">
          <IconButton label={words.remove(number)} onClick={actions.onRemove}>
            <X size={16} strokeWidth={1.5} aria-hidden />
          </IconButton>
        </td>
      )}
    </tr>
  )
}
