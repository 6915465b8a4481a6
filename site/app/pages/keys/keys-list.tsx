import { useDeferredValue, useState } from 'react'
import type { Key } from '../../../platform/types.ts'
import { useTypedText } from '../../address/use-typed-text.ts'
import { useView } from '../../address/use-view.ts'
import { choice, number, text } from '../../address/view-fields.ts'
import { Pager } from '../../components/pager.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { inOrder, keyFilters, keyOrders, matches, passes } from './key-state.ts'
import { KeysFilter } from './keys-filter.tsx'
import { KeysTable } from './keys-table.tsx'
import { mayChange } from './may-change.ts'
import { RevokeKeys } from './revoke-keys.tsx'

type KeysListProps = { keys: readonly Key[]; now: number }

const keysView = {
  q: text(),
  state: choice(keyFilters, 'all'),
  sort: choice(keyOrders, 'newest'),
  page: number(1),
}
const pageSize = 50

/** The keys that were searched for, a page of them at a time; several can be chosen and revoked together. */
export const KeysList = ({ keys: all, now }: KeysListProps) => {
  const { keys, shell } = useWords()
  const { account, organisation } = useSession()
  const [{ q, state: filter, sort, page: wantedPage }, setView] = useView(keysView)
  const [search, setSearch] = useTypedText(q, (typed) => setView({ q: typed, page: '1' }, { replaces: true }))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const wanted = useDeferredValue(search)
  const found = inOrder(all, sort, now).filter((key) => passes(key, filter, now) && matches(key, wanted))
  const page = Math.min(Number(wantedPage), Math.max(1, Math.ceil(found.length / pageSize)))
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  const mayChoose = (key: Key): boolean =>
    key.revokedAt === null && mayChange(key, { email: account.email, role: organisation.role })
  // What was revoked, or is no longer found, is not chosen any more.
  const chosenKeys = found.filter((key) => chosen.has(key.id) && mayChoose(key))
  const showAll = (): void => {
    setSearch('')
    setView({ q: '', state: 'all', page: '1' })
  }
  return (
    <>
      <KeysFilter
        keys={all}
        now={now}
        search={search}
        filter={filter}
        order={sort}
        onSearch={setSearch}
        onFilter={(state) => setView({ state, page: '1' })}
        onOrder={(order) => setView({ sort: order, page: '1' })}
      />
      {found.some(mayChoose) ? (
        <RevokeKeys
          keys={chosenKeys}
          onAll={() => setChosen(new Set([...chosen, ...shown.filter(mayChoose).map(({ id }) => id)]))}
          onCleared={() => setChosen(new Set())}
        />
      ) : null}
      {shown.length > 0 ? (
        <KeysTable
          keys={shown}
          now={now}
          chosen={new Set(chosenKeys.map(({ id }) => id))}
          mayChoose={mayChoose}
          onChoose={setChosen}
        />
      ) : (
        <p className="secondary" role="status">
          {keys.noneFound}{' '}
          <button type="button" className="link" onClick={showAll}>
            {shell.showAll}
          </button>
        </p>
      )}
      <Pager page={page} pageSize={pageSize} total={found.length} onPage={(next) => setView({ page: String(next) })} />
    </>
  )
}
