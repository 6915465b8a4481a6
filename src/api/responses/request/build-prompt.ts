import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage } from '../../../engine/contract.ts'
import type { ChatPrompt, Prompt } from '../../generation/request/generation-request.ts'
import { mentionsJson, withJsonInstruction } from '../../generation/request/json-instruction.ts'
import type { ConversationItem, InputItem } from '../items.ts'
import { buildMessages } from './build-messages.ts'
import { nativeInput } from './native-input.ts'
import type { ResponseOptions } from './responses-request.ts'

type PromptOptions = Pick<ResponseOptions, 'instructions' | 'truncates' | 'wantsJsonWord' | 'native'> & {
  /** Whether requests that the official service refuses are refused. */
  isStrict: boolean
}

/** `items`: the whole conversation. Throws if it is empty, or if the calls in it and their outputs do not match. */
export const buildPrompt = (options: PromptOptions, items: readonly ConversationItem[]): ChatPrompt => {
  const { instructions, truncates, wantsJsonWord } = options
  const sent = buildMessages(instructions, items)
  refuseEmpty(sent, options)
  const native = nativeInput(options, items, sent)
  return {
    type: 'chat',
    ...(native === null ? {} : { native }),
    messages: wantsJsonWord ? withJsonInstruction(sent) : sent,
    templateVariables: {},
    opening: 'answer',
    // The oldest messages are left out, but not the instructions.
    keptFromStart: truncates ? (instructions === null ? 0 : 1) : null,
  }
}

const refuseEmpty = (
  messages: readonly ChatMessage[],
  { instructions, wantsJsonWord, isStrict }: PromptOptions,
): void => {
  if (messages.length === (instructions === null ? 0 : 1))
    throw ApiError.of('empty_array', { path: 'input', minimum: 1 }, { param: 'input' })
  if (isStrict && wantsJsonWord && !mentionsJson(messages))
    throw ApiError.of('missing_json_word_in_input', {}, { param: 'input' })
}

/** What upstreams with a Responses API are sent in addition to messages: reasoning that is encrypted, and what tools have done. */
export const furtherBytes = (prompt: Prompt): number => {
  const native = prompt.type === 'chat' ? prompt.native : undefined
  return native?.api === 'responses' ? native.input.reduce((sum, item) => sum + (item.furtherBytes ?? 0), 0) : 0
}

/** The items of a request that refers to nothing stored; null for another. */
export const wholeConversation = ({
  input,
  previousResponseId,
}: Pick<ResponseOptions, 'input' | 'previousResponseId'>): ConversationItem[] | null =>
  previousResponseId === null && input.every(isOwn) ? input : null

const isOwn = (item: InputItem): item is ConversationItem => item.type !== 'item_reference'
