import { useState } from 'react'
import { upstreamKinds } from '../../../../src/config/upstream-names.ts'
import { findPreset, upstreamPresetNames, upstreamPresets } from '../../../../src/config/upstream-presets.ts'
import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { useWords } from '../../admin-words-context.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { FailedTest } from './failed-test.tsx'
import { UpstreamExtrasFields } from './upstream-extras.tsx'
import { bodyOf, fieldsOf, type UpstreamFields, type UpstreamTextName, withPreset } from './upstream-fields.ts'
import { useSaveUpstream } from './use-save-upstream.ts'
import { wrongField } from './wrong-field.ts'

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

type UpstreamFormProps = {
  /** Null: a new one is added. */
  upstream: UpstreamShown | null
  onClose(): void
}

/** Adds or edits an upstream. It is tested first; one that fails is saved only if the owner insists. */
export const UpstreamForm = ({ upstream, onClose }: UpstreamFormProps) => {
  const { upstreams } = useWords()
  const [fields, setFields] = useState(() => fieldsOf(upstream))
  const [isSent, setSent] = useState(false)
  const { save, failed, forget } = useSaveUpstream(upstream?.name ?? null, onClose)
  const change = (next: UpstreamFields): void => {
    setFields(next)
    forget()
  }
  const set = (name: UpstreamTextName) => (event: { target: { value: string } }) =>
    change({ ...fields, [name]: event.target.value })
  const name = fields.name.trim()
  const isCount = /^\d{1,5}$/.test(fields.maxInFlight) && inRange(Number(fields.maxInFlight))
  const send = (isForced: boolean): void => {
    setSent(true)
    if (name === '' || fields.url.trim() === '' || !isCount) return
    save.mutate({ name, body: bodyOf(fields, upstream?.settings ?? null), isForced })
  }
  // The server says which field is wrong, in English.
  const wrong = wrongField(save.error)
  const errorOf = (field: UpstreamTextName, missing: string | null): string | null =>
    wrong?.field === field ? wrong.text : missing
  const preset = findPreset(fields.preset)
  const presetHelp = preset?.tested === null ? upstreams.presetUntested : upstreams.presetTested
  const notSaved = upstream === null ? upstreams.notAdded : upstreams.notChanged
  return (
    <DialogForm
      submit={upstream === null ? upstreams.add : upstreams.save}
      request={save}
      hidesError={wrong !== null}
      errorTitle={notSaved}
      onSubmit={() => send(false)}
      onCancel={onClose}
    >
      <SelectField<UpstreamFields['preset']>
        label={upstreams.preset}
        help={preset === null ? upstreams.presetHelp : presetHelp}
        value={fields.preset}
        options={[
          { value: 'none', text: upstreams.presetNone },
          ...upstreamPresetNames.map((value) => ({ value, text: upstreamPresets[value].title })),
        ]}
        onChoose={(chosen) => change(withPreset(fields, chosen))}
      />
      {upstream === null ? (
        <Field
          {...plain}
          label={upstreams.name}
          help={upstreams.nameHelp}
          error={errorOf('name', isSent && name === '' ? upstreams.nameNeeded : null)}
          autoFocus
          required
          value={fields.name}
          onChange={set('name')}
        />
      ) : null}
      <Field
        {...plain}
        label={upstreams.url}
        help={preset?.urlExample === undefined ? upstreams.urlHelp : upstreams.urlLike(preset.urlExample)}
        error={errorOf('url', isSent && fields.url.trim() === '' ? upstreams.urlNeeded : null)}
        type="url"
        required
        value={fields.url}
        onChange={set('url')}
      />
      <Field
        {...plain}
        label={upstreams.keyField}
        help={upstream?.hasKey ? upstreams.keyKept : upstreams.keyHelp}
        error={errorOf('key', null)}
        type="password"
        autoComplete="new-password"
        value={fields.key}
        onChange={set('key')}
      />
      <SelectField<UpstreamFields['kind']>
        label={upstreams.kind}
        help={upstreams.kindHelp}
        value={fields.kind}
        options={upstreamKinds.map((value) => ({ value, text: upstreams.kinds[value] }))}
        onChoose={(kind) => change({ ...fields, kind })}
      />
      <Field
        {...plain}
        label={upstreams.modelNames}
        help={upstreams.modelNamesHelp}
        error={errorOf('models', null)}
        value={fields.models}
        onChange={set('models')}
      />
      <Field
        {...plain}
        label={upstreams.maxInFlight}
        error={errorOf('maxInFlight', isSent && !isCount ? upstreams.wholeNumber : null)}
        inputMode="numeric"
        value={fields.maxInFlight}
        onChange={set('maxInFlight')}
      />
      <UpstreamExtrasFields fields={fields} wrong={wrong} onChange={change} />
      {wrong !== null && wrong.field === null ? (
        <ErrorNotice error={save.error} title={notSaved} text={wrong.text} />
      ) : null}
      {failed === null ? null : (
        <FailedTest
          problem={failed}
          title={notSaved}
          action={upstream === null ? upstreams.addAnyway : upstreams.saveAnyway}
          onSave={() => send(true)}
        />
      )}
    </DialogForm>
  )
}

const inRange = (value: number): boolean => value >= 1 && value <= 10_000
