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
import { faultyField } from './faulty-field.ts'
import { UpstreamExtrasFields } from './upstream-extras.tsx'
import {
  bodyOf,
  changesOf,
  fieldsOf,
  type UpstreamFields,
  type UpstreamTextName,
  withPreset,
} from './upstream-fields.ts'
import { upstreamProblems } from './upstream-problems.ts'
import { useSaveUpstream } from './use-save-upstream.ts'
import { useWrongFieldFocus } from './use-wrong-field-focus.ts'
import { wrongFields } from './wrong-fields.ts'

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

type UpstreamFormProps = {
  /** Null: a new one is added. */
  upstream: UpstreamShown | null
  onClose(): void
}

/** Adds or edits an upstream. It is tested first; one that fails is saved only if the owner insists. */
export const UpstreamForm = ({ upstream, onClose }: UpstreamFormProps) => {
  const { upstreams, errors } = useWords()
  const [shownFirst] = useState(upstream)
  const [fields, setFields] = useState(() => fieldsOf(upstream))
  const [attempts, setAttempts] = useState(0)
  const { save, isTesting, failed, forget } = useSaveUpstream(upstream?.name ?? null, onClose)
  const change = (next: UpstreamFields): void => {
    setFields(next)
    forget()
  }
  const set = (name: UpstreamTextName) => (event: { target: { value: string } }) =>
    change({ ...fields, [name]: event.target.value })
  const name = fields.name.trim()
  const problems = upstreamProblems(fields, upstreams)
  const send = (isForced: boolean): void => {
    setAttempts(attempts + 1)
    forget()
    if (Object.keys(problems).length > 0) return
    save.mutate({ name, body: shownFirst === null ? bodyOf(fields, null) : changesOf(fields, shownFirst), isForced })
  }
  const place = useWrongFieldFocus(attempts, save.error ?? failed)
  // Of the rest, the server says which fields are wrong, in English.
  const wrong = wrongFields(save.error, errors.upstream_exists)
  const faulty = failed === null ? null : faultyField(failed.fault)
  const shown = {
    ...(failed === null || faulty === null ? {} : { [faulty]: upstreams.faults[failed.fault] }),
    ...wrong?.fields,
    ...(attempts > 0 ? problems : {}),
  }
  const errorOf = (field: UpstreamTextName): string | null => shown[field] ?? null
  const preset = findPreset(fields.preset)
  const untested = preset?.compared === undefined ? upstreams.presetUntested : upstreams.presetCompared
  const presetHelp = preset?.tested === null ? untested : upstreams.presetTested
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
          error={errorOf('name')}
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
        error={errorOf('url')}
        type="url"
        required
        value={fields.url}
        onChange={set('url')}
      />
      <Field
        {...plain}
        label={upstreams.keyField}
        help={upstream?.hasKey ? upstreams.keyKept : upstreams.keyHelp}
        error={errorOf('key')}
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
        error={errorOf('models')}
        value={fields.models}
        onChange={set('models')}
      />
      <Field
        {...plain}
        label={upstreams.maxInFlight}
        error={errorOf('maxInFlight')}
        inputMode="numeric"
        value={fields.maxInFlight}
        onChange={set('maxInFlight')}
      />
      <span ref={place} hidden />
      <UpstreamExtrasFields fields={fields} problems={shown} onChange={change} />
      {isTesting ? (
        <p className="secondary small" role="status">
          {upstreams.testing}
        </p>
      ) : null}
      {wrong === null || wrong.other === null ? null : (
        <ErrorNotice error={save.error} title={notSaved} text={wrong.other} />
      )}
      {failed === null ? null : (
        <FailedTest
          problem={failed}
          isSaid={faulty !== null}
          title={notSaved}
          action={upstream === null ? upstreams.addAnyway : upstreams.saveAnyway}
          onSave={() => send(true)}
        />
      )}
    </DialogForm>
  )
}
