/** Descriptions of calls and fields in the API reference, by the English text of the server's table and schemas. */
export const apiTranslations = {
  'Creates a chat completion for a conversation, returned as JSON or as a stream.':
    '会話に対する回答を生成し、JSONまたはストリームで返します。',
  "Creates a message for a conversation, with the requests, answers and errors of Anthropic's API.":
    '会話に対する回答を生成します。リクエスト、回答、エラーの形式はAnthropicのAPIと同じです。',
  'Counts the tokens of the prompt that a message would be created from. Nothing is generated or billed.':
    'メッセージの生成に使われる入力のトークン数を数えます。生成も課金も行われません。',
  'A JSON Schema for the input.': '入力のJSONスキーマです。',
  'Continues a text without a chat template, returned as JSON or as a stream. For new applications use chat completions.':
    'チャットテンプレートを使わずにテキストの続きを生成し、JSONまたはストリームで返します。新しいアプリケーションにはチャット補完を使ってください。',
  'Not available: every request is refused with the reason.':
    '利用できません。すべてのリクエストが、理由とともに拒否されます。',
  'A text or a list of token IDs, which the model continues without a chat template, or a list of several. The choices of the first come first.':
    'テキスト、トークンIDのリスト、またはそれらを複数含むリストです。モデルはチャットテンプレートを使わずに続きを生成します。選択肢は、最初の入力のものから順に並びます。',
  'Maximum number of tokens to generate. Defaults to 16. 0 is allowed with echo or prompt_logprobs.':
    '生成するトークン数の上限です。既定値は16です。echoまたはprompt_logprobsを指定すると0も使えます。',
  'Returns the prompt in front of the completion; with logprobs, also the log probabilities of its tokens.':
    '入力を回答の前に付けて返します。logprobsを指定すると、入力の各トークンの対数確率も返します。',
  'Returns log probabilities of the prompt, with this number of most likely tokens.':
    '入力の対数確率を返します。各位置で、確率の高いトークンをこの数だけ含みます。',
  'Uses only this number of the last tokens of each prompt.': '各入力の末尾から、この数のトークンだけを使います。',
  'Not supported.': '対応していません。',
  'Creates a response to text or items, returned as JSON or as a stream.':
    'テキストまたはアイテムに対するレスポンスを生成し、JSONまたはストリームで返します。',
  'Paths of the endpoints that accept the model.': 'このモデルを利用できるエンドポイントのパスです。',
  'Counts the tokens of the prompt that a response would be created from. Nothing is generated or billed.':
    'レスポンスの生成に使われる入力のトークン数を数えます。生成も課金も行われません。',
  'auto leaves out the oldest items of a conversation that does not fit the context. Otherwise it is refused.':
    'autoの場合、会話がコンテキストに収まらないときは、古いアイテムから順に除かれます。それ以外の場合は拒否されます。',
  'A system message at the beginning of the prompt.': '入力の先頭に置くシステムメッセージです。',
  'Continues the conversation of a stored response.': '保存されたレスポンスの会話を続けます。',
  'Not supported: conversations are not available; use previous_response_id.':
    '拒否されます。会話（conversation）には対応していません。`previous_response_id`を使ってください。',
  'Deprecated: use summary.': '非推奨です。`summary`を使ってください。',
  'Maximum number of tokens to generate, including reasoning.': '推論を含めて生成する最大トークン数です。',
  'Limits built-in tools, which only upstreams with the Responses API run.':
    '組み込みツールの呼び出し回数を制限します。組み込みツールは、Responses APIを持つ上流でだけ実行されます。',
  'An ID of your own for the person who asks. Only upstreams with the Responses API are sent a hash of it.':
    '利用者を表す任意のIDです。Responses APIを持つ上流にだけ、ハッシュが送られます。',
  'An ID of your own for the person who asks. Only upstreams with the Responses API are sent a hash of it. Stored responses contain it.':
    '利用者を表す任意のIDです。Responses APIを持つ上流にだけ、ハッシュが送られます。保存されたレスポンスにはそのまま含まれます。',
  'Groups requests whose prompts begin alike. Only upstreams with the Responses API are sent a hash of it.':
    '先頭が共通する入力のリクエストをまとめます。Responses APIを持つ上流にだけ、ハッシュが送られます。',
  'How long the prompt stays cached. Only upstreams with the Responses API are sent it.':
    '入力をキャッシュに残す期間です。Responses APIを持つ上流にだけ送られます。',
  'Stores the response, which is the default, so that it can be retrieved by its ID.':
    'レスポンスを保存し、IDで取得できるようにします。既定で有効です。',
  'Not supported: responses are generated while the client waits.':
    '拒否されます。レスポンスは、クライアントが待つ間に生成されます。',
  'Not supported: prompt templates are not available.': '拒否されます。プロンプトテンプレートは利用できません。',
  'Not supported: truncation is the only way to shorten a conversation.':
    '拒否されます。会話を短くする方法は切り詰めだけです。',
  'Not supported: access programs are not available.': '拒否されます。アクセスプログラムは利用できません。',
  'Not supported: images are not compressed.': '拒否されます。画像の圧縮には対応していません。',
  'Retrieves a stored response, as JSON or as the stream of its events.':
    '保存されたレスポンスを、JSONまたはイベントのストリームで取得します。',
  'Deletes a stored response.': '保存されたレスポンスを削除します。',
  'Always an error: only responses in the background could be cancelled, and there are none.':
    '常にエラーを返します。取り消せるのはバックグラウンドのレスポンスだけですが、それには対応していません。',
  'Lists the input items of a stored response, without those of the responses before it.':
    '保存されたレスポンスの入力アイテムの一覧を取得します。それより前のレスポンスのものは含みません。',
  'Lists stored chat completions.': '保存された回答の一覧を取得します。',
  'Retrieves a stored chat completion.': '保存された回答を取得します。',
  'Replaces the metadata of a stored chat completion.': '保存された回答のメタデータを置き換えます。',
  'Deletes a stored chat completion.': '保存された回答を削除します。',
  'Lists the input messages of a stored chat completion.': '保存された回答の、入力メッセージの一覧を取得します。',
  'Creates embeddings: a vector for each input text. Requires an embedding model.':
    '入力テキストごとに、埋め込みベクトルを作成します。埋め込みモデルが必要です。',
  'Sorts documents by their relevance to a query. Requires a reranking model.':
    'クエリとの関連度の順に文書を並べ替えます。リランキングモデルが必要です。',
  'Scores pairs of texts by their relevance to each other. Requires a reranking model.':
    'テキストの組ごとに、互いの関連度のスコアを求めます。リランキングモデルが必要です。',
  'The text to compare documents with.': '文書と比較するテキストです。',
  'The documents, each as a string or as an object with a `text`.':
    '文書です。それぞれ文字列、または`text`を持つオブジェクトで指定します。',
  'Number of results to return, the most relevant first. 0 or null: all.':
    '返す結果の数です。関連度の高い順に返します。0またはnullの場合はすべて返します。',
  'Includes the texts of the documents in the results.': '結果に文書のテキストを含めます。',
  'Cuts off documents so that query and document together have at most this many tokens. -1: as many as the model accepts. By default, longer ones are refused.':
    'クエリと文書の合計がこのトークン数以下になるように、文書の末尾を切り捨てます。-1の場合は、モデルが受け付けるトークン数までです。指定しない場合、長すぎる文書はエラーになります。',
  'Cuts off documents after this many tokens.': '文書をこのトークン数で切り捨てます。',
  'Converts scores to numbers between 0 and 1 with the sigmoid function. By default, scores are those of the model.':
    'シグモイド関数でスコアを0から1の値に変換します。指定しない場合は、モデルのスコアをそのまま返します。',
  'One query for all documents, or one query for each.': 'すべての文書に共通のクエリ、または文書ごとのクエリです。',
  'One document or several.': '1つ以上の文書です。',
  'Another name of `text_1`, together with `documents`.': '`text_1`の別名です。`documents`とともに使います。',
  'Another name of `text_2`, together with `queries`.': '`text_2`の別名です。`queries`とともに使います。',
  'The most relevant first.': '関連度の高い順です。',
  'Position of the document in the request.': 'リクエスト内での文書の位置です。',
  'One or more texts, each as a string or as token IDs.':
    '1つ以上のテキストです。それぞれ文字列またはトークンIDで指定します。',
  'With `base64`, each vector is a string of encoded little-endian 32-bit floats.':
    '`base64`では、各ベクトルを、リトルエンディアンの32ビット浮動小数点数をエンコードした文字列で返します。',
  'Number of dimensions. Vectors with more are cut off after these and normalised again.':
    'ベクトルの次元数です。これより次元の多いベクトルは、この次元数に切り詰めたうえで、もう一度正規化します。',
  'Puts the prefix in front of each text that the model was trained with. Default: that of queries. No effect on models without prefixes, on token IDs and on texts that begin with a prefix.':
    'モデルの学習に使われた接頭辞を、各テキストの前に付けます。既定ではクエリの接頭辞です。接頭辞のないモデル、トークンID、すでに接頭辞で始まるテキストには効果がありません。',
  'Cuts off each input after this many tokens. -1: after as many as the model accepts. By default, longer ones are refused.':
    '各入力をこのトークン数で切ります。-1は、モデルの上限まで使います。既定では、これより長い入力は拒否されます。',
  'With `true` the same as `truncate_prompt_tokens: -1`.': '`true`は`truncate_prompt_tokens: -1`と同じです。',
  'Returns the tokens of a text, or of the prompt that a chat completion would be created from.':
    'テキストのトークン、またはチャット補完で使われる入力のトークンを返します。',
  'A text. Either this or messages is required.': 'テキストです。これとmessagesのどちらか一方を指定します。',
  'Adds the token that begins every prompt, if the model has one. Defaults to true. No effect with messages.':
    'モデルに先頭トークン（BOS）がある場合に追加します。既定値はtrueです。messagesでは効果がありません。',
  'Returns each token as the vocabulary of the model spells it.': '各トークンを、モデルの語彙での表記で返します。',
  'How many tokens a prompt and its answer can have together.': '入力と回答を合わせた最大トークン数です。',
  'Returns the text of tokens.': 'トークンをテキストに変換して返します。',
  'Returns the chat template of a model and the tokens that frame its prompts.':
    'モデルのチャットテンプレートと、入力の前後に付くトークンを返します。',
  'Token IDs in the vocabulary of the model.': 'モデルの語彙にあるトークンIDです。',
  'Lists the available models.': '利用できるモデルの一覧を取得します。',
  'Retrieves a model.': 'モデルの情報を取得します。',
  'Retrieves the API key used for the request, with its permissions and current limit usage.':
    'リクエストに使ったAPIキーの権限と、上限の使用状況を取得します。',
  'Lists the API keys of the organisation. All key and usage operations below require a management key.':
    '組織のAPIキーの一覧を取得します。以下のキーと使用量の操作には、すべて管理用キーが必要です。',
  'Creates an API key. Management keys cannot be created this way.':
    'APIキーを作成します。管理用キーは作成できません。',
  'Retrieves an API key.': 'APIキーの情報を取得します。',
  'Updates the name, expiry, models, networks or limits of an API key.':
    'APIキーの名前、有効期限、モデル、ネットワーク、上限を変更します。',
  'Revokes an API key immediately and permanently.': 'APIキーをただちに失効させます。元に戻すことはできません。',
  'Rotates an API key: issues a new secret. The old secret keeps working during the grace period.':
    'APIキーをローテーションし、新しいシークレットを発行します。これまでのシークレットは猶予期間中も使えます。',
  'Retrieves the usage of the organisation, grouped by day, key or model.':
    '組織の使用量を、日、キー、モデルのいずれかで集計して取得します。',
  'Returns this OpenAPI document.': 'このOpenAPI文書を返します。',

  'Unix time in seconds.': 'Unix時間（秒）です。',
  'Unix time in seconds; null means it never expires.': 'Unix時間（秒）です。nullでは期限がありません。',
  'First characters of the secret.': 'シークレットの先頭部分です。',
  'Last four characters of the secret.': 'シークレットの末尾4文字です。',
  'Models the key can use; null means all.': '使えるモデルです。nullではすべて使えます。',
  'Networks the key can be used from; null means any.': '使用を許可するネットワークです。nullでは制限がありません。',
  'IP addresses and CIDR ranges the key can be used from; null means any.':
    '使用を許可するIPアドレスとCIDR範囲です。nullでは制限がありません。',
  'Omitted limits are unchanged; null removes a limit.': '省略した項目は変わりません。nullでは上限がなくなります。',
  'Scopes of the key. Defaults to chat, models, completions.read and completions.write.':
    'キーの権限（スコープ）です。既定値はchat、models、completions.read、completions.writeです。',
  'Scopes of the key. `manage` and `metrics` can be neither added nor removed.':
    'キーの権限（スコープ）です。`manage`と`metrics`は追加も削除もできません。',
  'How long the old secret keeps working. Defaults to one day; 0 stops it immediately.':
    'これまでのシークレットを引き続き使える時間です。既定値は1日で、0ではすぐに使えなくなります。',
  'Accurate to within one minute.': '誤差は1分以内です。',
  'Until this time, the secret from before the last rotation also works.':
    'この時刻までは、前回のローテーション前のシークレットも使えます。',
  'The secret. It is returned only in this response.': 'シークレットです。このレスポンスでのみ返されます。',
  'Scope of the limit.': '上限の適用範囲です。',
  'Includes the amount reserved for running requests.': '実行中のリクエストに予約した分を含みます。',
  'When the limit fully resets if no more requests are sent; null means when running requests finish.':
    '新たなリクエストがない場合に、上限の全量が回復する時刻です。nullでは、実行中のリクエストの終了時に回復します。',
  'All limits that apply to this key, narrowest scope first.': 'このキーに適用される上限です。範囲の狭い順に並びます。',
  'First day, for example 2026-11-01. Defaults to the first day of the current month.':
    '最初の日です（例：2026-11-01）。既定値は今月の1日です。',
  'Last day. Defaults to today. The period can cover at most 366 days.':
    '最後の日です。既定値は今日です。期間は最長366日です。',
  'Time zone in which days start.': '日の区切りに使うタイムゾーンです。',
  'Null for requests from the playground.': 'プレイグラウンドからのリクエストではnullです。',
  'Requests that the client disconnected before they finished.': '完了前にクライアントが切断したリクエストの数です。',
  'Prompt tokens that were served from the cache.': '入力のうち、キャッシュから再利用したトークン数です。',
  'Requests whose counts are estimates, at least in part, because an upstream did not report them.':
    '上流から報告がなく、トークン数に推定値を含むリクエストの数です。',
  'Cost in millionths of `currency`; 0 for models without a price.':
    '費用です（`currency`の100万分の1単位）。料金が設定されていないモデルでは0です。',
  'ISO 4217 code of the currency of all costs.': '費用の通貨コード（ISO 4217）です。',
  'In millionths of the currency of `GET /v1/usage`.': '`GET /v1/usage`の通貨の100万分の1単位です。',
  'Values of those that end in `_micros` are in millionths of the currency.':
    '名前が`_micros`で終わる上限の値は、通貨の100万分の1単位です。',
  'Completion tokens used for reasoning.': '回答のうち、推論に使われたトークン数です。',

  'Deprecated: use max_completion_tokens.': '非推奨です。代わりにmax_completion_tokensを使ってください。',
  'Maximum number of tokens to generate.': '生成する最大トークン数です。',
  'Maximum number of tokens to generate. Without it, the answer may be as long as the model and its context allow.':
    '生成する最大トークン数です。指定しない場合は、モデルとコンテキストの上限までです。',
  'Number of completions to generate. Defaults to 1.': '生成する回答の数です。既定値は1です。',
  'Requests with the same seed return the same completion, on a best-effort basis. Without it, the seed is random.':
    '同じシードのリクエストには、可能な限り同じ回答を返します。指定しない場合はランダムです。',
  'Sampling temperature. 0 always selects the most likely token; higher values give more varied output. Without it the default of the model applies.':
    'サンプリングの温度です。0では常に最も確率の高いトークンを選び、値が大きいほど出力が多様になります。指定しない場合は、モデルの既定値を使います。',
  'Samples only from the most likely tokens whose combined probability reaches this value. Without it the default of the model applies.':
    '確率の高い順に、合計がこの値に達するまでのトークンだけを候補にします。指定しない場合は、モデルの既定値を使います。',
  'Penalises tokens by how often they have already appeared. Defaults to 0.':
    'すでに出現したトークンを、出現回数に応じて選ばれにくくします。既定値は0です。',
  'Penalises tokens that have already appeared. Defaults to 0.':
    '一度でも出現したトークンを選ばれにくくします。既定値は0です。',
  'Maps token IDs to a value added to their logits.': 'トークンIDと、そのロジットに加える数値の組です。',
  'Returns the log probability of each token. Defaults to false.':
    '各トークンの対数確率を返します。既定値はfalseです。',
  'Number of most likely tokens to return at each position.': '各位置で返す、確率の高いトークンの数です。',
  'Number of most likely tokens to return at each position. Only with `logprobs`. Defaults to 0.':
    '各位置で返す、確率の高いトークンの数です。`logprobs`を指定した場合だけ使えます。既定値は0です。',
  'Streams the response as server-sent events.': 'レスポンスをサーバー送信イベントとして送ります。',
  'Streams the response as server-sent events. Defaults to false.':
    'レスポンスをサーバー送信イベントとして送ります。既定値はfalseです。',
  'Stores the completion so that it can be retrieved by its ID. Defaults to false.':
    '回答を保存し、あとからIDで取得できるようにします。既定値はfalseです。',
  'A JSON Schema for the arguments.': '引数のJSONスキーマです。',
  'A JSON Schema.': 'JSONスキーマです。',
  'A JSON Schema, as an object or a string.': 'JSONスキーマです。オブジェクトまたは文字列で指定します。',
  'Ignored. Extra information that a client or another provider added to a message.':
    '無視されます。クライアントやほかのプロバイダーがメッセージに付け加えた情報です。',
  'Not supported: the model does not generate audio.': '拒否されます。モデルは音声を出力しません。',
  'Not supported: moderation is not available.': '拒否されます。モデレーションは利用できません。',
  'Not supported: web search is not available.': '拒否されます。Web検索は利用できません。',

  'Type of the model. Like the fields below, not part of the official API.':
    'モデルの種類です。以下の項目と同じく、公式のAPIにはありません。',
  'Other names that requests can use for the model.': 'リクエストで指定できる、モデルの別名です。',
  'Maximum tokens of prompt and completion combined. Null if unknown, for example with an upstream.':
    '入力と回答を合わせたトークン数の上限です。上流のモデルなど、不明な場合はnullです。',
  'Units of the currency for a million prompt, cached and completion tokens. Null: the model has no price.':
    '入力、キャッシュされた入力、出力の各100万トークンの料金です（通貨単位）。料金が設定されていないモデルではnullです。',
  'Features that requests can use. Null until the model has been loaded for the first time.':
    'リクエストで使える機能です。モデルが一度読み込まれるまではnullです。',

  'Samples only from this number of most likely tokens; 0 or -1 means all. Without it the default of the model applies.':
    '確率の高い順に、この数のトークンだけを候補にします。0または-1ではすべてが候補です。指定しない場合は、モデルの既定値を使います。',
  'Samples only from tokens with at least this fraction of the highest probability. Without it the default of the model applies.':
    '最も高い確率に対する比率がこの値以上のトークンだけを候補にします。指定しない場合は、モデルの既定値を使います。',
  'Values above 1 penalise tokens that appear in the prompt or the completion. Without it the default of the model applies.':
    '1より大きいと、入力や回答にすでに出現したトークンを選ばれにくくします。指定しない場合は、モデルの既定値を使います。',
  'Minimum number of tokens to generate before the completion can end. Defaults to 0.':
    'このトークン数に達するまで回答を終えません。既定値は0です。',
  'Ignores end-of-sequence tokens and generates up to the token limit. Defaults to false.':
    '終了トークンが出ても、上限まで生成を続けます。既定値はfalseです。',
  'Continues the last message instead of starting a new one.':
    '新しいメッセージを始めず、最後のメッセージの続きを生成します。',
  'Continues the last message instead of starting a new one. Defaults to false.':
    '新しいメッセージを始めず、最後のメッセージの続きを生成します。既定値はfalseです。',
  'Adds the generation prompt of the chat template. Defaults to true.':
    'チャットテンプレートの生成用プロンプトを追加します。既定値はtrueです。',
  'Returns the token IDs of the prompt and the completion.': '入力と回答のトークンIDを返します。',
  'Returns the token IDs of the prompt and the completion. Defaults to false.':
    '入力と回答のトークンIDを返します。既定値はfalseです。',
} as const
