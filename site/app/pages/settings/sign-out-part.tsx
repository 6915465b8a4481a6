import { LogOut } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { SignOutError, useSignOut } from '../../shell/sign-out.tsx'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from './settings-part.tsx'

/** Leaves with a new document, so that nothing of the account stays in memory. */
export const SignOutPart = () => {
  const { settings, shell } = useWords()
  const signOut = useSignOut()
  return (
    <SettingsPart title={shell.signOut} text={settings.signOutText}>
      <Button busy={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
        <LogOut size={16} strokeWidth={1.5} aria-hidden />
        {shell.signOut}
      </Button>
      <SignOutError signOut={signOut} />
    </SettingsPart>
  )
}
