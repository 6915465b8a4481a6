import { useEffect, useState, useSyncExternalStore } from 'react'
import type { HistoryState } from './history-sync.ts'
import { useDraftState } from './use-draft-state.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

const nothing = (): (() => void) => () => {}
const isReady = (): HistoryState => 'ready'

/** Keeps conversations in the history from the first one on: only then its script is loaded. */
export const useHistoryState = (): HistoryState => {
  const parts = usePlaygroundParts()
  const { turns } = usePlayground()
  const isLoaded = useDraftState() !== 'loading'
  const isNeeded = turns.length > 0 && isLoaded
  const [, setLoaded] = useState(parts.history !== null)
  useEffect(() => {
    if (!isNeeded || parts.history !== null) return
    void parts.openHistory().then((history) => setLoaded(history !== null))
  }, [isNeeded, parts])
  const { history } = parts
  return useSyncExternalStore(history?.subscribe ?? nothing, history?.read ?? isReady)
}
