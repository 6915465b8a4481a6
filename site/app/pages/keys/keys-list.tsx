import { useDeferredValue, useState } from 'react'
import type { Key } from '../../../platform/types.ts'
import { useWords } from '../../words-context.tsx'
import { inOrder, type KeyFilter, matches, passes } from './key-state.ts'
import { KeysFilter } from './keys-filter.tsx'
import { KeysTable } from './keys-table.tsx'

type KeysListProps = { keys: readonly Key[]; now: number; onOpen(key: Key): void }

export const KeysList = ({ keys: all, now, onOpen }: KeysListProps) => {
  const { keys, shell } = useWords()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<KeyFilter>('all')
  const wanted = useDeferredValue(search)
  const shown = inOrder(all, now).filter((key) => passes(key, filter, now) && matches(key, wanted))
  const showAll = (): void => {
    setSearch('')
    setFilter('all')
  }
  return (
    <>
      <KeysFilter keys={all} now={now} search={search} filter={filter} onSearch={setSearch} onFilter={setFilter} />
      {shown.length > 0 ? (
        <KeysTable keys={shown} now={now} onOpen={onOpen} />
      ) : (
        <p className="secondary" role="status">
          {keys.noneFound}{' '}
          <button type="button" className="link" onClick={showAll}>
            {shell.showAll}
          </button>
        </p>
      )}
    </>
  )
}
