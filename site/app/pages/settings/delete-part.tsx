import { useDialog } from '../../address/use-dialog.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useWords } from '../../words-context.tsx'
import { DeleteForm } from './delete-form.tsx'
import { SettingsPart } from './settings-part.tsx'

export const DeletePart = () => {
  const { settings } = useWords()
  const { isOpen, open, close } = useDialog('delete')
  return (
    <SettingsPart title={settings.deletion} text={settings.deletionText}>
      <Button onClick={() => open()}>{settings.deleteAccount}</Button>
      <Dialog isOpen={isOpen} title={settings.deleteTitle} onClose={close}>
        <DeleteForm onKeep={close} />
      </Dialog>
    </SettingsPart>
  )
}
