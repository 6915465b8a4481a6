import { draftTokens } from './draft-policy.ts'
import { findDraft, maxSearched } from './find-draft.ts'
import type { Part } from './step-parts.ts'

/** Adds a guess at the tokens after the next one, if there is one and guesses for this answer were accepted often enough. */
export const addDraft = (part: Part, contextTokens: number): Part => {
  const { one, slice } = part
  if (one.nextToken === null || !one.drafts.shouldDraft()) return part
  const text = [...one.held.tokens.slice(-maxSearched), ...slice.tokens]
  const draft = findDraft(text, draftTokens)
  if (draft.length === 0 || slice.position + 1 + draft.length > contextTokens) return part
  return { one, slice: { ...slice, tokens: [...slice.tokens, ...draft], isDraft: true } }
}
