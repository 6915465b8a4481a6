import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Key } from '../../../platform/types.ts'
import { useDialog } from '../../address/use-dialog.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useSession } from '../../session.ts'
import { useNow } from '../../time/use-now.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { ChangeKey } from './change-key.tsx'
import { CreateKey } from './create-key.tsx'
import { type KeyAct, KeyDetails } from './key-details.tsx'
import { KeysLede } from './keys-lede.tsx'
import { KeysList } from './keys-list.tsx'
import { keysQuery } from './keys-query.ts'
import { KeysSkeleton } from './keys-skeleton.tsx'
import { mayChange, mayMake } from './may-change.ts'
import { OrganisationLimits } from './organisation-limits.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

/** Refetched while the page is visible, because limits per minute change quickly. */
const refetchInterval = 15_000

/** How many keys are live, which need attention, and every key of the organisation. */
export const KeysPage = () => {
  const { shell, keys } = useWords()
  usePageTitle(shell.keys)
  const now = useNow()
  const { data, error, refetch, dataUpdatedAt: updatedAt } = useQuery({ ...keysQuery, refetchInterval })
  const creating = useDialog('create')
  const details = useDialog('key')
  const acts = { rotate: useDialog('rotate'), change: useDialog('edit'), revoke: useDialog('revoke') }
  const keyOf = (id: string): Key | null => data?.data.find((each) => each.id === id) ?? null
  const { account, organisation } = useSession()
  /** An address may ask for what the reader cannot do. */
  const keyToChange = (id: string): Key | null => {
    const key = keyOf(id)
    const mine = key?.revokedAt === null && mayChange(key, { email: account.email, role: organisation.role })
    return mine ? key : null
  }
  const head = useRef<HTMLHeadingElement>(null)
  // The dialog that the question came from is gone: once it is answered the focus goes to the top.
  const [wasRevoked, setRevoked] = useState(false)
  const isAsking = acts.revoke.isOpen
  useEffect(() => {
    if (!wasRevoked || isAsking) return
    setRevoked(false)
    head.current?.focus()
  }, [wasRevoked, isAsking])
  const revoked = (): void => {
    setRevoked(true)
    acts.revoke.close()
  }
  const createButton = (
    <Button look="primary" onClick={() => creating.open()}>
      <Plus size={16} strokeWidth={1.5} aria-hidden />
      {keys.create}
    </Button>
  )
  const isEmpty = data?.data.length === 0
  const isMaker = mayMake(organisation.role)
  return (
    <div className="page wide">
      <PageHead
        ref={head}
        title={shell.keys}
        lede={<KeysLede keys={data?.data} now={now} failed={error !== null} />}
        action={isEmpty || !isMaker ? undefined : createButton}
      />
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} title={keys.notLoaded} onRetry={refetch} />
      ) : data === undefined ? (
        <KeysSkeleton />
      ) : isEmpty ? (
        <Empty title={keys.emptyTitle} action={isMaker ? createButton : undefined}>
          {keys.emptyText}
        </Empty>
      ) : (
        <KeysList keys={data.data} now={now} onOpen={({ id }) => details.open(id)} />
      )}
      {data === undefined ? null : <OrganisationLimits snapshot={data.organisation} now={Math.max(now, updatedAt)} />}
      <CreateKey isOpen={creating.isOpen && isMaker} onClose={creating.close} />
      <KeyDetails
        apiKey={keyOf(details.subject)}
        now={Math.max(now, updatedAt)}
        onClose={details.close}
        onAct={(act: KeyAct, { id }) => acts[act].open(id)}
      />
      <RotateKey apiKey={keyToChange(acts.rotate.subject)} onClose={acts.rotate.close} />
      <ChangeKey apiKey={keyToChange(acts.change.subject)} onClose={acts.change.close} />
      <RevokeKey apiKey={keyToChange(acts.revoke.subject)} onClose={acts.revoke.close} onRevoked={revoked} />
    </div>
  )
}
