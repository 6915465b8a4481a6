import type { Undo } from '../../components/toasts.tsx'
import { isBlank, type PlaygroundContent } from './draft-content.ts'
import type { Playground } from './playground.ts'
import type { PlaygroundState } from './playground-store.ts'
import { undoInPlayground } from './undo-in-playground.ts'
import { ended } from './versions.ts'

/**
 * Shows another content. Returns what brings back what stood there; undefined if that was nothing. It no longer applies
 * once anything was sent, typed or attached: it would remove that.
 */
export const replaceContent = ({ store, answers }: Playground, content: PlaygroundContent): Undo | undefined => {
  const last = store.read()
  const before = { ...last, turns: last.turns.map(ended), runningId: null, errors: {} }
  answers.stop()
  store.change({ attachments: [], ...content, errors: {} })
  if (isBlank(before) && before.attachments.length === 0) return undefined
  const shown = store.read()
  return undoInPlayground(
    store,
    () => store.change(before),
    (now) => saysTheSame(now, shown),
  )
}

const saysTheSame = (now: PlaygroundState, shown: PlaygroundState): boolean =>
  now.draft === shown.draft &&
  now.attachments === shown.attachments &&
  now.system === shown.system &&
  turnTexts(now) === turnTexts(shown)

const turnTexts = ({ turns }: PlaygroundState): string => JSON.stringify(turns.map(({ id, text }) => [id, text]))
