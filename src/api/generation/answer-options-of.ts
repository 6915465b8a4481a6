import { ApiError } from '../../base/api-error.ts'
import type { AnswerOptions, ResponseFormat } from '../../engine/contract.ts'
import type { ReceivedRequest } from '../chat-completions/request/read-request.ts'
import type { AnswerFormat } from '../chat-completions/request/response-format.ts'
import type { Calling } from '../chat-completions/request/tool-choice.ts'
import type { FormatSource } from './compile/grammar-source.ts'

/** What a request asks of an engine that constrains and parses its answers itself. */
export const answerOptionsOf = ({
  stream,
  calling,
  format,
  reasoningEffort,
}: Pick<ReceivedRequest, 'stream' | 'calling' | 'format' | 'reasoningEffort'>): AnswerOptions => ({
  stream,
  calling: calling === null ? null : callingOf(calling),
  format: format.source === null ? null : formatOf(format.source, format),
  reasoningEffort: reasoningEffort ?? null,
})

const callingOf = ({ callable, named, required, parallel }: Calling): AnswerOptions['calling'] => ({
  callable: callable.map(({ name }) => name),
  mode: named ? 'named' : required ? 'required' : 'auto',
  parallel,
})

/** vLLM's spellings give a schema no name. */
const defaultName = 'answer'

const formatOf = (source: FormatSource, { name = defaultName, description }: AnswerFormat): ResponseFormat => {
  const described = { name, ...(description === undefined ? {} : { description }) }
  switch (source.type) {
    case 'schema':
      return { type: 'schema', ...described, schema: source.schema, strict: source.strict }
    case 'schema_text':
      return { type: 'schema', ...described, schema: parseSchema(source), strict: false }
    default:
      return source
  }
}

const parseSchema = ({ text, place, param }: Extract<FormatSource, { type: 'schema_text' }>): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw ApiError.of('invalid_schema', { place, reason: 'it is not JSON' }, { param })
  }
}
