import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useView } from '../../address/use-view.ts'
import { text } from '../../address/view-fields.ts'
import { usePlaygroundParts } from './use-playground.ts'

const view = { model: text(128) }

/** Chooses the model that the address names: `?model=…`. The draft keeps it. */
export const useOpenedModel = (isReady: boolean): void => {
  const [{ model }] = useView(view)
  const { store } = usePlaygroundParts()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once for each address
  useEffect(() => {
    if (!isReady || model === '') return
    store.change({ model })
    void navigate({ to: '.', search: (last: object) => ({ ...last, model: '' }), replace: true })
  }, [isReady, model])
}
