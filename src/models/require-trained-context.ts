import { OperatorError } from '../base/operator-error.ts'
import type { GgufDescription } from '../gguf/describe-gguf.ts'

/** A longer context than the model was trained for would be lowered when it is loaded, so it is refused where it is asked for. */
export const requireTrainedContext = (
  contextTokens: number | null,
  { trainedContextTokens }: Pick<GgufDescription, 'trainedContextTokens'>,
  { model = 'The model', option = '--context' } = {},
): void => {
  if (contextTokens === null || trainedContextTokens === null || contextTokens <= trainedContextTokens) return
  throw new OperatorError(
    `${model} was trained for a context of ${trainedContextTokens} tokens: ${option} can be at most ${trainedContextTokens}, not ${contextTokens}`,
  )
}
