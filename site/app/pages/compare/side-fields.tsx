import { Field } from '../../components/field.tsx'
import { ModelField } from '../../components/model-field.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { chosenModel, modelChoices } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { fieldErrorText } from '../playground/field-error-text.ts'
import { samplingDefaults } from '../playground/settings.ts'
import type { Side } from './use-side.ts'

/** The settings of one side. An empty field means the model's default. */
export const SideFields = ({ side }: { side: Side }) => {
  const { playground } = useWords()
  const session = useSession()
  const { settings, errors, change, check } = side
  const usual = samplingDefaults(chosenModel(session, settings.model))
  const fields = [
    { name: 'temperature', empty: String(usual.temperature ?? playground.fields.isDefault), inputMode: 'decimal' },
    { name: 'top_p', empty: String(usual.top_p ?? playground.fields.isDefault), inputMode: 'decimal' },
    { name: 'max_completion_tokens', empty: playground.fields.notSet, inputMode: 'numeric' },
  ] as const
  return (
    <div className="compare-fields">
      {modelChoices(session).length < 2 ? null : (
        <ModelField name={chosenModel(session, settings.model).id} onChoose={(model) => change({ model })} />
      )}
      <TextAreaField
        label={playground.system}
        rows={1}
        placeholder={playground.fields.none}
        value={settings.system}
        onChange={(event) => change({ system: event.target.value })}
      />
      <div className="numbers">
        {fields.map(({ name, empty, inputMode }) => (
          <Field
            key={name}
            label={playground.fields[name]}
            inputMode={inputMode}
            autoComplete="off"
            className="tabular"
            placeholder={empty}
            value={settings[name]}
            error={fieldErrorText(errors[name], playground)}
            onChange={(event) => change({ [name]: event.target.value })}
            onBlur={check}
          />
        ))}
      </div>
    </div>
  )
}
