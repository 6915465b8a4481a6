import { useState } from 'react'
import type { ShownRequest } from '../../../platform/request-types.ts'
import type { RequestFilter } from './request-filter.ts'

type Held = { ids: ReadonlySet<string>; filter: RequestFilter }

/**
 * While a pointer is over the rows, none comes on top: what one is about to click must not move away. Rows that are there
 * go on changing in their place.
 */
export const useFrozenRows = (rows: readonly ShownRequest[], filter: RequestFilter) => {
  const [held, setHeld] = useState<Held | null>(null)
  const isHeld = held !== null && held.filter === filter
  const shown = isHeld ? rows.filter(({ id }) => held.ids.has(id)) : rows
  return {
    shown,
    waiting: rows.length - shown.length,
    hold: {
      onPointerEnter: () => setHeld({ ids: new Set(rows.map(({ id }) => id)), filter }),
      onPointerLeave: () => setHeld(null),
    },
  }
}
