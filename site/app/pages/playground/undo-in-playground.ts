import type { Undo } from '../../components/toasts.tsx'
import type { PlaygroundState, PlaygroundStore } from './playground-store.ts'

/** What undoes a change, for as long as it would undo nothing else. */
export const undoInPlayground = (
  store: PlaygroundStore,
  run: () => void,
  applies: (now: PlaygroundState) => boolean,
): Undo => ({ run, applies: () => applies(store.read()), subscribe: store.subscribe })
