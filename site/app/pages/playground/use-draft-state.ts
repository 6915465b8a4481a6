import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../session.ts'
import { type DraftState, isDraftOf, readDraftState, startDraftSync, subscribeDraftState } from './draft-sync.ts'

/** Loads the draft of the account and keeps it saved from then on. */
export const useDraftState = (): DraftState => {
  const { organisation } = useSession()
  useEffect(() => void startDraftSync(organisation.id), [organisation.id])
  const state = useSyncExternalStore(subscribeDraftState, readDraftState)
  // Right after a switch, what is in memory still belongs to the other organisation.
  return isDraftOf(organisation.id) ? state : 'loading'
}
