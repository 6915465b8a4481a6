import { useSyncExternalStore } from 'react'
import { useAppState } from '../../app-state.ts'
import { createPlayground, type Playground } from './playground.ts'
import type { PlaygroundState } from './playground-store.ts'

/** The app's playground, created when it is used first. */
export const usePlaygroundParts = (): Playground => {
  const app = useAppState()
  app.playground ??= createPlayground(app)
  return app.playground
}

export const usePlayground = (): PlaygroundState => {
  const { store } = usePlaygroundParts()
  return useSyncExternalStore(store.subscribe, store.read)
}
