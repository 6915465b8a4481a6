import { useId } from 'react'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'

type ModelFieldsProps = {
  chosen: readonly string[]
  wrong: string | undefined
  onChange(models: readonly string[]): void
}

/** The models that a key may use. Names that it already has, such as aliases and models removed since, stay on the list. */
export const ModelFields = ({ chosen, wrong, onChange }: ModelFieldsProps) => {
  const { keys } = useWords()
  const { models } = useSession()
  const id = useId()
  const served = models.map((model) => model.id)
  const others = chosen.filter((name) => !served.includes(name))
  const toggle = (name: string, isOn: boolean): void =>
    onChange(isOn ? [...chosen, name] : chosen.filter((each) => each !== name))
  return (
    <fieldset className="checkboxes" aria-describedby={id}>
      <legend className="label">{keys.models}</legend>
      {[...served, ...others].map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) => toggle(name, event.target.checked)}
          />
          <span className="mono">{name}</span>
        </label>
      ))}
      <p
        id={id}
        className={wrong === undefined ? 'small secondary' : 'error-text'}
        role={wrong === undefined ? undefined : 'alert'}
      >
        {wrong ?? keys.modelsHelp}
      </p>
    </fieldset>
  )
}
