import { useState } from 'react'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import type { RequestFilter } from './request-filter.ts'

type Held = { ids: ReadonlySet<string>; filter: RequestFilter }

/**
 * While a pointer is over the rows, none is added at the top, so that the row to be clicked does not move. Existing rows
 * still change in place.
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
