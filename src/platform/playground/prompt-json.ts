import type { PromptRecord } from '../../store/playground-contract.ts'
import type { Prompt } from '../contract/prompts.ts'

export const promptJson = (prompt: PromptRecord, accountId: string): Prompt => ({
  id: prompt.id,
  name: prompt.name,
  isShared: prompt.isShared,
  isOwn: prompt.createdBy === accountId,
  createdBy: prompt.createdByEmail,
  createdAt: prompt.createdAt,
  savedAt: prompt.savedAt,
  version: prompt.version,
})
