/**
 * Fields of other APIs that are not supported here and would change the answer: they are refused with
 * `unsupported_parameter`, although other unknown fields are ignored. A field that an endpoint does support is in its
 * own schema, which is consulted first.
 */

/** What the field would change: what the model is shown, what it answers, the vectors of a text, or the scores of documents. */
type Change = 'prompt' | 'answer' | 'vectors' | 'scores'

/** `unless`: with this value nothing is asked for. */
type Row = { names: readonly string[]; changes: readonly Change[]; unless?: unknown }

const rows: readonly Row[] = [
  // Which texts are allowed.
  { names: ['grammar', 'guided_grammar', 'ebnf', 'json_schema', 'regex', 'structural_tag'], changes: ['answer'] },
  { names: ['format', 'response_format', 'response_schema', 'structured_outputs'], changes: ['answer'] },
  { names: ['guided_json', 'guided_regex', 'guided_choice', 'text'], changes: ['answer'] },
  { names: ['output_config', 'output_format'], changes: ['answer'] },
  { names: ['response_mime_type'], changes: ['answer'], unless: 'text/plain' },
  // Which tokens are allowed, and how one of several answers is chosen.
  {
    names: ['allowed_token_ids', 'bad_words', 'bad_words_ids', 'logit_bias', 'logprob_token_ids'],
    changes: ['answer'],
  },
  { names: ['custom_logit_processor', 'logits_processors', 'use_beam_search'], changes: ['answer'] },
  { names: ['best_of', 'n'], changes: ['answer'], unless: 1 },
  // Where the answer ends.
  { names: ['stop', 'stop_regex', 'stop_sequences', 'stop_token_ids'], changes: ['answer'] },
  { names: ['max_completion_tokens', 'max_output_tokens', 'max_tokens'], changes: ['answer'] },
  // What is in the response beside the answer.
  { names: ['echo', 'include_stop_str_in_output', 'prompt_logprobs', 'suffix'], changes: ['answer'] },
  { names: ['n_probs'], changes: ['answer'], unless: 0 },
  // Other weights.
  { names: ['lora', 'lora_path', 'lora_request'], changes: ['answer', 'vectors', 'scores'] },
  // What the model may call.
  { names: ['functions', 'tools'], changes: ['answer'] },
  // A safety check that is not performed here must not appear to have been performed.
  { names: ['safeguards'], changes: ['answer'] },
  // What the model is shown.
  { names: ['chat_template', 'chat_template_kwargs'], changes: ['prompt', 'scores'] },
  { names: ['continue_final_message'], changes: ['prompt'] },
  { names: ['input', 'instructions', 'messages', 'prompt', 'system'], changes: ['prompt'] },
  { names: ['conversation', 'previous_response_id', 'thread'], changes: ['prompt'] },
  { names: ['data_sources', 'documents', 'enable_search', 'search_parameters'], changes: ['prompt'] },
  { names: ['truncate_prompt_tokens'], changes: ['prompt'] },
  // Of which parts of a document a score is, and how it is converted.
  { names: ['rank_fields', 'activation', 'softmax'], changes: ['scores'] },
  // What a vector consists of.
  { names: ['embedding_types', 'late_chunking', 'output_dimension'], changes: ['vectors'] },
  { names: ['embedding_type', 'output_dtype'], changes: ['vectors'], unless: 'float' },
]

const byName = new Map(rows.flatMap((row) => row.names.map((name) => [name, row] as const)))

/** For an endpoint whose result these changes concern. */
const refusing =
  (...concerns: Change[]) =>
  (name: string, value: unknown): boolean => {
    const row = byName.get(name)
    if (row === undefined || !row.changes.some((change) => concerns.includes(change))) return false
    return value !== row.unless && !isNothing(value)
  }

/** Clients send their defaults, which ask for nothing. */
const isNothing = (value: unknown): boolean => {
  if (value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** For `object`: of a body that is answered, of a prompt that is only counted, of texts that become vectors, and of pairs that are scored. */
export const isUnservedByModels = refusing('prompt', 'answer')
export const isUnservedByCounts = refusing('prompt')
export const isUnservedByEmbeddings = refusing('vectors')
export const isUnservedByRerankers = refusing('scores')

/** All names in the table with a value that asks for something, for the tests of every endpoint. */
export const unservedNames: readonly string[] = [...byName.keys()]
