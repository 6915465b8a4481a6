import { useNavigate } from '@tanstack/react-router'
import { AdminTabs } from '../../components/admin-tabs.tsx'
import { Button } from '../../components/button.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useSession } from '../../session.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { Accounts } from './accounts.tsx'

/** For the server's owner: who has an account, and links for those who need one. */
export const AdminPage = () => {
  const { shell, admin } = useWords()
  const { account } = useSession()
  const navigate = useNavigate()
  usePageTitle(shell.admin)
  return (
    <div className="page wide">
      {account.isOwner ? (
        <>
          <AdminTabs />
          <Accounts />
        </>
      ) : (
        <>
          <PageHead title={shell.admin} lede={admin.ownerOnly} />
          <p className="secondary">{admin.ownerOnlyText}</p>
          <Button onClick={() => navigate({ to: '/keys' })}>{shell.toKeys}</Button>
        </>
      )}
    </div>
  )
}
