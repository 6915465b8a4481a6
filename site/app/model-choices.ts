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
    choices[0] ?? { id: session.model, kind: 'chat', contextTokens: null, capabilities: [] }
  )
}

/** Whether a model is known not to have a capability. Before it was loaded for the first time, nothing is known. */
export const lacks = ({ capabilities }: UsableModel, capability: UsableModel['capabilities'][number]): boolean =>
  capabilities.length > 0 && !capabilities.includes(capability)
