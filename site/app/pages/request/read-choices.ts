import { parseJsonText } from '../../../../src/base/parse-json-text.ts'

export type StoredChoice = {
  index: number
  /** Null: it was interrupted. */
  finish_reason: string | null
  message: {
    content: string | null
    reasoning_content?: string
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
    function_call?: { name: string; arguments: string }
  }
}

/** The choices of a stored answer; null if it was truncated and is no longer JSON. */
export const readChoices = (text: string): StoredChoice[] | null => {
  try {
    return asChoices(parseJsonText(text))
  } catch {
    return null
  }
}

/** True because only the server writes stored answers, and it writes them in this shape. */
const asChoices = (value: unknown): StoredChoice[] => value as StoredChoice[]

/** Tool calls, with the deprecated function call converted to one. */
export const readCalls = ({ message }: StoredChoice): { id: string; name: string; arguments: string }[] => {
  const { tool_calls: calls = [], function_call: old } = message
  return [
    ...calls.map(({ id, function: called }) => ({ id, ...called })),
    ...(old === undefined ? [] : [{ id: 'function_call', ...old }]),
  ]
}
