import { useWords } from '../../admin-words-context.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { Accounts } from './accounts.tsx'

/** For the server's owner: who has an account, and links for those who need one. */
export const AccountsPage = () => {
  const { admin, shell } = useWords()
  return (
    <OwnerPage title={shell.accounts} othersText={admin.ownerOnlyAccounts}>
      <Accounts />
    </OwnerPage>
  )
}
