import { PageHead } from '../../components/page-head.tsx'
import { useSession } from '../../session.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import '../../../styles/settings.css'
import { AccountPart } from './account-part.tsx'
import { DeletePart } from './delete-part.tsx'
import { LookPart } from './look-part.tsx'
import { PasswordPart } from './password-part.tsx'
import { SessionsPart } from './sessions-part.tsx'
import { SignOutPart } from './sign-out-part.tsx'

export const SettingsPage = () => {
  const { shell, settings } = useWords()
  const { account } = useSession()
  usePageTitle(shell.settings)
  return (
    <div className="page settings">
      <PageHead title={shell.settings} lede={settings.lede(account.email)} />
      <AccountPart />
      <LookPart />
      <PasswordPart />
      <SessionsPart />
      <SignOutPart />
      <DeletePart />
    </div>
  )
}
