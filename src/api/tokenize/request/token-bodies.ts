import { array, object, unset } from '../../../http/schema/containers.ts'
import { unrecognizedArguments } from '../../../http/schema/problem.ts'
import { boolean, integer, string } from '../../../http/schema/scalars.ts'
import { described } from '../../../http/schema/schema.ts'
import { templateVariables } from '../../chat-completions/request/body.ts'
import { messages } from '../../chat-completions/request/messages.ts'
import { tools } from '../../chat-completions/request/tools.ts'
import { isUnservedByCounts } from '../../generation/request/unserved-fields.ts'

/** The requests of `POST /v1/tokenize` and `POST /v1/detokenize`, with the fields that vLLM has. */
const maxTokenId = 2 ** 31 - 1
const flag = (text: string) => unset(described(text, boolean))

/** Only with messages, as in a chat completion. */
export const templateFields = {
  tools: unset(tools),
  chat_template_kwargs: unset(templateVariables),
  continue_final_message: flag('Continues the last message instead of starting a new one.'),
  add_generation_prompt: flag('Adds the generation prompt of the chat template. Defaults to true.'),
}

export const tokenizeBody = object(
  {
    model: string(),
    prompt: unset(described('A text. Either this or messages is required.', string({ minLength: 1 }))),
    messages: unset(messages),
    add_special_tokens: flag(
      'Adds the token that begins every prompt, if the model has one. Defaults to true. No effect with messages.',
    ),
    return_token_strs: flag('Returns each token as the vocabulary of the model spells it.'),
    ...templateFields,
  },
  { unknown: unrecognizedArguments, isUnserved: isUnservedByCounts },
)
export type TokenizeBody = ReturnType<typeof tokenizeBody>

export const detokenizeBody = object(
  {
    model: string(),
    tokens: described(
      'Token IDs in the vocabulary of the model.',
      array(integer({ min: 0, max: maxTokenId }), { max: 1_000_000, of: 'integers' }),
    ),
  },
  { unknown: unrecognizedArguments },
)
