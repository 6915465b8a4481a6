import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { type FieldName, withoutField } from './settings.ts'
import { undoInPlayground } from './undo-in-playground.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** Resets to the default, if the value differs from it. */
export const ResetLink = ({ name }: { name: FieldName }) => {
  const { fields } = useWords().playground
  const { settings } = usePlayground()
  const { store } = usePlaygroundParts()
  const toast = useToast()
  if (settings[name] === '') return null
  const isText = name === 'tools' || name === 'schema' || name === 'stop'
  return (
    <button
      type="button"
      className="link small"
      aria-label={isText ? fields.removeOf(fields[name]) : fields.resetOf(fields[name])}
      onClick={() => {
        store.changeSettings(withoutField(settings, name))
        if (isText)
          toast(
            fields.removed(fields[name]),
            undoInPlayground(
              store,
              () => store.changeSettings({ [name]: settings[name], format: settings.format }),
              (now) => now.settings[name] === '',
            ),
          )
      }}
    >
      {isText ? fields.remove : fields.toDefault}
    </button>
  )
}
