export type StoredChoice = {
  index: number
  /** Null: it broke off. */
  finish_reason: string | null
  message: {
    content: string | null
    reasoning_content?: string
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
    function_call?: { name: string; arguments: string }
  }
}

/** The choices of a kept answer; null where it was cut, and is no JSON any more. */
export const readChoices = (text: string): StoredChoice[] | null => {
  try {
    return asChoices(JSON.parse(text))
  } catch {
    return null
  }
}

/** True because only the server writes what is kept, and this is what it writes. */
const asChoices = (value: unknown): StoredChoice[] => value as StoredChoice[]

/** Calls in the shape of today, also those of the old one. */
export const callsOf = ({ message }: StoredChoice): { id: string; name: string; arguments: string }[] => {
  const { tool_calls: calls = [], function_call: old } = message
  return [
    ...calls.map(({ id, function: called }) => ({ id, ...called })),
    ...(old === undefined ? [] : [{ id: 'function_call', ...old }]),
  ]
}
