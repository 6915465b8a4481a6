import type { Undo } from '../../components/toasts.tsx'
import { isBlank, type PlaygroundContent } from './draft-content.ts'
import type { Playground } from './playground.ts'
import type { PlaygroundState } from './playground-store.ts'
import { undoInPlayground } from './undo-in-playground.ts'
import { ended } from './versions.ts'

/**
 * Shows another content. Returns what brings back what stood there; undefined if that was nothing. It no longer applies
 * once anything was sent or typed: it would remove that.
 */
export const replaceContent = ({ store, answers }: Playground, content: PlaygroundContent): Undo | undefined => {
  const { model, system, draft, turns, settings, variables, saved, conversation } = store.read()
  const before = { model, system, draft, turns: turns.map(ended), settings, variables, saved, conversation }
  answers.stop()
  store.change({ ...content, errors: {} })
  if (isBlank(before)) return undefined
  const shown = store.read()
  return undoInPlayground(
    store,
    () => store.change({ ...before, errors: {} }),
    (now) => saysTheSame(now, shown),
  )
}

const saysTheSame = (now: PlaygroundState, shown: PlaygroundState): boolean =>
  now.draft === shown.draft && now.system === shown.system && turnTexts(now) === turnTexts(shown)

const turnTexts = ({ turns }: PlaygroundState): string => JSON.stringify(turns.map(({ id, text }) => [id, text]))
