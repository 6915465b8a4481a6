import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { proposeModelName } from '../../../../src/models/propose-model-name.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWarnBeforeUnload } from '../../components/use-warn-before-unload.ts'
import { bytesText } from '../../figures.ts'
import { checkUpload, type UploadProblem } from './check-upload.ts'
import { ModelError } from './model-error.tsx'
import { modelsQuery } from './models-query.ts'
import { sendFile } from './send-file.ts'
import { useRefreshModels } from './use-refresh-models.ts'

/** Sends a GGUF file of this computer, part by part. */
export const UploadPart = () => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const toast = useToast()
  const refresh = useRefreshModels()
  const { data: known } = useQuery(modelsQuery(platform))
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<UploadProblem | null>(null)
  const [sent, setSent] = useState(0)
  const stop = useRef<AbortController | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: (chosen: { file: File; name: string }) => {
      const control = new AbortController()
      stop.current = control
      setSent(0)
      return sendFile(platform, chosen, { signal: control.signal, onSent: setSent })
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
  const forget = (): void => {
    setProblem(null)
    if (!upload.isPending) upload.reset()
  }
  const choose = (chosen: File | null): void => {
    forget()
    setFile(chosen)
    if (chosen !== null) setName(proposeModelName(chosen.name))
  }
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (file === null || upload.isPending) return
    const chosen = { file, name: name.trim() }
    const found = await checkUpload(chosen, known)
    setProblem(found)
    if (found === null) upload.mutate(chosen)
  }
  const isOfName = problem === 'badName' || problem === 'takenName'
  const wasStopped = upload.isError && stop.current?.signal.aborted === true
  return (
    <Section title={models.uploadTitle} text={models.uploadText}>
      <form className="model-upload stack" onSubmit={(event) => void send(event)} noValidate>
        <Field
          ref={input}
          label={models.uploadFile}
          error={problem === null || isOfName ? null : models[problem]}
          type="file"
          accept=".gguf"
          disabled={upload.isPending}
          onChange={(event) => choose(event.target.files?.[0] ?? null)}
        />
        <Field
          label={models.uploadName}
          error={isOfName ? models[problem] : null}
          value={name}
          maxLength={96}
          disabled={upload.isPending}
          onChange={(event) => {
            forget()
            setName(event.target.value)
          }}
        />
        {upload.isPending && file !== null ? (
          <div>
            <progress aria-label={file.name} max={file.size} value={sent} />
            <span className="subtext">
              {models.uploading(bytesText(sent, language), bytesText(file.size, language))}
            </span>
          </div>
        ) : null}
        {wasStopped ? (
          <p className="secondary" role="status">
            {models.uploadStopped}
          </p>
        ) : (
          <ModelError error={upload.error} title={models.notUploaded} />
        )}
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
