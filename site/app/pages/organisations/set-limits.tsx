import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import type { LimitedOrganisation, Limits } from '../../../platform/types.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useToast } from '../../components/toasts.tsx'
import { limitTexts } from '../keys/key-draft.ts'
import { LimitFields } from '../keys/limit-fields.tsx'
import { useSeenLimits } from '../keys/use-seen-limits.ts'
import { isCostLimit } from '../limits/limit-words.ts'
import { useLimitFigures } from '../limits/use-limit-figures.ts'
import { limitsQuery } from './limits-query.ts'
import { readOwnLimits } from './read-own-limits.ts'

type SetLimitsProps = { organisation: LimitedOrganisation | null; onClose(): void }

/** The limits of one organisation, where they differ from the default. */
export const SetLimits = ({ organisation, onClose }: SetLimitsProps) => {
  const { admin } = useLocale().words
  const title = organisation === null ? '' : admin.limitsTitle(organisation.name)
  return (
    <Dialog isOpen={organisation !== null} title={title} onClose={onClose}>
      {organisation === null ? null : <LimitsForm organisation={organisation} onClose={onClose} />}
    </Dialog>
  )
}

type LimitsFormProps = Omit<SetLimitsProps, 'organisation'> & { organisation: LimitedOrganisation }

const LimitsForm = ({ organisation, onClose }: LimitsFormProps) => {
  const platform = usePlatform()
  const { words } = useLocale()
  const { admin } = words
  const { figure } = useLimitFigures()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [texts, setTexts] = useState(limitTexts(organisation.limits))
  const { seen, meet, othersChange } = useSeenLimits({
    first: organisation.limits,
    none: words.limits.resetMeanwhile,
    async readNow() {
      const { data } = await queryClient.fetchQuery({ ...limitsQuery(platform), staleTime: 0 })
      return data.find(({ id }) => id === organisation.id)?.limits
    },
    onTexts: setTexts,
  })
  const [wrong, setWrong] = useState<readonly LimitName[]>([])
  const save = useMutation({
    mutationFn: (limits: Partial<Limits>) =>
      platform.setOrganisationLimits({ params: { organisation: organisation.id }, body: { ...limits, was: seen } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['admin-limits'] })
      toast(admin.limitsSaved(organisation.name))
      onClose()
    },
    onError: meet,
  })
  const submit = (): void => {
    const read = readOwnLimits(texts)
    setWrong(read.wrong)
    if (read.wrong.length === 0) save.mutate(read.limits)
  }
  const help = (name: LimitName): string => {
    const max = organisation.defaults[name]
    return max === null ? admin.limitDefaultNone : admin.limitDefault(figure(name, max))
  }
  return (
    <DialogForm
      submit={admin.saveLimits}
      request={save}
      errorTitle={admin.limitsNotSaved}
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>{admin.limitsText}</p>
      <LimitFields
        texts={texts}
        wrong={Object.fromEntries(
          wrong.map((name) => [name, isCostLimit(name) ? admin.amountWrong : admin.limitWrong]),
        )}
        help={(name) => othersChange(name) ?? help(name)}
        onChange={setTexts}
      />
    </DialogForm>
  )
}
