import { named } from '../../http/schema/schema.ts'
import { post, withKey } from '../operation.ts'
import { detokenizeBody, tokenizeBody } from './request/token-bodies.ts'
import { tokenListSchema, tokenTextSchema } from './response-schema.ts'

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
}
