import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { sessionQuery, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

export const DeleteOrganisation = () => {
  const { team } = useWords()
  const { organisation } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsPart title={team.deletion} text={team.deletionText}>
      <Button onClick={() => setOpen(true)}>{team.deletion}</Button>
      <Dialog isOpen={isOpen} title={team.deleteTitle(organisation.name)} onClose={() => setOpen(false)}>
        <DeleteForm onClose={() => setOpen(false)} />
      </Dialog>
    </SettingsPart>
  )
}

/** Asks for the name, so that nobody deletes another one than they mean. */
const DeleteForm = ({ onClose }: { onClose(): void }) => {
  const { team } = useWords()
  const { organisation } = useSession()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim() === organisation.name
  const remove = useMutation({
    mutationFn: () => platformPost('/organisation/delete', { name: organisation.name }),
    async onSuccess() {
      toast(team.deleted(organisation.name))
      onClose()
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isConfirmed && !remove.isPending) remove.mutate()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>{team.deleteConsequence}</p>
      <Field
        label={team.deleteType(organisation.name)}
        value={typed}
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      {remove.isError ? <ErrorNotice error={remove.error} title={team.notDeleted} /> : null}
      <div className="actions">
        <Button onClick={onClose}>{team.keep}</Button>
        <Button type="submit" look="danger" disabled={!isConfirmed} busy={remove.isPending}>
          {team.deleteNow}
        </Button>
      </div>
    </form>
  )
}
