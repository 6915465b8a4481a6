/** The words of the compatibility tables, by their English text. */
export const toldInCompatibility = {
  'content as text parts': 'テキストパートの配列としてのcontent',
  'assistant with tool_calls, tool': 'tool_callsを持つassistant、tool',
  'assistant with function_call, function': 'function_callを持つassistant、function',
  'refusal of an assistant': 'assistantのrefusal',
  'image_url part': 'image_urlパート',
  'input_audio part': 'input_audioパート',
  'file part': 'fileパート',
  'audio of an assistant': 'assistantのaudio',
  'reasoning_content of an assistant': 'assistantのreasoning_content',
  'annotations, parsed; index, extra_content, provider_specific_fields and parsed_arguments of calls':
    'annotations、parsed。呼び出しのindex、extra_content、provider_specific_fields、parsed_arguments',
  'tool_calls, function_call and audio null; refusal, annotations and reasoning_content, of any role':
    'nullのtool_calls、function_call、audio。任意のroleのrefusal、annotations、reasoning_content',
  'cache_control of a text part': 'テキストパートのcache_control',
  'any other key': 'その他のキー',
  'custom tool call': 'カスタムツールの呼び出し',
  'by name': '名前で指定',
  'a schema that cannot be enforced': '強制できないスキーマ',
  'other values': 'その他の値',
  anything: 'すべての値',
  'anything else': 'その他の項目',

  'joined by line breaks': '改行で連結',
  'given to the chat template as its reasoning; of other roles it has no effect':
    '推論（reasoning）としてチャットテンプレートに渡す。ほかのroleでは効果なし',
  'what clients and other providers add to messages of any role; not part of the prompt':
    'クライアントやほかのプロバイダーが任意のroleのメッセージに付け加える情報。モデルへの入力には含まれない',
  'come back with an answer, from official libraries and from other providers':
    '公式ライブラリやほかのプロバイダーの回答に含まれ、履歴として送り返される項目',
  'histories that are written with one shape for all roles': 'すべてのroleを同じ形で書いた履歴',
  'the older spelling': '旧形式',
  'shown to the model as what it said': 'モデル自身の発言としてモデルに提示',
  'given to the chat template; that of helix-v1 does not use it':
    'チャットテンプレートに渡すが、helix-v1のテンプレートでは不使用',
  'the older name; both together are refused': '旧名。両方の同時指定は拒否',
  'choices run beside each other where there is room; one answer is bounded by `answerLimitBytes`':
    '空きがあれば並行して生成。1つの回答の大きさは`answerLimitBytes`が上限',
  'the same answer when the request runs alone; `system_fingerprint` names program and weights':
    'リクエストが単独で実行されれば同じ回答。`system_fingerprint`はプログラムと重みの識別子',
  "the model's own probabilities, before bias, penalties and temperature":
    'バイアス、ペナルティ、temperatureを適用する前の、モデル本来の確率',
  'off unless asked for': '指定しない限り無効',
  'functions; without `strict` a schema that cannot be enforced still gives a JSON object':
    '関数に対応。`strict`なしでは、強制できないスキーマでも引数は必ずJSONオブジェクト',
  'arguments always validate': '引数は常にスキーマに適合',
  'the tools are not shown to the model': 'ツールはモデルに非提示',
  'finish_reason is `stop`': 'finish_reasonは`stop`',
  'at most 16 calls in one answer': '1つの回答につき呼び出しは最大16件',
  'the older spelling of `tools`': '`tools`の旧形式',
  'the older spelling of `tool_choice`': '`tool_choice`の旧形式',
  'held to the schema while it is written, with and without `strict`':
    '`strict`の有無にかかわらず、生成中にスキーマを強制',
  'the message names the keyword': 'メッセージに該当キーワードを明示',
  'the answer says `default`': 'レスポンスでは`default`',
  'helix-v1 does not reason': 'helix-v1は推論（reasoning）なし',
  'served by models that reason': '推論（reasoning）を行うモデルで対応',
  '`prompt_token_ids` in the answer, `token_ids` in each choice':
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
  'medium, none',
  'medium',
  'low, high',
  'audio',
  'json, regex, choice, json_object',
  'grammar, structural_tag',
  '"Unrecognized request argument supplied"',
  'HTTP',
] as const
