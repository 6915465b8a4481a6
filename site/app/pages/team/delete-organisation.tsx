import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { platformPost } from '../../../platform/platform.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { TypedConfirmation } from '../../components/typed-confirmation.tsx'
import { sessionQuery, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

/** Asks for the name, so that nobody deletes another one than they mean. */
export const DeleteOrganisation = () => {
  const { team } = useWords()
  const { name } = useSession().organisation
  const toast = useToast()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const showDeleted = async (): Promise<void> => {
    toast(team.deleted(name))
    setOpen(false)
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <SettingsPart title={team.deletion} text={team.deletionText}>
      <Button onClick={() => setOpen(true)}>{team.deletion}</Button>
      <Dialog isOpen={isOpen} title={team.deleteTitle(name)} onClose={() => setOpen(false)}>
        <TypedConfirmation
          name={name}
          text={team.deleteConsequence}
          submit={team.deleteNow}
          errorTitle={team.notDeleted}
          act={() => platformPost('/organisation/delete', { name })}
          onDone={showDeleted}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </SettingsPart>
  )
}
