import { abilities } from '../../accounts/teams/roles.ts'
import { integerText } from '../../http/read-query.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { contentLimitBytes } from '../../store/playground-contract.ts'
import { get, member, post } from './operation.ts'
import { count, time } from './scalars.ts'

/** Every character takes at least one byte; the route counts the bytes. */
export const content = described(
  'JSON text of the playground: messages, parameters, tools and schema. At most 256 KiB.',
  string({ minLength: 1, maxLength: contentLimitBytes }),
)
/** A character may take six bytes as an escape. */
export const contentBodyLimitBytes = 2 * contentLimitBytes + 1024

const draft = object({ content: nullable(content), version: count, savedAt: nullable(time) })
export type Draft = Shape<typeof draft>

const prompt = named(
  'Prompt',
  object({
    id: string({ pattern: '^prm_' }),
    name: string(),
    isShared: described('Other members of the organisation can open it.', boolean),
    isOwn: described('The caller saved it and can change it.', boolean),
    createdBy: described('Email address of the member who saved it.', string()),
    createdAt: time,
    savedAt: time,
    version: described('The newest one.', count),
  }),
)
export type Prompt = Shape<typeof prompt>

const savedPrompt = object({
  prompt,
  version: described('The version of the content.', count),
  content,
  versions: described(
    'Newest first; of older ones only the last 50 are kept.',
    array(object({ version: count, savedAt: time })),
  ),
})
export type SavedPrompt = Shape<typeof savedPrompt>

const who = member(abilities.usePlayground)

export const promptOperations = {
  showDraft: get('/playground/draft', who, 'Shows the draft of the caller in the playground.', { answer: draft }),
  saveDraft: post('/playground/draft', who, 'Saves the draft of the caller. The last writer wins.', {
    body: object({ content }),
    bodyLimitBytes: contentBodyLimitBytes,
    answer: object({ version: count }),
  }),
  listPrompts: get('/prompts', who, 'Lists the saved prompts of the caller, and those that others share.', {
    answer: object({ data: described('Last saved first.', array(prompt)) }),
  }),
  createPrompt: post('/prompts', who, 'Saves a prompt under a name.', {
    body: object({ name: string(), isShared: boolean, content }),
    bodyLimitBytes: contentBodyLimitBytes,
    answer: savedPrompt,
    status: 201,
  }),
  showPrompt: get('/prompts/{prompt}', who, 'Shows a saved prompt with its content.', {
    query: object({ version: optional(integerText({ min: 1, max: Number.MAX_SAFE_INTEGER })) }),
    answer: savedPrompt,
  }),
  changePrompt: post('/prompts/{prompt}', who, 'Changes a prompt of the caller. A new content becomes a new version.', {
    body: object({ name: optional(string()), isShared: optional(boolean), content: optional(content) }),
    bodyLimitBytes: contentBodyLimitBytes,
    answer: savedPrompt,
  }),
  removePrompt: post(
    '/prompts/{prompt}/remove',
    who,
    'Removes a prompt of the caller. For a day it can be restored.',
    {},
  ),
  restorePrompt: post('/prompts/{prompt}/restore', who, 'Brings a removed prompt back.', {}),
}
