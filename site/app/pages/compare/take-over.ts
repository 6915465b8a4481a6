import type { PlaygroundState } from '../playground/playground-store.ts'
import type { PlaygroundSettings } from '../playground/settings.ts'
import { saysSomething, type Turn } from '../playground/turns.ts'

/** What the columns may differ in. */
export type ColumnSettings = {
  /** Empty: the default. */
  model: string
  system: string
  temperature: string
  top_p: string
  max_completion_tokens: string
}

/** What is the same in every column: the conversation before the prompt, tools, schema and the other parameters. */
export type SharedPart = { turns: readonly Turn[]; settings: PlaygroundSettings }

export type TakenOver = {
  prompt: string
  /** It is what the composer holds, and so part of the draft: changes here are saved with it. */
  isDraft: boolean
  shared: SharedPart
  own: ColumnSettings
}

/** The comparison begins as the playground is: with the prompt in the composer, or else the last one that was sent. */
export const takeOver = ({ model, system, draft, turns, settings }: PlaygroundState): TakenOver => {
  const said = turns.filter(saysSomething)
  const place = said.findLastIndex(({ kind }) => kind === 'sent')
  const last = said[place]
  const typed = draft.trim()
  const { temperature, top_p, max_completion_tokens } = settings
  const sent = typed === '' && last?.kind === 'sent' ? last.text : null
  return {
    prompt: sent ?? typed,
    isDraft: sent === null,
    shared: { turns: typed === '' ? said.slice(0, Math.max(0, place)) : said, settings },
    own: { model, system, temperature, top_p, max_completion_tokens },
  }
}
