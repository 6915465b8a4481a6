import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import type { Platform } from '../../../platform/platform.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWarnBeforeUnload } from '../../components/use-warn-before-unload.ts'
import { bytesText } from '../../figures.ts'
import { ModelError } from './model-error.tsx'
import { useRefreshModels } from './use-refresh-models.ts'

/** Sends a GGUF file of this computer, part by part. */
export const UploadPart = () => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const toast = useToast()
  const refresh = useRefreshModels()
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [sent, setSent] = useState(0)
  const stop = useRef<AbortController | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const upload = useMutation({
    mutationFn: (chosen: File) => {
      const control = new AbortController()
      stop.current = control
      setSent(0)
      return sendFile(platform, { file: chosen, name: name.trim() }, { signal: control.signal, onSent: setSent })
    },
    async onSuccess(added) {
      setFile(null)
      setName('')
      if (input.current !== null) input.current.value = ''
      toast(models.uploaded(added))
      await refresh()
    },
  })
  useWarnBeforeUnload(upload.isPending)
  const choose = (chosen: File | null): void => {
    setFile(chosen)
    if (chosen !== null) setName(chosen.name.replace(/\.gguf$/i, ''))
  }
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (file !== null && name.trim() !== '' && !upload.isPending) upload.mutate(file)
  }
  const wasStopped = stop.current?.signal.aborted === true
  return (
    <Section title={models.uploadTitle} text={models.uploadText}>
      <form className="model-upload stack" onSubmit={send}>
        <div className="field">
          <label htmlFor={id}>{models.uploadFile}</label>
          <input
            ref={input}
            id={id}
            className="input"
            type="file"
            accept=".gguf"
            disabled={upload.isPending}
            onChange={(event) => choose(event.target.files?.[0] ?? null)}
          />
        </div>
        <Field
          label={models.uploadName}
          value={name}
          maxLength={96}
          disabled={upload.isPending}
          onChange={(event) => setName(event.target.value)}
        />
        {upload.isPending && file !== null ? (
          <div>
            <progress aria-label={file.name} max={file.size} value={sent} />
            <span className="subtext">
              {models.uploading(bytesText(sent, language), bytesText(file.size, language))}
            </span>
          </div>
        ) : null}
        {wasStopped ? null : <ModelError error={upload.error} title={models.notUploaded} />}
        <div className="actions">
          {upload.isPending ? (
            <Button onClick={() => stop.current?.abort()}>{models.stopUpload}</Button>
          ) : (
            <Button type="submit" disabled={file === null || name.trim() === ''}>
              {models.upload}
            </Button>
          )}
        </div>
      </form>
    </Section>
  )
}

/** Resolves to the name of the model. One that fails or is stopped is given up, so that the server keeps nothing of it. */
const sendFile = async (
  platform: Platform,
  { file, name }: { file: File; name: string },
  { signal, onSent }: { signal: AbortSignal; onSent(bytes: number): void },
): Promise<string> => {
  const { id, partBytes } = await platform.beginUpload({ body: { name, sizeBytes: file.size }, signal })
  try {
    for (let offset = 0; offset < file.size; offset += partBytes) {
      const body = file.slice(offset, offset + partBytes)
      const { receivedBytes } = await platform.sendUploadPart({ params: { id, offset: String(offset) }, body, signal })
      onSent(receivedBytes)
    }
    return (await platform.finishUpload({ params: { id }, signal })).name
  } catch (error) {
    await platform.abortUpload({ params: { id } }).catch(() => {})
    throw error
  }
}
