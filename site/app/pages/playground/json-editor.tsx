import { useDialog } from '../../address/use-dialog.ts'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { useWords } from '../../words-context.tsx'
import { exampleSchema, exampleTools } from './examples.ts'
import { fieldErrorText } from './field-error-text.ts'
import type { JsonFieldName } from './json-dialog.tsx'
import { checkField } from './number-parameter.tsx'
import { ResetLink } from './reset-link.tsx'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

type JsonEditorProps = { name: JsonFieldName /** Instead of what the field is for. */; help?: string }

/** JSON with an example to start from; errors are shown below. The dialog has more room. */
export const JsonEditor = ({ name, help }: JsonEditorProps) => {
  const { playground } = useWords()
  const { fields } = playground
  const { settings, errors } = usePlayground()
  const { store } = usePlaygroundParts()
  const wide = useDialog('json')
  const example = name === 'tools' ? exampleTools : exampleSchema
  const add = (
    <button type="button" className="link small" onClick={() => store.changeSettings({ [name]: example })}>
      {name === 'tools' ? fields.addTool : fields.addSchema}
    </button>
  )
  return (
    <TextAreaField
      label={fields[name]}
      beside={
        <span className="beside">
          {settings[name] === '' ? add : <ResetLink name={name} />}
          <button
            type="button"
            className="link small"
            aria-label={playground.json.openOf(fields[name])}
            onClick={() => wide.open(name)}
          >
            {playground.json.open}
          </button>
        </span>
      }
      help={help ?? (name === 'tools' ? fields.toolsHelp : fields.schemaHelp)}
      error={fieldErrorText(errors[name], playground)}
      className="json"
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      translate="no"
      placeholder={name === 'tools' ? fields.none : '{ }'}
      value={settings[name]}
      onChange={(event) => store.changeSettings({ [name]: event.target.value })}
      onBlur={() => checkField(store, name)}
    />
  )
}
