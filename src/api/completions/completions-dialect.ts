import { newId } from '../../base/ids.ts'
import type { Dialect } from '../generation/dialect.ts'
import { openCompletionsFormatter } from './completions-formatter.ts'
import type { CompletionsRequestReader } from './request/completions-request-reader.ts'
import type { CompletionsRequest } from './request/read-completions-request.ts'

/** `POST /v1/completions`, OpenAI's older API: the model continues a text, without a chat template. */
export const createCompletionsDialect = (
  reader: Pick<CompletionsRequestReader, 'read'>,
): Dialect<CompletionsRequest> => ({
  endpoint: 'completions',
  reader,
  newAnswerId: () => newId('cmpl'),
  openFormatter: openCompletionsFormatter,
})
