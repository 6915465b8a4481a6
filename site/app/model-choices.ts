import type { UsableModel } from '../../src/platform/contract/models.ts'
import type { Session } from '../platform/types.ts'

/** Models that answer chat requests, the default first. Embedding models and rerankers answer none. */
export const modelChoices = ({ models }: Pick<Session, 'models'>): readonly UsableModel[] =>
  models.filter(({ kind }) => kind === 'chat')

/**
 * The model with this name, or else the default one: a model may have been removed since it was chosen. If there is no
 * chat model, the name of the default is sent, and the server says why it cannot answer.
 */
export const chosenModel = (session: Pick<Session, 'models' | 'model'>, name: string): UsableModel => {
  const choices = modelChoices(session)
  return (
    choices.find(({ id }) => id === name) ??
    choices.find(({ id }) => id === session.model) ??
    choices[0] ?? { id: session.model, kind: 'chat', contextTokens: null, capabilities: [], sampling: null }
  )
}

/**
 * The model that a key is tried with, which may use only those that are named: the default one, or the first chat model. Null if none
 * of them is one. A name that the list does not have, such as an alias, may be one.
 */
export const triedModel = (
  session: Pick<Session, 'models' | 'model'>,
  allowed: readonly string[] | null,
): string | null => {
  const choices = modelChoices(session).map(({ id }) => id)
  const usual = [session.model, ...choices].filter((id) => choices.includes(id))
  if (allowed === null) return usual[0] ?? null
  const isOther = (name: string): boolean => session.models.every(({ id }) => id !== name)
  return usual.find((id) => allowed.includes(id)) ?? allowed.find(isOther) ?? null
}

/** Whether a model is known not to have a capability. Before it was loaded for the first time, nothing is known. */
export const lacks = ({ capabilities }: UsableModel, capability: UsableModel['capabilities'][number]): boolean =>
  capabilities.length > 0 && !capabilities.includes(capability)
