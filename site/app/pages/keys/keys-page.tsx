import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Key } from '../../../platform/types.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Fault } from '../../components/fault.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useMay } from '../../role.ts'
import { useNow } from '../../time/use-now.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { CreateKey } from './create-key.tsx'
import { KeysLede } from './keys-lede.tsx'
import { KeysList } from './keys-list.tsx'
import { keysQuery } from './keys-query.ts'
import { KeysSkeleton } from './keys-skeleton.tsx'
import { RevokeKey } from './revoke-key.tsx'

/** How many keys live, what needs care, and every key of the organisation. */
export const KeysPage = () => {
  const { shell, keys } = useWords()
  usePageTitle(shell.keys)
  const now = useNow()
  const { data, error, refetch } = useQuery(keysQuery)
  const mayCreate = useMay()('makeKeys')
  const [isCreating, setCreating] = useState(false)
  const [leaving, setLeaving] = useState<Key | null>(null)
  const head = useRef<HTMLHeadingElement>(null)
  // The button that opened the dialog is gone with the key: once the dialog is closed the focus goes to the top.
  const revoked = (): void => {
    flushSync(() => setLeaving(null))
    head.current?.focus()
  }
  const createButton = mayCreate ? (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={16} strokeWidth={1.5} aria-hidden />
      {keys.create}
    </Button>
  ) : undefined
  const isEmpty = data?.length === 0
  return (
    <div className="page wide">
      <PageHead
        ref={head}
        title={shell.keys}
        lede={<KeysLede keys={data} now={now} failed={error !== null} />}
        action={isEmpty ? undefined : createButton}
      />
      {error !== null && data === undefined ? (
        <Fault error={error} title={keys.notLoaded} onRetry={refetch} />
      ) : data === undefined ? (
        <KeysSkeleton />
      ) : isEmpty ? (
        <Empty title={keys.emptyTitle} action={createButton}>
          {keys.emptyText}
        </Empty>
      ) : (
        <KeysList keys={data} now={now} onRevoke={setLeaving} />
      )}
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
      <RevokeKey apiKey={leaving} onClose={() => setLeaving(null)} onRevoked={revoked} />
    </div>
  )
}
