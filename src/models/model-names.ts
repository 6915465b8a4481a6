import type { ModelPool } from './contract.ts'

/** Every name under which a model can be requested, its id first. */
export const modelNames = ({ model, aliases }: Pick<ModelPool, 'model' | 'aliases'>): readonly string[] => [
  model.id,
  ...aliases,
]
