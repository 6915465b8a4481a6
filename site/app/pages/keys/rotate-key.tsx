import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Key, NewKey } from '../../../platform/types.ts'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale, useWords } from '../../words-context.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type RotateKeyProps = { apiKey: Key | null; onClose(): void }

/** Chooses how long the current secret keeps working, then shows the new one. */
export const RotateKey = ({ apiKey, onClose }: RotateKeyProps) => {
  const { language, words } = useLocale()
  const { keys } = words
  const [until, setUntil] = useState<number | null>(null)
  return (
    <SecretDialog<NewKey>
      isOpen={apiKey !== null}
      title={apiKey === null ? '' : keys.rotateTitle(apiKey.name)}
      onClose={onClose}
      form={(onRotated, close) =>
        apiKey === null ? null : (
          <RotateForm
            apiKey={apiKey}
            onClose={close}
            onRotated={(rotated) => {
              setUntil(rotated.previousUntil)
              onRotated(rotated)
            }}
          />
        )
      }
      ready={({ name }) => ({
        title: keys.rotatedTitle(name),
        text: until === null ? keys.rotatedAtOnce : keys.rotatedText(momentText(until, language)),
      })}
    />
  )
}

type Grace = '0' | '1' | '24' | '168' | '720'

const hourMs = 3_600_000

const RotateForm = ({ apiKey, onClose, onRotated }: { apiKey: Key; onClose(): void; onRotated(key: NewKey): void }) => {
  const platform = usePlatform()
  const { keys } = useWords()
  const queryClient = useQueryClient()
  const [graceHours, setGraceHours] = useState<Grace>('24')
  const rotate = useMutation({
    mutationFn: () =>
      platform.rotateKey({ params: { key: apiKey.id }, body: { graceMs: Number(graceHours) * hourMs } }),
    // The secret is kept nowhere but on the page.
    gcTime: 0,
    onSuccess(rotated) {
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
      onRotated(rotated)
    },
  })
  const options: { value: Grace; text: string }[] = [
    { value: '0', text: keys.graceNone },
    { value: '1', text: keys.graceHour },
    { value: '24', text: keys.graceDay },
    { value: '168', text: keys.graceWeek },
    { value: '720', text: keys.graceMonth },
  ]
  return (
    <DialogForm
      submit={keys.rotateNow}
      request={rotate}
      errorTitle={keys.rotateFailed}
      onSubmit={rotate.mutate}
      onCancel={onClose}
    >
      <p>{keys.rotateText}</p>
      <SelectField<Grace> label={keys.grace} value={graceHours} options={options} autoFocus onChoose={setGraceHours} />
    </DialogForm>
  )
}
