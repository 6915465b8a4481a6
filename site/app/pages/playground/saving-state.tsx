import { useWords } from '../../words-context.tsx'
import { useDraftState } from './use-draft-state.ts'
import { useHistoryState } from './use-history-state.ts'

/** Says what is not saved, above the composer: there it moves nothing that is being read. */
export const SavingState = () => {
  const { playground, history } = useWords()
  const draft = useDraftState()
  const kept = useHistoryState()
  const said = [
    ...(draft === 'loading' || draft === 'ready' ? [] : [playground.draftStates[draft]]),
    // Without a server neither is saved: one sentence says so.
    ...(kept === 'ready' || (kept === 'failed' && draft === 'failed') ? [] : [history.states[kept]]),
  ]
  return (
    <div role="status" className="saving-state small muted">
      {said.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
