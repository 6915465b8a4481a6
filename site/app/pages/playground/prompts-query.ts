import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export type { Prompt } from '../../../../src/platform/contract/prompts.ts'

export const promptsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['prompts'],
    queryFn: async ({ signal }) => (await platform.listPrompts({ signal })).data,
  })

/** An empty version is the last one. */
export const promptQuery = (platform: Platform, prompt: string, version: string) =>
  queryOptions({
    queryKey: ['prompts', prompt, version],
    queryFn: ({ signal }) =>
      platform.showPrompt({ params: { prompt }, query: version === '' ? {} : { version: Number(version) }, signal }),
  })
