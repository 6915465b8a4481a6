import type { EmbeddingInputs, TextPrefixes } from '../../engine/contract.ts'

/**
 * The inputs with the prefix that the model was trained with; without a type that of queries, which also suits the comparison of
 * similar texts. Texts that have one already, and token IDs, stay as they are.
 */
export const withPrefixes = (
  inputs: EmbeddingInputs,
  type: keyof TextPrefixes | null,
  prefixes: TextPrefixes | undefined,
): EmbeddingInputs => {
  if (prefixes === undefined) return inputs
  const { query, passage } = prefixes
  const isPlain = (text: string) => !text.startsWith(query) && !text.startsWith(passage)
  return inputs.map((input) =>
    typeof input === 'string' && isPlain(input) ? `${prefixes[type ?? 'query']}${input}` : input,
  )
}
