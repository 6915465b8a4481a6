import { type FormEvent, type ReactNode, useState } from 'react'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { draftTexts, readChanges, type SettingDrafts, type SettingTexts, withoutSaved } from './setting-draft.ts'
import { SettingField, type SettingFieldProps } from './setting-field.tsx'
import { useSaveSettings } from './use-save-settings.ts'

export type ShowField = (
  name: string,
  described: Pick<SettingFieldProps, 'label' | 'help' | 'options' | 'placeholder'>,
) => ReactNode

type SettingsFormProps = {
  /** Those of the part. */
  settings: readonly ShownSetting[]
  /** What happens when it is saved, if there is something to say. */
  consequence?(texts: SettingTexts): string | null
  /** Beside the button that saves. */
  extra?(changes: Readonly<Record<string, unknown>>): ReactNode
  children(field: ShowField): ReactNode
}

/** The fields of a part, saved together. */
export const SettingsForm = ({ settings, consequence, extra, children }: SettingsFormProps) => {
  const { server } = useWords()
  const [drafts, setDrafts] = useState<SettingDrafts>({})
  const { save, wrong } = useSaveSettings<SettingTexts>({
    onSaved: ({ changes: saved, typed }, shown) =>
      setDrafts((last) => withoutSaved(last, Object.keys(saved), typed, shown)),
    onConflict: (conflicting) =>
      setDrafts((last) => Object.fromEntries(Object.entries(last).filter(([name]) => name !== conflicting))),
  })
  const texts = draftTexts(settings, drafts)
  const changes = readChanges(settings, texts)
  const were = Object.fromEntries(Object.keys(changes).map((name) => [name, drafts[name]?.was ?? null]))
  const isChanged = Object.keys(changes).length > 0
  const warning = consequence?.(texts) ?? null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isChanged && !save.isPending) save.mutate({ changes, were, typed: texts })
  }
  const field: ShowField = (name, described) => {
    const setting = settings.find((known) => known.name === name)
    if (setting === undefined) return null
    return (
      <SettingField
        key={name}
        {...described}
        setting={setting}
        text={texts[name] ?? ''}
        error={wrong?.name === name ? wrong.text : null}
        onType={(text) =>
          setDrafts((last) => ({ ...last, [name]: { text, was: (last[name] ?? { was: setting.value }).was } }))
        }
        onReset={() => save.mutate({ changes: { [name]: null }, were: { [name]: setting.value }, typed: texts })}
      />
    )
  }
  const isShown = wrong !== null && settings.some(({ name }) => name === wrong.name)
  return (
    <form className="stack settings-form" onSubmit={submit} noValidate>
      {children(field)}
      {warning === null ? null : <p className="small">{warning}</p>}
      {save.error === null || isShown ? null : <ErrorNotice error={save.error} title={server.notSaved} />}
      <div className="button-row">
        <Button type="submit" disabled={!isChanged} busy={save.isPending}>
          {server.save}
        </Button>
        {extra?.(changes)}
      </div>
    </form>
  )
}
