import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import { Button } from '../../components/button.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { ImportList } from './import-list.tsx'
import { useImport } from './use-import.ts'
import { wrongFields } from './wrong-fields.ts'

const maxLength = 262_144

/** Adds the upstreams of LiteLLM's `config.yaml`: first it shows which, then it tests and adds each. */
export const ImportForm = ({ onClose }: { onClose(): void }) => {
  const { upstreams, shell } = useWords()
  const toast = useToast()
  const [config, setConfig] = useState('')
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(new Map())
  const { preview, results, read, add } = useImport(config)
  const isTooLong = config.length > maxLength
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    // What is too long is not read, only said.
    setConfig(await file.slice(0, maxLength + 1).text())
    read.reset()
  }
  if (preview === null)
    return (
      <DialogForm
        submit={upstreams.importRead}
        request={read}
        isReady={config.trim() !== '' && !isTooLong}
        hidesError={wrongFields(read.error) !== null}
        errorTitle={upstreams.importNotRead}
        onSubmit={() => read.mutate()}
        onCancel={onClose}
      >
        <Field
          label={upstreams.importFile}
          type="file"
          accept=".yaml,.yml"
          onChange={(event) => void choose(event.target.files?.[0])}
        />
        <TextAreaField
          label="config.yaml"
          error={isTooLong ? upstreams.importLong : null}
          className="mono import-config"
          rows={6}
          spellCheck={false}
          value={config}
          onChange={(event) => {
            setConfig(event.target.value)
            read.reset()
          }}
        />
        {read.error === null || wrongFields(read.error) === null ? null : (
          <ErrorNotice error={read.error} title={upstreams.importNotRead} text={wrongFields(read.error)?.other ?? ''} />
        )}
      </DialogForm>
    )
  const waiting = preview.upstreams.filter(({ name }) => results.get(name)?.isAdded !== true).map(({ name }) => name)
  const send = (names: readonly string[], skipsTest: boolean): void =>
    add.mutate(
      { names, keys, skipsTest },
      {
        onSuccess(all) {
          if (preview.upstreams.some(({ name }) => all.get(name)?.isAdded !== true)) return
          toast(upstreams.imported(preview.upstreams.length))
          onClose()
        },
      },
    )
  const list = (
    <ImportList
      preview={preview}
      results={results}
      keys={keys}
      onKey={(name, key) => setKeys(new Map(keys).set(name, key))}
      onAddAnyway={(name) => {
        if (!add.isPending) send([name], true)
      }}
    />
  )
  if (preview.upstreams.length === 0)
    return (
      <div className="stack">
        {list}
        <div className="actions">
          <Button onClick={onClose}>{shell.close}</Button>
        </div>
      </div>
    )
  return (
    <DialogForm
      submit={upstreams.importAdd(waiting.length)}
      request={add}
      isReady={waiting.length > 0}
      onSubmit={() => send(waiting, false)}
      onCancel={onClose}
    >
      {list}
    </DialogForm>
  )
}
