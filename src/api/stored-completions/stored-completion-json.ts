/** What was asked for, as the stored object repeats it; null where it was left out. */
export type StoredEchoes = {
  toolChoice: unknown
  seed: number | null
  topP: number | null
  temperature: number | null
  presencePenalty: number | null
  frequencyPenalty: number | null
  inputUser: string | null
  tools: unknown
  responseFormat: unknown
}

type AnsweredCompletion = {
  readonly choices: readonly { readonly message: object }[]
  /** Left out: it is kept beside the text, because it can change. */
  readonly metadata?: unknown
}

type Stored = { completion: AnsweredCompletion; requestId: string; echoes: StoredEchoes }

/** In a stored message these are always there. */
const noCalls = { tool_calls: null, function_call: null }

/** The JSON text of a completion as it is stored: as it was answered, with the request's id and the echoes. */
export const storedCompletionJson = ({ completion, requestId, echoes }: Stored): string => {
  const { metadata: _, choices, ...answered } = completion
  return JSON.stringify({
    ...answered,
    request_id: requestId,
    tool_choice: echoes.toolChoice ?? null,
    seed: echoes.seed,
    top_p: echoes.topP,
    temperature: echoes.temperature,
    presence_penalty: echoes.presencePenalty,
    frequency_penalty: echoes.frequencyPenalty,
    input_user: echoes.inputUser,
    tools: echoes.tools ?? null,
    choices: choices.map((choice) => ({ ...choice, message: { ...noCalls, ...choice.message } })),
    response_format: echoes.responseFormat ?? null,
  })
}
