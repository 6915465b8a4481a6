import type { ModelRow } from './model-rows.ts'

/** Names of the settings' models, which no model of the list may use. */
export const takenNames = (rows: readonly ModelRow[]): string[] =>
  rows.filter(({ listed }) => !listed).flatMap(({ name, aliases }) => [name, ...aliases])
