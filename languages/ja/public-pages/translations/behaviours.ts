/** The behaviours that clients rely on, by their English text. */
export const behaviourTranslations = {
  Streaming: 'ストリーミング',
  'Only the first delta of each choice contains the role':
    '各choiceの最初のdeltaだけがroleを持ち、以降のdeltaは持たない',
  'The first content is "" for text and null for a tool call': '最初のcontentは、テキストなら""、呼び出しならnull',
  'finish_reason is null until the final chunk of each choice, whose delta is {}':
    'finish_reasonは各choiceの最後のチャンクまでnullで、そのチャンクのdeltaは {}',
  'id, created, model and object are the same in every chunk': 'id、created、model、objectは全チャンクで同じ',
  'include_usage: usage is null in every chunk except a final one without choices':
    'include_usage：usageは途中すべてnullで、最後にchoiceのない1つのチャンクが値を持つ',
  'Without include_usage, no chunk has a usage key or an empty choices array':
    'include_usageなしでは、usageキーも、choiceのないチャンクもない',
  'Usage is identical with and without streaming': 'usageはストリームの有無によらず同じ',
  'The concatenated content is identical with and without streaming': '連結したcontentはストリームの有無によらず同じ',
  '`data: [DONE]` is sent exactly once, as the last event, including after a length stop':
    '`data: [DONE]`は最後のイベントとして一度だけ届く。長さの上限で止まったときも同じ',
  'n = 3: chunks have an index, each choice has a role and a finish_reason, and usage counts the prompt once':
    'n = 3：チャンクはindexを持ち、各choiceにroleとfinish_reasonがあり、usageは入力を一度だけ数える',
  'Tool-call deltas have an index; id, type and the full name are sent once':
    '呼び出しのdeltaはindexを持ち、id、type、完全なnameは一度だけ届く',
  'Argument fragments are strings that concatenate to valid JSON': '引数の断片は文字列で、連結するとJSONになる',
  'Two calls have different indexes and IDs; with parallel_tool_calls false there is only one call':
    '2つの呼び出しは別々のindexとidを持ち、parallel_tool_callsがfalseなら呼び出しは1つ',
  'A stop sequence that spans two tokens never leaks; a partial match is released':
    '2つのトークンにまたがる停止シーケンスは漏れず、途中まで一致しただけの文字列は送信される',
  'Characters are never split: every chunk is valid UTF-8 without U+FFFD':
    '文字は分割されない。どのチャンクも正しいUTF-8で、U+FFFDを含まない',
  'Reaching the token limit in the middle of a character leaves no U+FFFD':
    '文字の途中で上限に達してもU+FFFDは残らない',
  'The concatenated logprobs of all chunks match the bytes of the content':
    '各チャンクのlogprobsを連結すると、contentのバイト列に一致する',
  'When a client disconnects from a stream, its slot is freed within one step and only what was sent is billed':
    'クライアントがストリームから離れると、1ステップ以内にスロットが空き、課金は送信された分だけになる',
  'The same applies to requests without streaming': 'ストリームでないリクエストでも同じ',
  'An error before the first byte is returned as JSON with its actual status':
    '最初のバイトより前のエラーは、本来のステータスを持つJSON',
  'An error in the middle of a stream is sent as one error event, which the official client raises':
    'ストリーム途中のエラーは1つのエラーイベントで、公式クライアントは例外を発生させる',
  'Every token is flushed immediately; no headers that cause buffering':
    'トークンごとに即座に送信し、バッファリングを促すヘッダーはない',
  'A slow client is buffered in bounded memory and does not delay others':
    '読み取りの遅いクライアントは限られたメモリで待ち、ほかのクライアントは待たせない',
  'Pings are never sent inside an event': 'pingがイベントの途中に入ることはない',
  'include_obfuscation false: no obfuscation': 'include_obfuscationがfalseならobfuscationはない',
  'An empty response: role, finish_reason, [DONE]; content is "" without streaming':
    '空の回答はrole、finish_reason、[DONE]のみ。ストリームでなければcontentは""',

  Response: 'レスポンス',
  'refusal and logprobs are present as null; tool_calls is never empty; content is null with tool calls':
    'refusalとlogprobsはnullとして存在し、空のtool_callsはなく、呼び出しがあればcontentはnull',
  'finish_reason: stop, length or tool_calls; stop if tool_choice names a function':
    'finish_reasonはstop、length、tool_calls。関数を名前で指定した場合はstop',
  'length: completion_tokens equals the limit exactly': 'lengthのとき、completion_tokensは上限とちょうど同じ',
  'total_tokens is the sum; details are present; cached_tokens does not exceed prompt_tokens':
    'total_tokensは合計に等しく、内訳があり、cached_tokensはprompt_tokensを超えない',
  'IDs have the expected prefixes and are unique': 'IDは所定の接頭辞を持ち、重複しない',
  'created is the current time in whole seconds': 'createdは現在時刻で、秒単位の整数',
  'top_logprobs: 0 returns [], 20 is accepted, 21 is rejected': 'top_logprobsは0なら[]、20は受け付け、21は拒否',
  'Every token has bytes, including partial characters; concatenated, they match the content':
    '文字の途中のトークンにもbytesがあり、連結するとcontentになる',
  'Log probabilities are at most 0; the list includes the sampled token; -9999 outside it':
    '対数確率は0以下。選ばれたトークンは一覧に含まれ、範囲外は-9999',
  'The same seed returns the same text and system_fingerprint': '同じシードなら同じテキストと同じsystem_fingerprint',
  'json_schema: the output conforms to the schema, with and without streaming':
    'json_schema：出力はストリームの有無によらずスキーマに適合',
  'json_object: the output is valid JSON; without the word JSON an instruction is added (rejected with x-helix-strict)':
    'json_object：出力は有効なJSON。「JSON」という語がなければ指示を追加する（x-helix-strictでは拒否する）',
  'strict is enforced as written; outside the official subset it is rejected with x-helix-strict':
    'strictは書かれたとおりに適用する。公式の範囲外のスキーマは、x-helix-strictでは拒否する',
  'service_tier is always returned as default': 'service_tierはdefaultとして返る',
  'model in the response is the requested model': 'レスポンスのmodelは、リクエストで指定したモデル',
  'The model list and model objects have the official shape; an unknown model returns 404':
    'モデル一覧と各モデルは公式と同じ形で、未知のモデルは404',

  Validation: '検証',
  'messages is empty, missing or of the wrong type': 'messagesが空、欠落、または型違い',
  'A body that is not an object returns 400': '本文がオブジェクトでなければ400',
  'role is missing, a number or unknown': 'roleが欠落、数値、または未知',
  'Content parts for every role; unknown part types and empty part lists':
    'すべてのroleでのパート形式のcontent、未知のパート、空のパート配列',
  'Content of the wrong type; null content without tool calls': 'contentの型違い、呼び出しがないときのnull',
  'developer is treated as system; roles can appear in any order': 'developerはsystemと同じ扱いで、roleの順序は自由',
  'Unknown fields at any level are ignored and reported, misspellings are named; in strict mode all are rejected by name':
    '未知の項目は、どの階層でも無視して報告し、入力ミスは項目名を示して拒否。厳格モードではすべて項目名を示して拒否',
  'max_tokens and max_completion_tokens are honoured; setting both, or a value below 1, is rejected':
    'max_tokensもmax_completion_tokensも有効。同時指定と1未満の値は拒否',
  'Number ranges and types; null where allowed': '数値の範囲と型、許されている箇所でのnull',
  'stop: empty strings, five or no sequences and non-strings are rejected; four and Unicode are accepted':
    'stop：空文字列、5件、0件、文字列以外は拒否。4件までとUnicodeは受け付け',
  'stream_options without stream; stream that is not a boolean': 'streamなしのstream_options、真偽値でないstream',
  'tools: empty, 129 tools, invalid or duplicate names; tool_choice without tools or with the deprecated form':
    'tools：0件、129件、不正な名前、重複。toolsのないtool_choice、旧形式との併用',
  'Tool messages without tool calls, and tool calls without tool messages':
    '呼び出しのないtoolメッセージと、toolメッセージのない呼び出し',
  'logit_bias: keys and values out of range': 'logit_bias：範囲外のキーと値',
  'metadata: too many entries, too long, not strings': 'metadata：件数超過、長さ超過、文字列以外',
  'An unknown model returns 404, a missing model 400': '未知のモデルは404、モデルの指定がなければ400',
  'A prompt that exceeds the context is rejected before generation starts':
    'コンテキスト長を超える入力は、生成を始める前に拒否',
  'top_logprobs without logprobs': 'logprobsなしのtop_logprobs',
  'Image parts are rejected, and nothing is fetched': '画像パートは拒否し、何も取得しに行かない',

  'JSON and bytes': 'JSONとバイト列',
  'Invalid JSON returns 400': '不正なJSONは400',
  'Duplicate keys: the last one is used; __proto__ and constructor are harmless':
    'キーの重複は最後が有効。__proto__ とconstructorは無害',
  'Deep nesting is rejected quickly': '深すぎる入れ子は即座に拒否',
  'NUL characters, lone surrogates, invalid UTF-8': 'NUL、片方だけのサロゲート、不正なUTF-8',
  'Numbers outside the range of JSON numbers': 'JSONの数値で表せる範囲を超える数',
  'A body over the limit returns 413, before it is read if Content-Length is sent':
    '上限を超える本文は413。長さが示されていれば読み込む前に拒否',
  'A very long message does not delay other requests': '非常に長いメッセージでもほかのリクエストを待たせない',

  'Missing, incorrect and masked keys; the authentication scheme is case-insensitive':
    'キーの欠落、誤り、伏せ字での表示。認証方式名の大文字と小文字は区別なし',
  '401 takes precedence over any error in the body': '401は本文に関するどのエラーよりも先',
  'Content types': 'Content-Typeの扱い',
  'Methods, unknown paths, trailing slashes': 'メソッド、未知のパス、末尾のスラッシュの扱い',
  'HEAD and CORS': 'HEADとCORS',
  'Encodings: streams are never compressed': 'エンコーディング：ストリームは決して圧縮しない',
  'Keep-alive and pipelining': 'キープアライブとパイプライン',
  'Expect header': 'Expectヘッダー',
  'Chunked bodies; ambiguous requests (request smuggling)':
    'チャンク形式の本文と、解釈が分かれうるリクエスト（リクエストスマグリング）',
  'Slow clients time out without affecting others': '遅いクライアントは時間切れになり、ほかに影響しない',
  'Headers on every response': 'すべてのレスポンスに付くヘッダー',
  'Rate limits and retries': 'レート制限と再試行',
  'Immediate response while the queue is full or the model is loading':
    '待ち行列が満杯のときやモデルの読み込み中も即座に返答',
  'SIGTERM: streams finish or end with an error event': 'SIGTERM：ストリームは完了するか、エラーイベントで終わる',
  'Stored completions': '保存された回答',
  'Fifty concurrent streams never mix': '50本の同時ストリームでも混ざらない',
} as const
