import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link as LinkIcon } from 'lucide-react'
import { useState } from 'react'
import { useDialog } from '../../address/use-dialog.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { accountsLede, signUpText } from '../../ledes/admin-ledes.ts'
import { useSession } from '../../session.ts'
import { accountsQuery } from './accounts-query.ts'
import { AccountsTable } from './accounts-table.tsx'
import { CreateLink } from './create-link.tsx'
import type { WantedLink } from './create-link-form.tsx'

export const Accounts = () => {
  const { shell, admin } = useWords()
  const { mail } = useSession()
  const { data, error, refetch } = useQuery(accountsQuery(usePlatform()))
  const link = useDialog('link')
  const [wantedText, setWantedText] = useState('')
  const sought = wantedText.trim().toLocaleLowerCase()
  const shown = data?.filter(({ email }) => email.toLocaleLowerCase().includes(sought))
  const known = data?.find(({ id }) => id === link.subject)
  const wanted: WantedLink =
    known === undefined ? { kind: 'invitation', email: '' } : { kind: 'password_reset', email: known.email }
  const makeButton = (
    <Button look="primary" onClick={() => link.open()}>
      <LinkIcon size={16} strokeWidth={1.5} aria-hidden />
      {admin.makeLink}
    </Button>
  )
  return (
    <>
      <PageHead title={shell.accounts} lede={<AccountsLede count={data?.length} />} action={makeButton} />
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} title={admin.notLoaded} onRetry={refetch} />
      ) : (
        <>
          {data === undefined || data.length < manyAccounts ? null : (
            <AccountSearch value={wantedText} onType={setWantedText} />
          )}
          <AccountsTable accounts={shown ?? null} onLink={({ id }) => link.open(id)} />
          {shown?.length === 0 ? (
            <p className="secondary" role="status">
              {admin.noneFound}
            </p>
          ) : null}
        </>
      )}
      {/* Below the table, which has its height then. */}
      {data === undefined && error === null ? null : (
        <div className="page-notes">
          <p>{mail ? admin.mailOn : admin.mailOff}</p>
          <p>
            <Link to="/admin/server">{admin.signUpHow}</Link>
          </p>
        </div>
      )}
      <CreateLink wanted={link.isOpen && data !== undefined ? wanted : null} onClose={link.close} />
    </>
  )
}

/** Fewer are seen at a glance. */
const manyAccounts = 8

const AccountSearch = ({ value, onType }: { value: string; onType(text: string): void }) => {
  const { admin } = useWords()
  return (
    <div className="accounts-search">
      <Field
        label={admin.search}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  )
}

const AccountsLede = ({ count }: { count: number | undefined }) => {
  const words = useWords()
  const { signUp } = useSession()
  if (count !== undefined) return <LedeText parts={accountsLede(count, signUp, words)} />
  return (
    <>
      <span className="skeleton-line" /> <span className="muted">{signUpText(signUp, words)}</span>
    </>
  )
}
