/** The words of the compatibility tables, by their English text. */
export const compatibilityTranslations = {
  'content as text parts': 'テキストパートの配列としてのcontent',
  'assistant with tool_calls, tool': 'tool_callsを持つassistant、tool',
  'assistant with function_call, function': 'function_callを持つassistant、function',
  'assistant refusal': 'assistantのrefusal',
  'image_url part': 'image_urlパート',
  'input_audio part': 'input_audioパート',
  'file part': 'fileパート',
  'assistant audio': 'assistantのaudio',
  'assistant reasoning_content': 'assistantのreasoning_content',
  'annotations, parsed; in tool calls: index, extra_content, provider_specific_fields, parsed_arguments':
    'annotations、parsed。呼び出しのindex、extra_content、provider_specific_fields、parsed_arguments',
  'tool_calls, function_call and audio set to null; refusal, annotations and reasoning_content on any role':
    'nullのtool_calls、function_call、audio。任意のroleのrefusal、annotations、reasoning_content',
  'cache_control on a text part': 'テキストパートのcache_control',
  'any other key': 'その他のキー',
  'custom tool call': 'カスタムツールの呼び出し',
  'by name': '名前で指定',
  'a schema that cannot be enforced': '強制できないスキーマ',
  'any value': 'すべての値',
  'any other field': 'その他の項目',
  'a misspelling of a field in this table': 'この表にある項目の入力ミス',
  'one that would change the answer: `grammar`, `json_schema`, `bad_words`, `lora`, `use_beam_search`, …':
    '回答が変わってしまう項目：`grammar`、`json_schema`、`bad_words`、`lora`、`use_beam_search`など',
  'for example `cache_breakpoint`, sent by CrewAI': 'CrewAIが送る`cache_breakpoint`など',
  'five letters or more, one of them missing, added, wrong or swapped; the message names the field':
    '5文字以上で、1文字の抜け、余り、違い、入れ替わりがあるもの。エラーメッセージで正しい項目名を示す',

  'joined with newlines': '改行で連結',
  'passed to the chat template as reasoning; ignored on other roles':
    '推論（reasoning）としてチャットテンプレートに渡す。ほかのroleでは効果なし',
  'added by clients and other providers to messages of any role; not included in the prompt':
    'クライアントやほかのプロバイダーが任意のroleのメッセージに付け加える情報。モデルへの入力には含まれない',
  'returned by official libraries and other providers, and sent back in the history':
    '公式ライブラリやほかのプロバイダーの回答に含まれ、履歴として送り返される項目',
  'for histories that use the same shape for all roles': 'すべてのroleを同じ形で書いた履歴',
  'deprecated form': '旧形式',
  'passed to the model as its own message': 'モデル自身の発言としてモデルに渡す',
  'passed to the chat template; the template of helix-v1 does not use it':
    'チャットテンプレートに渡すが、helix-v1のテンプレートでは不使用',
  'deprecated; cannot be combined with `max_completion_tokens`': '非推奨。`max_completion_tokens`との同時指定は拒否',
  'choices are generated concurrently if slots are free; `answerLimitBytes` limits the size of a response':
    '空きがあれば並行して生成。1つのレスポンスの大きさは`answerLimitBytes`まで',
  'deterministic if the request runs alone; `system_fingerprint` is made of version, name and weights of the model (by their checksums; of an upstream, by what it calls the model)':
    'リクエストが単独で実行されれば同じ回答。`system_fingerprint`は、バージョン、モデルの名前、重み（チェックサム。上流のモデルでは上流での名前）から作られる',
  'raw model probabilities, before bias, penalties and temperature are applied':
    'バイアス、ペナルティ、temperatureを適用する前の、モデル本来の確率',
  'off by default': '指定しない限り無効',
  'functions only; without `strict`, a schema that cannot be enforced still produces a JSON object':
    '関数に対応。`strict`なしでは、強制できないスキーマでも引数は必ずJSONオブジェクト',
  'arguments always conform to the schema': '引数は常にスキーマに適合',
  'the tools are not passed to the model': 'ツールはモデルに渡さない',
  'finish_reason is `stop`': 'finish_reasonは`stop`',
  'at most 16 calls per response': '1つの回答につき呼び出しは最大16件',
  'deprecated form of `tools`': '`tools`の旧形式',
  'deprecated form of `tool_choice`': '`tool_choice`の旧形式',
  'the schema is enforced during generation as it is written, with or without `strict`':
    '`strict`の有無にかかわらず、生成時にスキーマを書かれたとおりに適用',
  'if no message mentions JSON, the model is told to respond with a JSON object, which counts as prompt tokens':
    'JSONに触れたメッセージがなければ、JSONオブジェクトで回答するようモデルに指示し、その分も入力トークンに数える',
  'json_object with schema': 'json_objectと`schema`',
  'the schema is enforced, as with json_schema': 'json_schemaと同じく、スキーマを適用',
  'the error message names the keyword': 'メッセージに該当キーワードを明示',
  'the response always contains `default`': 'レスポンスでは`default`',
  'no effect on models that do not reason, such as helix-v1':
    'helix-v1など、推論（reasoning）を行わないモデルでは効果なし',
  'not with upstreams': '上流のモデルでは利用不可',
  'with `logprobs`, at most 128: reported instead of the most likely tokens; not with upstreams':
    '`logprobs`と併用し、最大128個。確率の高いトークンの代わりに返す。上流のモデルでは利用不可',
  "at most 20, in vLLM's shape, once for all choices; not with upstreams":
    '最大20。vLLMと同じ形で、すべてのchoiceに共通。上流のモデルでは利用不可',
  'in a stream': 'ストリーミング時',
  'the message names what is enforced instead': 'エラーメッセージで、代わりに使える指定を示す',
  'with `include_usage`: every chunk says what was used so far':
    '`include_usage`と併用。各チャンクにその時点までの使用量を含む',
  'returns `prompt_token_ids` in the response and `token_ids` in each choice':
    'レスポンスに`prompt_token_ids`、各choiceに`token_ids`',
} as const

/** Values of the API and its own messages: what is sent and answered in any language. */
export const sameInBoth = [
  'system, developer, user, assistant',
  'name',
  'sender, tool_name, reasoning, reasoning_details, thinking_blocks, provider_specific_fields, cache_control',
  'prompt_cache_breakpoint',
  'strict',
  'custom',
  'none',
  'auto',
  'required',
  'allowed_tools',
  'text',
  'json_object',
  'json_schema',
  'audio',
  'json, regex, choice, json_object',
  'grammar, structural_tag',
  'HTTP',
] as const
