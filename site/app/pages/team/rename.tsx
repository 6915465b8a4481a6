import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

/** Sends the name that the reader saw, so that nobody else's change is overwritten unseen. */
export const Rename = () => {
  const platform = usePlatform()
  const { team, shell } = useWords()
  const { organisation } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [name, setName] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const typed = name ?? organisation.name
  const showCurrentName = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: sessionKey })
    setName(null)
  }
  const rename = useMutation({
    mutationFn: () => platform.renameOrganisation({ body: { name: typed.trim(), was: organisation.name } }),
    async onSuccess() {
      toast(team.renamed(typed.trim()))
      await showCurrentName()
    },
    // Any other failure leaves the field alone: what was typed is sent again once the server can be reached.
    async onError(error) {
      if (error instanceof PlatformError && error.code === 'changed_meanwhile') await showCurrentName()
    },
  })
  const isRefused = rename.error instanceof PlatformError && rename.error.param === 'name'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(typed.trim() === '')
    if (typed.trim() !== '' && typed.trim() !== organisation.name && !rename.isPending) rename.mutate()
  }
  return (
    <SettingsPart title={shell.organisation} text={team.organisationText}>
      <form className="stack" onSubmit={submit} noValidate>
        <Field
          label={shell.name}
          value={typed}
          error={isMissing ? team.nameNeeded : isRefused ? team.nameRefused : null}
          required
          autoComplete="off"
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={rename.isPending}>
          {team.rename}
        </Button>
      </form>
      <p className="with-copy small">
        <span>
          {shell.id}{' '}
          <span className="mono" translate="no">
            {organisation.id}
          </span>
        </span>
        <CopyIcon text={organisation.id} label={shell.copyId} />
      </p>
      {rename.isError && !isRefused ? <ErrorNotice error={rename.error} /> : null}
    </SettingsPart>
  )
}
