import { useQueryClient } from '@tanstack/react-query'
import { useDialog } from '../../address/use-dialog.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toasts.tsx'
import { TypedConfirmation } from '../../components/typed-confirmation.tsx'
import { sessionKey, useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

/** Asks for the name, so that nobody deletes another one than they mean. */
export const DeleteOrganisation = () => {
  const platform = usePlatform()
  const { team } = useWords()
  const { name } = useSession().organisation
  const toast = useToast()
  const queryClient = useQueryClient()
  const deletion = useDialog('delete')
  const showDeleted = async (): Promise<void> => {
    toast(team.deleted(name))
    deletion.close()
    await queryClient.invalidateQueries({ queryKey: sessionKey })
  }
  return (
    <SettingsPart title={team.deletion} text={team.deletionText}>
      <Button onClick={() => deletion.open()}>{team.deletion}</Button>
      <Dialog isOpen={deletion.isOpen} title={team.deleteTitle(name)} onClose={deletion.close}>
        <TypedConfirmation
          name={name}
          text={team.deleteConsequence}
          submit={team.deleteNow}
          errorTitle={team.notDeleted}
          act={() => platform.deleteOrganisation({ body: { name } })}
          onDone={showDeleted}
          onCancel={deletion.close}
        />
      </Dialog>
    </SettingsPart>
  )
}
