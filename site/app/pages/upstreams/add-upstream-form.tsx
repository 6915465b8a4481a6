import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { upstreamKinds } from '../../../../src/config/upstream-names.ts'
import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { extrasBody, itemsIn, noExtras, UpstreamExtrasFields } from './upstream-extras.tsx'
import { upstreamsQuery } from './upstreams-query.ts'

type Kind = UpstreamShown['kind']

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

export const AddUpstreamForm = ({ onClose }: { onClose(): void }) => {
  const platform = usePlatform()
  const { upstreams } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState({ name: '', url: '', key: '', models: '', maxInFlight: '64' })
  const [kind, setKind] = useState<Kind>('compatible')
  const [extras, setExtras] = useState(noExtras)
  const [isSent, setSent] = useState(false)
  const set = (name: keyof typeof fields) => (event: { target: { value: string } }) =>
    setFields({ ...fields, [name]: event.target.value })
  const name = fields.name.trim()
  const url = fields.url.trim()
  const isCount = /^\d{1,5}$/.test(fields.maxInFlight) && inRange(Number(fields.maxInFlight))
  const add = useMutation({
    mutationFn: () => {
      const tokenizer = extras.tokenizer.trim()
      const models = itemsIn(fields.models).map((model) => ({
        name: model,
        ...(tokenizer === '' ? {} : { tokenizer }),
      }))
      return platform.addUpstream({
        body: {
          ...{ name, url, kind, key: fields.key.trim() || null },
          maxInFlight: Number(fields.maxInFlight),
          models: models.length === 0 ? null : models,
          ...extrasBody(extras),
        },
      })
    },
    // The form contains a key, so it is kept nowhere but on the page.
    gcTime: 0,
    async onSuccess() {
      toast(upstreams.added(name))
      await queryClient.invalidateQueries({ queryKey: upstreamsQuery(platform).queryKey })
      onClose()
    },
  })
  const submit = (): void => {
    setSent(true)
    if (name !== '' && url !== '' && isCount) add.mutate()
  }
  // The server says which field is wrong, in English.
  const reason = add.error instanceof PlatformError && add.error.code === 'invalid_upstream' ? add.error.message : null
  return (
    <DialogForm
      submit={upstreams.add}
      request={add}
      hidesError={reason !== null}
      errorTitle={upstreams.notAdded}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        {...plain}
        label={upstreams.name}
        help={upstreams.nameHelp}
        error={isSent && name === '' ? upstreams.nameNeeded : null}
        autoFocus
        required
        value={fields.name}
        onChange={set('name')}
      />
      <Field
        {...plain}
        label={upstreams.url}
        help={upstreams.urlHelp}
        error={isSent && url === '' ? upstreams.urlNeeded : null}
        type="url"
        required
        value={fields.url}
        onChange={set('url')}
      />
      <Field
        {...plain}
        label={upstreams.keyField}
        help={upstreams.keyHelp}
        type="password"
        autoComplete="new-password"
        value={fields.key}
        onChange={set('key')}
      />
      <SelectField<Kind>
        label={upstreams.kind}
        help={upstreams.kindHelp}
        value={kind}
        options={upstreamKinds.map((value) => ({ value, text: upstreams.kinds[value] }))}
        onChoose={setKind}
      />
      <Field
        {...plain}
        label={upstreams.modelNames}
        help={upstreams.modelNamesHelp}
        value={fields.models}
        onChange={set('models')}
      />
      <Field
        {...plain}
        label={upstreams.maxInFlight}
        error={isSent && !isCount ? upstreams.wholeNumber : null}
        inputMode="numeric"
        value={fields.maxInFlight}
        onChange={set('maxInFlight')}
      />
      <UpstreamExtrasFields extras={extras} onChange={setExtras} />
      {reason === null ? null : <ErrorNotice error={add.error} title={upstreams.notAdded} text={reason} />}
    </DialogForm>
  )
}

const inRange = (value: number): boolean => value >= 1 && value <= 10_000
