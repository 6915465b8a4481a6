import type { DescribedModel } from './describe-models.ts'

/** The first model if none is marked, or if the one that was marked has a name that is taken. */
export const findDefaultModel = (described: readonly DescribedModel[]): DescribedModel | undefined =>
  described.find(({ entry }) => entry.isDefault) ?? described[0]
