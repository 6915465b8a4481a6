import type { Prompt, SavedPrompt } from '../../../../src/platform/contract/prompts.ts'
import { platformListQuery, platformQuery } from '../../platform-query.ts'

export type { Prompt, SavedPrompt } from '../../../../src/platform/contract/prompts.ts'

export const promptsQuery = platformListQuery<Prompt>(['prompts'], '/prompts')

export const promptQuery = (id: string, version: string) =>
  platformQuery<SavedPrompt>(
    ['prompts', id, version],
    `/prompts/${encodeURIComponent(id)}${version === '' ? '' : `?version=${encodeURIComponent(version)}`}`,
  )
