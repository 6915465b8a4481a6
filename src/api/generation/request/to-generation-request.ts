import type { FunctionTool } from '../../../engine/contract.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { refuseTooLong, refuseTooManyWords } from '../accept/refuse-too-long.ts'
import { createGrammarJob } from '../compile/grammar-job.ts'
import type { FormatSource } from '../compile/grammar-source.ts'
import { withWrittenPrompt } from '../prompt/with-written-prompt.ts'
import { extractFromBody, type NeededExtracts, type SentBody } from './body-extracts.ts'
import type { Calling, OfferedTool } from './calling.ts'
import type { GenerationRequest, RequestCalling, RequestFormat, TranslatedRequest } from './generation-request.ts'
import { packRequest } from './pack-request.ts'

/**
 * Runs where the body was parsed, which for a large one is another thread. Refuses prompts that cannot fit the context
 * of their model.
 */
export const toGenerationRequest = (
  translated: TranslatedRequest,
  { ignoredFields, ...body }: SentBody & Pick<GenerationRequest, 'ignoredFields'>,
  needs: NeededExtracts,
): GenerationRequest => {
  const { grammar, calling, format, ...request } = translated
  const { contexts, wordLimits, upstreamModels, strict } = needs
  const wordLimit = wordLimits?.get(request.model)
  if (wordLimit !== undefined) refuseTooManyWords(translated, wordLimit)
  const extracts = extractFromBody(translated, body, needs)
  refuseTooLong({ ...request, ...extracts }, { contextTokens: contexts?.get(request.model) ?? null })
  const received: GenerationRequest = {
    ...request,
    ...extracts,
    ignoredFields,
    grammar: grammar === null ? null : createGrammarJob(grammar, strict),
    calling: calling === null ? null : requestCalling(calling),
    format: format === null ? null : { ...format, source: formatSource(format.source) },
    packed: null,
  }
  return upstreamModels?.has(request.model) ? packRequest(withWrittenPrompt(received)) : received
}

/** With the schemas of the tools as JSON text. */
export const requestCalling = ({ shown, callable, ...rest }: Calling): RequestCalling => ({
  ...rest,
  shown: shown.map(functionTool),
  callable: callable.map(({ name }) => name),
})

const functionTool = ({ parameters, ...tool }: OfferedTool): FunctionTool => ({
  ...tool,
  parameters: parameters === null ? null : JSON.stringify(parameters),
})

const formatSource = (source: FormatSource): RequestFormat['source'] => {
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
