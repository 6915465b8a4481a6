import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, integer, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'

const whole = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

export const tokenListSchema = object({
  count: whole,
  max_model_len: described('How many tokens a prompt and its answer can have together.', nullable(whole)),
  tokens: array(whole),
  token_strs: nullable(array(string())),
})

export const tokenTextSchema = object({ prompt: string() })

export const tokenizerInfoSchema = object({
  tokenizer_class: string(),
  chat_template: string(),
  bos_token: nullable(string()),
  eos_token: nullable(string()),
  add_bos_token: boolean,
  model_max_length: nullable(whole),
})
