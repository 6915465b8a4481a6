import { useDeferredValue } from 'react'
import type { Key } from '../../../platform/types.ts'
import { useTypedText } from '../../address/use-typed-text.ts'
import { useView } from '../../address/use-view.ts'
import { choice, text } from '../../address/view-fields.ts'
import { useWords } from '../../words-context.tsx'
import { inOrder, keyFilters, matches, passes } from './key-state.ts'
import { KeysFilter } from './keys-filter.tsx'
import { KeysTable } from './keys-table.tsx'

type KeysListProps = { keys: readonly Key[]; now: number; onOpen(key: Key): void }

const keysView = { q: text(), state: choice(keyFilters, 'all') }

export const KeysList = ({ keys: all, now, onOpen }: KeysListProps) => {
  const { keys, shell } = useWords()
  const [{ q, state: filter }, setView] = useView(keysView)
  const [search, setSearch] = useTypedText(q, (typed) => setView({ q: typed }, { replaces: true }))
  const wanted = useDeferredValue(search)
  const shown = inOrder(all, now).filter((key) => passes(key, filter, now) && matches(key, wanted))
  const showAll = (): void => {
    setSearch('')
    setView({ q: '', state: 'all' })
  }
  return (
    <>
      <KeysFilter
        keys={all}
        now={now}
        search={search}
        filter={filter}
        onSearch={setSearch}
        onFilter={(state) => setView({ state })}
      />
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
