import type { Account } from '../../../platform/types.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { actionColumn } from '../../components/action-column.tsx'
import { Button } from '../../components/button.tsx'
import { SuspendButton } from '../../components/suspend-button.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { useSession } from '../../session.ts'
import { dayText } from '../../time/moments.ts'
import { useNow } from '../../time/use-now.ts'
import { ResetTwoFactor } from './reset-two-factor.tsx'

type AccountsTableProps = {
  /** Null while they load. */
  accounts: readonly Account[] | null
  onLink(account: { id: string }): void
}

export const AccountsTable = ({ accounts, onLink }: AccountsTableProps) => {
  const { language, words } = useLocale()
  const { admin, shell } = words
  const { mail } = useSession()
  const now = useNow()
  const day = (ms: number): string => dayText(ms, now, language)
  if (accounts === null) {
    return (
      <div className="skeleton-rows" role="status" aria-label={shell.loading}>
        <div>
          <div className="skeleton-line" />
        </div>
      </div>
    )
  }
  // Without mail nothing is missing: no address can be verified by its owner.
  const hasStates = mail || accounts.some(({ emailVerified, suspendedAt }) => emailVerified || suspendedAt !== null)
  const states: Column<Account> = {
    id: 'verified',
    className: 'state',
    head: admin.emailState,
    cell: ({ emailVerified, suspendedAt }) =>
      suspendedAt !== null ? (
        <Tag state="bad">{shell.suspended}</Tag>
      ) : emailVerified || mail ? (
        <Tag state={emailVerified ? 'ok' : 'off'}>{emailVerified ? shell.verified : shell.notVerified}</Tag>
      ) : null,
  }
  const columns: Column<Account>[] = [
    {
      id: 'email',
      className: 'name',
      head: shell.email,
      cell: ({ email, isOwner }) => (
        <>
          <b>{email}</b>
          <span className="subtext">{isOwner ? admin.owner : admin.member}</span>
        </>
      ),
    },
    ...(hasStates ? [states] : []),
    {
      id: 'created',
      className: 'created',
      head: admin.created,
      labelled: true,
      cell: ({ createdAt }) => day(createdAt),
    },
    {
      id: 'seen',
      className: 'used',
      head: shell.lastSeen,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? <span className="muted">{shell.neverSeen}</span> : day(lastSeenAt),
    },
    actionColumn(shell.action, ({ id, email, isOwner, suspendedAt, hasTwoFactor }) => (
      <span className="row-actions">
        {hasTwoFactor ? <ResetTwoFactor email={email} /> : null}
        <Button aria-label={admin.linkFor(email)} onClick={() => onLink({ id })}>
          {admin.rowLink}
        </Button>
        {isOwner ? null : <SuspendButton things="accounts" id={id} name={email} isSuspended={suspendedAt !== null} />}
      </span>
    )),
  ]
  return (
    <Table
      className="cards records"
      caption={admin.caption}
      columns={columns}
      rows={accounts}
      rowKey={({ id }) => id}
    />
  )
}
