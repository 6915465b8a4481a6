import type { Undo } from '../../components/toasts.tsx'
import { isBlank, type PlaygroundContent } from './draft-content.ts'
import type { Playground } from './playground.ts'
import type { PlaygroundState } from './playground-store.ts'
import { undoInPlayground } from './undo-in-playground.ts'
import { ended } from './versions.ts'

/**
 * Shows another content. Returns what brings back what stood there; undefined if that was nothing. It no longer applies
 * once anything was sent or typed: it would remove that. `leftOut`: what of it has no field here.
 */
export const replaceContent = (
  { store, answers }: Playground,
  content: PlaygroundContent,
  leftOut: readonly string[] = [],
): Undo | undefined => {
  const { model, system, draft, turns, settings, variables, otherRows, saved, conversation, ...rest } = store.read()
  const values = { variables, otherRows }
  const before = { model, system, draft, turns: turns.map(ended), settings, ...values, saved, conversation }
  answers.stop()
  store.change({ ...content, leftOut, errors: {} })
  if (isBlank(before)) return undefined
  const shown = store.read()
  return undoInPlayground(
    store,
    () => store.change({ ...before, leftOut: rest.leftOut, errors: {} }),
    (now) => saysTheSame(now, shown),
  )
}

const saysTheSame = (now: PlaygroundState, shown: PlaygroundState): boolean =>
  now.draft === shown.draft && now.system === shown.system && turnTexts(now) === turnTexts(shown)

const turnTexts = ({ turns }: PlaygroundState): string => JSON.stringify(turns.map(({ id, text }) => [id, text]))
