import { PageHead } from '../../components/page-head.tsx'
import { useSession } from '../../session.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import '../../../styles/settings.css'
import { AccountPart } from './account-part.tsx'
import { AppearancePart } from './appearance-part.tsx'
import { DeletePart } from './delete-part.tsx'
import { ExportPart } from './export-part.tsx'
import { NoticesPart } from './notices-part.tsx'
import { PasswordPart } from './password-part.tsx'
import { SessionsPart } from './sessions-part.tsx'
import { Confirmation } from './sign-in/confirmation.tsx'
import { IdentitiesPart } from './sign-in/identities-part.tsx'
import { PasskeysPart } from './sign-in/passkeys-part.tsx'
import { SecondFactorNotice } from './sign-in/second-factor-notice.tsx'
import { TwoFactorPart } from './sign-in/two-factor-part.tsx'
import { SignOutPart } from './sign-out-part.tsx'

export const SettingsPage = () => {
  const { shell, settings } = useWords()
  const { account } = useSession()
  usePageTitle(shell.settings)
  return (
    <div className="page settings">
      <PageHead title={shell.settings} lede={settings.lede(account.email)} />
      <Confirmation>
        <SecondFactorNotice />
        <AccountPart />
        <AppearancePart />
        <NoticesPart />
        <PasswordPart />
        <TwoFactorPart />
        <PasskeysPart />
        <IdentitiesPart />
        <SessionsPart />
        <SignOutPart />
        <ExportPart />
        <DeletePart />
      </Confirmation>
    </div>
  )
}
