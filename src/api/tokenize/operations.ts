import { object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { named } from '../../http/schema/schema.ts'
import { get, post, withKey } from '../operation.ts'
import { detokenizeBody, tokenizeBody } from './request/token-bodies.ts'
import { tokenizerInfoSchema, tokenListSchema, tokenTextSchema } from './response-schema.ts'

/** vLLM's endpoints for the tokens of a model. */
export const tokenOperations = {
  tokenize: post(
    '/tokenize',
    withKey('chat'),
    'Returns the tokens of a text, or of the prompt that a chat completion would be created from.',
    { body: named('Tokenize', tokenizeBody), isForModel: true, answer: named('TokenList', tokenListSchema) },
  ),
  detokenize: post('/detokenize', withKey('chat'), 'Returns the text of tokens.', {
    body: named('Detokenize', detokenizeBody),
    isForModel: true,
    answer: named('TokenText', tokenTextSchema),
  }),
  tokenizerInfo: get(
    '/tokenizer_info',
    withKey('chat'),
    'Returns the chat template of a model and the tokens that frame its prompts.',
    { query: object({ model: optional(string()) }), answer: named('TokenizerInfo', tokenizerInfoSchema) },
  ),
}
