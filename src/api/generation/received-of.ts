import type { FunctionTool } from '../../engine/contract.ts'
import { parseJson } from '../../http/parse-json.ts'
import type { BodyExtracts, NeededExtracts } from '../chat-completions/request/body-extracts.ts'
import type { ChatRequest } from '../chat-completions/request/request.ts'
import type { AnswerFormat } from '../chat-completions/request/response-format.ts'
import type { Calling } from '../chat-completions/request/tool-choice.ts'
import type { OfferedTool } from '../chat-completions/request/tools.ts'
import { type GrammarJob, grammarJobOf } from './compile/grammar-job.ts'
import type { FormatSource } from './compile/grammar-source.ts'
import type { ReadFields } from './read-fields.ts'
import { refuseTooLong } from './refuse-too-long.ts'

/**
 * A valid request, with what is kept of its body. Plain data, so that it can come from another thread. Schemas are JSON text:
 * as objects, a hundred thousand properties would take the main thread tens of milliseconds to receive and to pass on.
 */
export type ReceivedRequest = Omit<ChatRequest, 'grammar' | 'calling' | 'format'> & {
  grammar: GrammarJob | null
  calling: ReceivedCalling | null
  format: ReceivedFormat
} & BodyExtracts &
  Pick<ReadFields<unknown>, 'ignoredFields'>

/** As `Calling`. Those that may be called are known by name. */
export type ReceivedCalling = Omit<Calling, 'shown' | 'callable'> & {
  shown: readonly FunctionTool[]
  callable: readonly string[]
}

export type ReceivedFormat = Omit<AnswerFormat, 'source'> & { source: ReceivedSource | null }

/** `text`: the schema as JSON; null if it was sent as a text that is not JSON. */
type ReceivedSource =
  | Exclude<FormatSource, { type: 'schema' | 'schema_text' }>
  | { type: 'schema'; text: string | null; strict: boolean; place: string; param: string }

/** Where the body was parsed, which for a large one is another thread. Refuses what cannot fit the context of its model. */
export const receivedOf = <Request extends ChatRequest>(
  request: Request,
  extracts: BodyExtracts,
  { contexts, strict }: Pick<NeededExtracts, 'contexts' | 'strict'>,
) => {
  const { grammar, calling, format, ...rest } = request
  refuseTooLong({ ...request, ...extracts }, { contextTokens: contexts?.get(request.model) ?? null })
  return {
    ...rest,
    ...extracts,
    grammar: grammar === null ? null : grammarJobOf(grammar, strict),
    calling: calling === null ? null : receivedCalling(calling),
    format: { ...format, source: format.source === null ? null : receivedSource(format.source) },
  }
}

/** With the schemas of the tools as JSON text. */
export const receivedCalling = ({ shown, callable, ...rest }: Calling): ReceivedCalling => ({
  ...rest,
  shown: shown.map(receivedTool),
  callable: callable.map(({ name }) => name),
})

const receivedTool = ({ parameters, ...tool }: OfferedTool): FunctionTool => ({
  ...tool,
  parameters: parameters === null ? null : JSON.stringify(parameters),
})

const receivedSource = (source: FormatSource): ReceivedSource => {
  switch (source.type) {
    case 'schema': {
      const { schema, ...rest } = source
      return { ...rest, text: JSON.stringify(schema) }
    }
    case 'schema_text':
      return { ...source, type: 'schema', text: isJson(source.text) ? source.text : null, strict: false }
    default:
      return source
  }
}

/** Within the limits of a body. */
const isJson = (text: string): boolean => {
  try {
    parseJson(Buffer.from(text))
    return true
  } catch {
    return false
  }
}
