import { useWords } from '../../admin-words-context.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { AuditEvents } from './audit-page.tsx'

/** For the server's owner: what was done anywhere. */
export const ServerAuditPage = () => {
  const { shell } = useWords()
  return (
    <OwnerPage title={shell.adminPages.audit}>
      <AuditEvents title={shell.adminPages.audit} scope="whole" />
    </OwnerPage>
  )
}
