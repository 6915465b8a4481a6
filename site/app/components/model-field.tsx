import { wholeText } from '../figures.ts'
import { chosenModel, modelChoices } from '../model-choices.ts'
import { useSession } from '../session.ts'
import { useLocale } from '../words-context.tsx'
import { SelectField } from './select-field.tsx'

type ModelFieldProps = { name: string; onChoose(name: string): void }

/** The models to choose from; the name alone where there is one. */
export const ModelField = ({ name, onChoose }: ModelFieldProps) => {
  const { language, words } = useLocale()
  const session = useSession()
  const { id, contextTokens } = chosenModel(session, name)
  const choices = modelChoices(session)
  const { model } = words.shell
  if (choices.length < 2)
    return (
      <div className="field">
        <span className="label">{model}</span>
        <span className="mono">{id}</span>
      </div>
    )
  return (
    <SelectField
      label={model}
      help={contextTokens === null ? undefined : words.playground.fields.context(wholeText(contextTokens, language))}
      value={id}
      options={choices.map((choice) => ({ value: choice.id, text: choice.id }))}
      onChoose={onChoose}
    />
  )
}
