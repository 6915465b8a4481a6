import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useWords } from '../../words-context.tsx'
import { DeleteForm } from './delete-form.tsx'
import { SettingsPart } from './settings-part.tsx'

export const DeletePart = () => {
  const { settings } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsPart title={settings.deletion} text={settings.deletionText}>
      <Button onClick={() => setOpen(true)}>{settings.deleteAccount}</Button>
      <Dialog isOpen={isOpen} title={settings.deleteTitle} onClose={() => setOpen(false)}>
        <DeleteForm onKeep={() => setOpen(false)} />
      </Dialog>
    </SettingsPart>
  )
}
