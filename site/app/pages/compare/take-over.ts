import type { Attachment } from '../playground/attachments.ts'
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

/** What is the same in every column: the conversation before the prompt, its files, tools, schema and the other parameters. */
export type SharedPart = {
  turns: readonly Turn[]
  /** Of the prompt. */
  attachments: readonly Attachment[]
  settings: PlaygroundSettings
  variables: PromptVariables
}

export type TakenOver = {
  prompt: string
  /** It is what the composer holds, and so part of the draft: changes here are saved with it. */
  isDraft: boolean
  shared: SharedPart
  own: ColumnSettings
}

/** The comparison begins as the playground is: with the prompt in the composer, or else the last one that was sent. */
export const takeOver = (playground: PlaygroundState): TakenOver => {
  const { model, system, draft, turns, settings, variables } = playground
  const said = turns.filter(saysSomething)
  const place = said.findLastIndex(({ kind }) => kind === 'sent')
  const last = said[place]
  const typed = draft.trim()
  const { temperature, top_p, max_completion_tokens } = settings
  // Columns do not show the probabilities of tokens, and not every model reports them.
  const shared = { ...settings, logprobs: 'off' as const }
  const isWritten = typed !== '' || playground.attachments.length > 0
  const sent = !isWritten && last?.kind === 'sent' ? last : null
  const attachments = sent === null ? playground.attachments : (sent.attachments ?? [])
  return {
    prompt: sent?.text ?? typed,
    isDraft: sent === null,
    shared: { turns: sent === null ? said : said.slice(0, place), attachments, settings: shared, variables },
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

/** All files that every column sends. */
export const sharedFiles = ({ turns, attachments }: SharedPart): readonly Attachment[] => [
  ...turns.flatMap((turn) => (turn.kind === 'sent' ? (turn.attachments ?? []) : [])),
  ...attachments,
]

type SharedField = FieldName | 'reasoningEffort'

/** What every column takes over and none can change. */
export const sharedFields = ({ settings }: Pick<SharedPart, 'settings'>): readonly SharedField[] => {
  const names = ['reasoningEffort', 'stop', 'tools', 'seed', 'presence_penalty', 'frequency_penalty'] as const
  const set = names.filter((name) => settings[name].trim() !== '')
  return settings.format === 'schema' ? [...set, 'schema'] : set
}
