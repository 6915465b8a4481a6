import { ApiError } from '../../base/api-error.ts'
import type { AnswerOptions, ResponseFormat } from '../../engine/contract.ts'
import type { ReceivedCalling, ReceivedFormat, ReceivedRequest } from './received-of.ts'

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

const callingOf = ({ callable, named, required, parallel }: ReceivedCalling): AnswerOptions['calling'] => ({
  callable,
  mode: named ? 'named' : required ? 'required' : 'auto',
  parallel,
})

/** vLLM's spellings give a schema no name. */
const defaultName = 'answer'

const formatOf = (
  source: NonNullable<ReceivedFormat['source']>,
  { name = defaultName, description }: ReceivedFormat,
): ResponseFormat => {
  if (source.type !== 'schema') return source
  const { text, strict, place, param } = source
  if (text === null) throw ApiError.of('invalid_schema', { place, reason: 'it is not JSON' }, { param })
  return { type: 'schema', name, ...(description === undefined ? {} : { description }), schema: text, strict }
}
