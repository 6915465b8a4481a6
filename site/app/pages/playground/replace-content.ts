import { isBlank, type PlaygroundContent } from './draft-content.ts'
import { changePlayground, readPlayground } from './playground-store.ts'
import { stopAnswer } from './run-answer.ts'
import type { Turn } from './turns.ts'

/** Shows another content. Returns what brings back what stood there; undefined if that was nothing. */
export const replaceContent = (content: PlaygroundContent): (() => void) | undefined => {
  const { model, system, draft, turns, settings, saved } = readPlayground()
  const before = { model, system, draft, turns: turns.map(ended), settings, saved }
  stopAnswer()
  changePlayground({ ...content, errors: {} })
  return isBlank(before) ? undefined : () => changePlayground({ ...before, errors: {} })
}

/** An answer that was running is stopped with the rest. */
const ended = (turn: Turn): Turn =>
  turn.kind === 'answer' && (turn.outcome.kind === 'running' || turn.outcome.kind === 'waiting')
    ? { ...turn, outcome: { kind: 'stopped' } }
    : turn
