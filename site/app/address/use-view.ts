import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Address } from './search-string.ts'
import { readView, type ViewField, type ViewOf, viewAddress } from './view-fields.ts'

type ChangeView<View> = (part: Partial<View>, options?: { replaces?: boolean }) => void

/**
 * What a page shows, kept in its address, so that a reload, the buttons of the browser and a link sent to a colleague
 * show the same. A change is a step to go back to, unless it `replaces` the last one, as typing does.
 */
export const useView = <Fields extends Record<string, ViewField<string>>>(
  fields: Fields,
): [ViewOf<Fields>, ChangeView<ViewOf<Fields>>] => {
  const address = useAddress()
  const navigate = useNavigate()
  const view = readView(fields, address)
  // Views are compared by identity: the same values are the same view.
  const text = JSON.stringify(view)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text has all of it
  const same = useMemo(() => view, [text])
  const change: ChangeView<ViewOf<Fields>> = (part, { replaces = false } = {}) => {
    const changed = viewAddress(fields, part)
    void navigate({ to: '.', search: (last: Address) => ({ ...last, ...changed }), replace: replaces })
  }
  return [same, change]
}

/** The values in the address of the page that is shown. */
export const useAddress = (): Address => useSearch({ strict: false })
