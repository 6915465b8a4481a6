import { Search } from 'lucide-react'
import type { Key } from '../../../platform/types.ts'
import { Segments } from '../../components/segments.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useWords } from '../../words-context.tsx'
import { type KeyFilter, type KeyOrder, keyFilters, keyOrders, passes } from './key-state.ts'

type KeysFilterProps = {
  keys: readonly Key[]
  now: number
  search: string
  filter: KeyFilter
  order: KeyOrder
  onSearch(search: string): void
  onFilter(filter: KeyFilter): void
  onOrder(order: KeyOrder): void
}

export const KeysFilter = (props: KeysFilterProps) => {
  const { keys: all, now, search, filter, order, onSearch, onFilter, onOrder } = props
  const { keys, shell } = useWords()
  const words = {
    all: shell.all,
    live: keys.stateLive,
    suspended: shell.suspended,
    paused: keys.statePaused,
    expired: keys.stateExpired,
    revoked: keys.onlyRevoked,
  }
  const count = (each: KeyFilter): number => all.filter((key) => passes(key, each, now)).length
  // Kinds of which there are none are no choice.
  const offered = keyFilters.filter((each) => each === 'all' || each === 'live' || each === filter || count(each) > 0)
  return (
    <div className="keys-filter">
      <label className="search">
        <span className="visually-hidden">{keys.search}</span>
        <Search size={18} strokeWidth={1.5} aria-hidden />
        <input
          className="input"
          type="search"
          value={search}
          placeholder={keys.search}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      <Segments
        label={keys.filter}
        values={offered}
        chosen={filter}
        onChoose={onFilter}
        text={(each) => (
          <>
            {words[each]} <span className="tabular">{count(each)}</span>
          </>
        )}
      />
      <div className="order">
        <SelectField<KeyOrder>
          label={keys.order}
          value={order}
          options={keyOrders.map((each) => ({ value: each, text: keys.orders[each] }))}
          onChoose={onOrder}
        />
      </div>
    </div>
  )
}
