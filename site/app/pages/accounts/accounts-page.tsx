import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { useWords } from '../../words-context.tsx'
import { Accounts } from './accounts.tsx'

/** For the server's owner: who has an account, and links for those who need one. */
export const AccountsPage = () => {
  const { shell, admin } = useWords()
  const navigate = useNavigate()
  const others = (
    <>
      <p className="secondary">{admin.ownerOnlyText}</p>
      <Button onClick={() => navigate({ to: '/keys' })}>{shell.toKeys}</Button>
    </>
  )
  return (
    <OwnerPage title={shell.accounts} others={others}>
      <Accounts />
    </OwnerPage>
  )
}
