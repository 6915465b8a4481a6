import type { Undo } from '../../components/toasts.tsx'
import { type PlaygroundState, readPlayground, subscribePlayground } from './playground-store.ts'

/** What undoes a change, for as long as it would undo nothing else. */
export const undoInPlayground = (run: () => void, applies: (now: PlaygroundState) => boolean): Undo => ({
  run,
  applies: () => applies(readPlayground()),
  subscribe: subscribePlayground,
})
