import { writeInTurns } from '../generation/answer/write-in-turns.ts'

/** Request parameters as the stored object repeats them; null if they were omitted. */
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
  /** Omitted: it is stored separately, because it can change. */
  readonly metadata?: unknown
}

/** `echoes`: JSON text, see `storedEchoesJson`. */
type Stored = {
  completion: AnsweredCompletion
  requestId: string
  echoes: string
  turnAfter: Parameters<typeof writeInTurns>[1]
}

/** Always present in a stored message. */
const noCalls = { tool_calls: null, function_call: null }

/** The JSON of a completion as it is stored: the response with the request's id and the repeated parameters. */
export const storedCompletionJson = async (stored: Stored): Promise<string> => {
  const { completion, requestId, echoes, turnAfter } = stored
  const { metadata: _, choices, ...answered } = completion
  const messages = choices.map((choice) => ({ ...choice, message: { ...noCalls, ...choice.message } }))
  const pieces = await writeInTurns({ ...answered, request_id: requestId, choices: messages }, turnAfter)
  const own = pieces.join('')
  return `${own.slice(0, -1)},${echoes.slice(1)}`
}

/** The repeated parameters as JSON. Schemas among them may be long, so it is written where the body is parsed. */
export const storedEchoesJson = (echoes: StoredEchoes): string =>
  JSON.stringify({
    tool_choice: echoes.toolChoice ?? null,
    seed: echoes.seed,
    top_p: echoes.topP,
    temperature: echoes.temperature,
    presence_penalty: echoes.presencePenalty,
    frequency_penalty: echoes.frequencyPenalty,
    input_user: echoes.inputUser,
    tools: echoes.tools ?? null,
    response_format: echoes.responseFormat ?? null,
  })
