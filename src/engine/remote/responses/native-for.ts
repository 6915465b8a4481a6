import type { Conversation, NativeResponses } from '../../contract.ts'
import type { AnsweringUpstream } from '../answering-upstream.ts'

/** The conversation as it is sent to the upstream's own Responses API; null if it is translated. */
export const nativeFor = (
  { builtInTools }: Pick<AnsweringUpstream, 'builtInTools'>,
  { native, rawPrompt }: Pick<Conversation, 'native' | 'rawPrompt'>,
): NativeResponses | null =>
  builtInTools === null || native?.api !== 'responses' || rawPrompt !== undefined ? null : native
