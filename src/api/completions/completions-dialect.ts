import { newId } from '../../base/ids.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import type { Dialect } from '../generation/dialect.ts'
import { openCompletionsFormatter } from './completions-formatter.ts'
import type { CompletionsRequest, readCompletionsRequest } from './request/read-completions-request.ts'

/** `POST /v1/completions`, OpenAI's older API: the model continues a text, without a chat template. */
export const createCompletionsDialect = (
  reader: ReaderOf<typeof readCompletionsRequest>,
): Dialect<CompletionsRequest> => ({
  endpoint: 'completions',
  reader,
  newAnswerId: () => newId('cmpl'),
  openFormatter: openCompletionsFormatter,
})
