import { type KeyboardEvent, useId } from 'react'
import { useWords } from '../../words-context.tsx'
import { variableNames } from './prompt-variables.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** The variables of the prompt with their values, as soon as there is one. */
export const VariableFields = () => {
  const { playground } = useWords()
  const { store } = usePlaygroundParts()
  const { system, draft, turns, variables } = usePlayground()
  const id = useId()
  const names = variableNames([system, ...turns.map(({ kind, text }) => (kind === 'sent' ? text : '')), draft])
  if (names.length === 0) return null
  // Enter belongs to the message: here it would send it half-filled.
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') event.preventDefault()
  }
  return (
    <details className="variables" open>
      <summary>{playground.variables.title(names.length)}</summary>
      <div className="variable-rows">
        {names.map((name) => (
          <div key={name}>
            <label className="mono" htmlFor={`${id}-${name}`} translate="no">
              {name}
            </label>
            <input
              id={`${id}-${name}`}
              className="input"
              autoComplete="off"
              placeholder={playground.variables.empty}
              value={Object.hasOwn(variables, name) ? variables[name] : ''}
              onChange={(event) => store.change({ variables: { ...variables, [name]: event.target.value } })}
              onKeyDown={press}
            />
          </div>
        ))}
      </div>
    </details>
  )
}
