import { useMutation } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from './settings-part.tsx'

/** Leaves with a new document, so that nothing of the account stays in memory. */
export const SignOutPart = () => {
  const platform = usePlatform()
  const { settings, shell } = useWords()
  const signOut = useMutation({
    mutationFn: () => platform.signOut(),
    onSuccess: () => location.assign('/signin'),
  })
  return (
    <SettingsPart title={shell.signOut} text={settings.signOutText}>
      <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
        <LogOut size={16} strokeWidth={1.5} aria-hidden />
        {shell.signOut}
      </Button>
      {signOut.isError ? <ErrorNotice error={signOut.error} onRetry={() => signOut.mutate()} /> : null}
    </SettingsPart>
  )
}
