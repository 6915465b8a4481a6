import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Key } from '../../../platform/types.ts'
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
import { mayMake } from './may-change.ts'
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
  const { organisation } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const [acting, setActing] = useState<{ act: KeyAct; key: Key } | null>(null)
  const head = useRef<HTMLHeadingElement>(null)
  // The dialog that the question came from is gone: once it is answered the focus goes to the top.
  const revoked = (): void => {
    flushSync(() => setActing(null))
    head.current?.focus()
  }
  const act = (name: KeyAct, key: Key): void => {
    setOpened(null)
    setActing({ act: name, key })
  }
  const keyIn = (name: KeyAct): Key | null => (acting?.act === name ? acting.key : null)
  const stop = (): void => setActing(null)
  const createButton = (
    <Button look="primary" onClick={() => setCreating(true)}>
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
        <KeysList keys={data.data} now={now} onOpen={({ id }) => setOpened(id)} />
      )}
      {data === undefined ? null : <OrganisationLimits snapshot={data.organisation} now={Math.max(now, updatedAt)} />}
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
      <KeyDetails
        apiKey={data?.data.find(({ id }) => id === opened) ?? null}
        now={Math.max(now, updatedAt)}
        onClose={() => setOpened(null)}
        onAct={act}
      />
      <RotateKey apiKey={keyIn('rotate')} onClose={stop} />
      <ChangeKey apiKey={keyIn('change')} onClose={stop} />
      <RevokeKey apiKey={keyIn('revoke')} onClose={stop} onRevoked={revoked} />
    </div>
  )
}
