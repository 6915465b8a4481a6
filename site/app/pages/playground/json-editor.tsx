import { TextAreaField } from '../../components/text-area-field.tsx'
import { useWords } from '../../words-context.tsx'
import { exampleSchema, exampleTools } from './examples.ts'
import { fieldErrorText } from './field-error-text.ts'
import { checkField } from './number-parameter.tsx'
import { changeSettings } from './playground-store.ts'
import { ResetLink } from './reset-link.tsx'
import { usePlayground } from './use-playground.ts'

type JsonEditorProps = { name: 'tools' | 'schema' /** Instead of what the field is for. */; help?: string }

/** A JSON editor with an example to start from; errors are shown below. */
export const JsonEditor = ({ name, help }: JsonEditorProps) => {
  const { playground } = useWords()
  const { fields } = playground
  const { settings, errors } = usePlayground()
  const example = name === 'tools' ? exampleTools : exampleSchema
  const add = (
    <button type="button" className="link small" onClick={() => changeSettings({ [name]: example })}>
      {name === 'tools' ? fields.addTool : fields.addSchema}
    </button>
  )
  return (
    <TextAreaField
      label={fields[name]}
      beside={settings[name] === '' ? add : <ResetLink name={name} />}
      help={help ?? (name === 'tools' ? fields.toolsHelp : fields.schemaHelp)}
      error={fieldErrorText(errors[name], playground)}
      className="json"
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      translate="no"
      placeholder={name === 'tools' ? fields.none : '{ }'}
      value={settings[name]}
      onChange={(event) => changeSettings({ [name]: event.target.value })}
      onBlur={() => checkField(name)}
    />
  )
}
