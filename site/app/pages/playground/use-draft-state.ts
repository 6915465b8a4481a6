import { useEffect, useSyncExternalStore } from 'react'
import { useSession } from '../../session.ts'
import type { DraftState } from './draft-sync.ts'
import { usePlaygroundParts } from './use-playground.ts'

/** Loads the draft of the account and keeps it saved from then on. */
export const useDraftState = (): DraftState => {
  const { organisation } = useSession()
  const { drafts } = usePlaygroundParts()
  useEffect(() => void drafts.start(organisation.id), [drafts, organisation.id])
  const state = useSyncExternalStore(drafts.subscribe, drafts.read)
  // Right after a switch, what is in memory still belongs to the other organisation.
  return drafts.isOf(organisation.id) ? state : 'loading'
}
