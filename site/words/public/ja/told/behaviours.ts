/** The behaviours that clients rely on, by their English text. */
export const toldInBehaviours = {
  Streaming: 'ストリーミング',
  'The first delta of each choice has the role, no later one has':
    '各choiceの最初のdeltaだけがroleを持ち、以降のdeltaは持たない',
  'The first content is "" for text and null for a call': '最初のcontentは、テキストなら""、呼び出しならnull',
  'finish_reason is null until one last chunk per choice, whose delta is {}':
    'finish_reasonは各choiceの最後のチャンクまでnullで、そのチャンクのdeltaは {}',
  'id, created, model and object are the same in every chunk': 'id、created、model、objectは全チャンクで同じ',
  'include_usage: usage is null everywhere, then one chunk without choices has it':
    'include_usage：usageは途中すべてnullで、最後にchoiceのない1つのチャンクが値を持つ',
  'Without include_usage there is no usage key and no chunk without choices':
    'include_usageなしでは、usageキーも、choiceのないチャンクもない',
  'Usage is the same streamed and not streamed': 'usageはストリームの有無によらず同じ',
  'The joined content is the same streamed and not streamed': '連結したcontentはストリームの有無によらず同じ',
  '`data: [DONE]` comes exactly, once and last, also after a length stop':
    '`data: [DONE]`は正確にこの形で最後に一度だけ届き、長さの上限で止まったときも同じ',
  'n = 3: chunks carry their index, each choice has role and finish, usage counts the prompt once':
    'n = 3：チャンクはindexを持ち、各choiceにroleとfinish_reasonがあり、usageは入力を一度だけ数える',
  'Deltas of calls have an index; id, type and the whole name come once':
    '呼び出しのdeltaはindexを持ち、id、type、完全なnameは一度だけ届く',
  'Argument fragments are text, and joined they are JSON': '引数の断片は文字列で、連結するとJSONになる',
  'Two calls have two indexes and two ids; parallel_tool_calls false gives one':
    '2つの呼び出しは別々のindexとidを持ち、parallel_tool_callsがfalseなら呼び出しは1つ',
  'A stop text over two tokens never leaks; a false start is released':
    '2つのトークンにまたがる停止文字列は漏れず、途中まで一致しただけの文字列は送り出される',
  'No character is split: every chunk is valid UTF-8 with no U+FFFD':
    '文字は分割されない。どのチャンクも正しいUTF-8で、U+FFFDを含まない',
  'A limit in the middle of a character leaves no U+FFFD': '文字の途中で上限に達してもU+FFFDは残らない',
  'Logprobs of the chunks, joined, have the bytes of the content':
    '各チャンクのlogprobsを連結すると、contentのバイト列に一致する',
  'A client that leaves a stream frees its slot within a step, and pays for what it was sent':
    'クライアントがストリームから離れると、1ステップ以内に枠が空き、課金は送信された分だけになる',
  'The same for a request that does not stream': 'ストリームでないリクエストでも同じ',
  'An error before the first byte is JSON with its real status':
    '最初のバイトより前のエラーは、本来のステータスを持つJSON',
  'An error in mid-stream is one error event, and the official client raises it':
    'ストリーム途中のエラーは1つのエラーイベントで、公式クライアントは例外を発生させる',
  'Every token is flushed; no buffering headers': 'トークンごとに即座に送信し、バッファリングを促すヘッダーはない',
  'A slow reader is waited for with bounded memory, and others are not':
    '読み取りの遅いクライアントは限られたメモリで待ち、ほかのクライアントは待たせない',
  'Pings never stand inside an event': 'pingがイベントの途中に入ることはない',
  'include_obfuscation false: no obfuscation': 'include_obfuscationがfalseならobfuscationはない',
  'An answer that ends at once: role, finish, DONE; content "" when not streamed':
    'すぐに終わる回答はrole、finish_reason、[DONE]のみ。ストリームでなければcontentは""',

  Response: 'レスポンス',
  'refusal and logprobs are there as null; no empty tool_calls; content null beside calls':
    'refusalとlogprobsはnullとして存在し、空のtool_callsはなく、呼び出しがあればcontentはnull',
  'finish_reason: stop, length, tool_calls; stop where the function was named':
    'finish_reasonはstop、length、tool_calls。関数を名前で指定した場合はstop',
  'length: completion_tokens is exactly the limit': 'lengthのとき、completion_tokensは上限とちょうど同じ',
  'total is the sum; details are there; cached is not above prompt':
    'total_tokensは合計に等しく、内訳があり、cached_tokensはprompt_tokensを超えない',
  'Ids have their prefixes and are unique': 'IDは所定の接頭辞を持ち、重複しない',
  'created is now, in whole seconds': 'createdは現在時刻で、秒単位の整数',
  'top_logprobs 0 gives [], 20 is fine, 21 is refused': 'top_logprobsは0なら[]、20は受け付け、21は拒否',
  'bytes of each token, also of half a character; joined they are the content':
    '文字の途中のトークンにもbytesがあり、連結するとcontentになる',
  'Logprobs are at most 0; the sampled token is in the list; -9999 beyond it':
    '対数確率は0以下。選ばれたトークンは一覧に含まれ、範囲外は-9999',
  'The same seed gives the same text and fingerprint': '同じシードなら同じテキストと同じsystem_fingerprint',
  'json_schema: the output validates, streamed or not': 'json_schema：出力はストリームの有無によらずスキーマに適合',
  'json_object: the output parses; without the word JSON it is refused':
    'json_object：出力はJSONとして解析でき、メッセージに「JSON」の語がなければ拒否',
  'strict without additionalProperties: false, or with a property that is not required, is refused':
    'strictでadditionalProperties: falseがない、または必須でないプロパティがある場合は拒否',
  'service_tier is answered as default': 'service_tierはdefaultとして返る',
  'model in the answer is the model that was asked for': 'レスポンスのmodelは、リクエストで指定したモデル',
  'The model list and a model have the exact shape; an unknown one is 404':
    'モデル一覧と各モデルは公式と同じ形で、未知のモデルは404',

  Validation: '検証',
  'messages empty, missing or of another type': 'messagesが空、欠落、または型違い',
  'A body that is no object is 400': '本文がオブジェクトでなければ400',
  'role missing, a number or unknown': 'roleが欠落、数値、または未知',
  'Content as parts for every role; unknown parts, no parts':
    'すべてのroleでのパート形式のcontent、未知のパート、空のパート配列',
  'Content of a wrong type; null without calls': 'contentの型違い、呼び出しがないときのnull',
  'developer is system; any order of roles': 'developerはsystemと同じ扱いで、roleの順序は自由',
  'Unknown fields are refused by name': '未知の項目は項目名を示して拒否',
  'Both limits are honoured; both at once, 0 and below are refused': 'どちらの上限指定も有効。同時指定と0以下は拒否',
  'Ranges and types of numbers; null where it is allowed': '数値の範囲と型、許されている箇所でのnull',
  'stop: empty, five, none, no text; four and Unicode are fine':
    'stop：空文字列、5件、0件、文字列以外は拒否。4件までとUnicodeは受け付け',
  'stream_options without stream; stream that is no boolean': 'streamなしのstream_options、真偽値でないstream',
  'tools: none, 129, bad names, doubles; a choice without or beside them':
    'tools：0件、129件、不正な名前、重複。toolsのないtool_choice、旧形式との併用',
  'Tool messages without calls, and calls without tool messages':
    '呼び出しのないtoolメッセージと、toolメッセージのない呼び出し',
  'logit_bias: keys and values out of range': 'logit_bias：範囲外のキーと値',
  'metadata: too many, too long, no text': 'metadata：件数超過、長さ超過、文字列以外',
  'An unknown model is 404, a missing one 400': '未知のモデルは404、モデルの指定がなければ400',
  'A prompt beyond the context is refused before anything is generated':
    'コンテキスト長を超える入力は、生成を始める前に拒否',
  'top_logprobs without logprobs': 'logprobsなしのtop_logprobs',
  'Image parts are refused and nothing is fetched': '画像パートは拒否し、何も取得しに行かない',

  'JSON and bytes': 'JSONとバイト列',
  'What is no JSON is 400': 'JSONでないものは400',
  'Double keys: the last counts; __proto__ and constructor are harmless':
    'キーの重複は最後が有効。__proto__ とconstructorは無害',
  'Deep nesting is refused quickly': '深すぎる入れ子は即座に拒否',
  'NUL, half a surrogate pair, invalid UTF-8': 'NUL、片方だけのサロゲート、不正なUTF-8',
  'Numbers beyond what JSON numbers can hold': 'JSONの数値で表せる範囲を超える数',
  'A body over the limit is 413, before it is read where its length is told':
    '上限を超える本文は413。長さが示されていれば読み込む前に拒否',
  'A very long message does not hold up other requests': '非常に長いメッセージでもほかのリクエストを待たせない',

  'Missing, wrong and masked keys; the scheme in any case':
    'キーの欠落、誤り、伏せ字での表示。認証方式名の大文字と小文字は区別なし',
  '401 comes before anything about the body': '401は本文に関するどのエラーよりも先',
  'Content types': 'Content-Typeの扱い',
  'Methods, unknown paths, slashes': 'メソッド、未知のパス、スラッシュの扱い',
  'HEAD and CORS': 'HEADとCORS',
  'Encodings: streams are never compressed': 'エンコーディング：ストリームは決して圧縮しない',
  'Keep-alive and pipelining': 'キープアライブとパイプライン',
  Expect: 'Expectヘッダー',
  'Chunked bodies; requests that two readers could understand differently':
    'チャンク形式の本文と、読み手によって解釈が分かれうるリクエスト',
  'Slow clients time out and hurt nobody': '遅いクライアントは時間切れになり、ほかに影響しない',
  'Headers on every answer': 'すべてのレスポンスに付くヘッダー',
  'Rate limits and retries': 'レート制限と再試行',
  'A full queue and a loading model answer at once': '待ち行列が満杯のときやモデルの読み込み中も即座に返答',
  'SIGTERM: streams finish or end with an error event': 'SIGTERM：ストリームは完了するか、エラーイベントで終わる',
  'Stored completions': '保存された回答',
  'Fifty streams at once never mix': '50本の同時ストリームでも混ざらない',
} as const
