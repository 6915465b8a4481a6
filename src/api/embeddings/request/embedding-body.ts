import type { EmbeddingInputs } from '../../../engine/contract.ts'
import { array, nullable, object, optional } from '../../../http/schema/containers.ts'
import { unrecognizedArguments } from '../../../http/schema/problem.ts'
import { boolean, integer, oneOf, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { byType } from '../../../http/schema/variants.ts'
import { isUnservedByEmbeddings } from '../../generation/request/unserved-fields.ts'

/** Per request, as in the official API. */
const maxInputs = 2048
const maxTokenId = 2 ** 31 - 1

const text = string()
const endWords = oneOf('NONE', 'END')
const tokens = array(integer({ min: 0, max: maxTokenId }), { min: 1, of: 'integers' })
const textOrTokens = byType('one of a string or array of integers', { string: text, array: tokens })
const inputs = array(textOrTokens, { min: 1, max: maxInputs, of: 'strings or arrays of integers' })

/** A list that begins with a number is the tokens of one input; any other has an input in each place. */
const list: Schema<EmbeddingInputs> = schema(
  { anyOf: [inputs.json, tokens.json] },
  (value): EmbeddingInputs => (Array.isArray(value) && typeof value[0] === 'number' ? [tokens(value)] : inputs(value)),
)

const input: Schema<EmbeddingInputs> = byType(
  'one of a string, array of strings, array of integers or array of arrays',
  {
    string: schema(text.json, (value): EmbeddingInputs => [text(value)]),
    array: list,
  },
)

/** The words of NVIDIA's API have the same meaning. */
const truncate: Schema<boolean> = byType('one of a boolean or a string', {
  boolean,
  string: schema(endWords.json, (value) => endWords(value) === 'END'),
})

/** `POST /v1/embeddings` */
export const embeddingBody = object(
  {
    model: string(),
    input: described('One or more texts, each as a string or as token IDs.', input),
    encoding_format: optional(
      nullable(
        described(
          'With `base64`, each vector is a string of encoded little-endian 32-bit floats.',
          oneOf('float', 'base64'),
        ),
      ),
    ),
    dimensions: optional(
      nullable(
        described(
          'Number of dimensions. Vectors with more are cut off after these and normalised again.',
          integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        ),
      ),
    ),
    input_type: optional(
      nullable(
        described(
          'Puts the prefix in front of each text that the model was trained with. Default: that of queries. No effect on models without prefixes, on token IDs and on texts that begin with a prefix.',
          oneOf('query', 'passage', 'search_query', 'search_document'),
        ),
      ),
    ),
    truncate_prompt_tokens: optional(
      nullable(
        described(
          'Cuts off each input after this many tokens. -1: after as many as the model accepts. By default, longer ones are refused.',
          integer({ min: -1, max: Number.MAX_SAFE_INTEGER }),
        ),
      ),
    ),
    truncate: optional(nullable(described('With `true` the same as `truncate_prompt_tokens: -1`.', truncate))),
    // Accepted without effect.
    user: optional(nullable(string())),
  },
  { unknown: unrecognizedArguments, isUnserved: isUnservedByEmbeddings },
)
