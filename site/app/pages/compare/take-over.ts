import type { PlaygroundState } from '../playground/playground-store.ts'
import type { PromptVariables } from '../playground/prompt-variables.ts'
import type { FieldName, PlaygroundSettings } from '../playground/settings.ts'
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
export type SharedPart = { turns: readonly Turn[]; settings: PlaygroundSettings; variables: PromptVariables }

export type TakenOver = {
  prompt: string
  /** It is what the composer holds, and so part of the draft: changes here are saved with it. */
  isDraft: boolean
  shared: SharedPart
  own: ColumnSettings
}

/** The comparison begins as the playground is: with the prompt in the composer, or else the last one that was sent. */
export const takeOver = ({ model, system, draft, turns, settings, variables }: PlaygroundState): TakenOver => {
  const said = turns.filter(saysSomething)
  const place = said.findLastIndex(({ kind }) => kind === 'sent')
  const last = said[place]
  const typed = draft.trim()
  const { temperature, top_p, max_completion_tokens } = settings
  // Columns do not show the probabilities of tokens, and not every model reports them.
  const shared = { ...settings, logprobs: 'off' as const }
  const sent = typed === '' && last?.kind === 'sent' ? last.text : null
  return {
    prompt: sent ?? typed,
    isDraft: sent === null,
    shared: { turns: typed === '' ? said.slice(0, Math.max(0, place)) : said, settings: shared, variables },
    own: { model, system, temperature, top_p, max_completion_tokens },
  }
}

/**
 * The first column is as the playground is. The second differs from it in what tells most: another model, or else, where
 * none was chosen, a higher temperature.
 */
export const firstColumns = (
  own: ColumnSettings,
  chosen: string,
  models: readonly string[],
): readonly [ColumnSettings, ColumnSettings] => {
  const other = models.find((model) => model !== chosen)
  if (other !== undefined) return [own, { ...own, model: other }]
  return [own, own.temperature === '' ? { ...own, temperature: '1' } : own]
}

/** What every column takes over and none can change. */
export const sharedFields = ({ settings }: Pick<SharedPart, 'settings'>): readonly FieldName[] => {
  const names = ['stop', 'tools', 'seed', 'presence_penalty', 'frequency_penalty'] as const
  const set = names.filter((name) => settings[name].trim() !== '')
  return settings.format === 'schema' ? [...set, 'schema'] : set
}
