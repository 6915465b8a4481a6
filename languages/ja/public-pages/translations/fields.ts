/** Descriptions of fields in the API reference, by the English text of `field-descriptions.ts`. */
export const fieldTranslations = {
  'Always 0: predicted outputs are not used.': '常に0です。予測出力は使われません。',
  'Always null.': '常にnullです。',
  'Whether the first token of every prompt is `bos_token`.': '入力の先頭に必ず`bos_token`を置くかどうかです。',
  'Only these tokens can be generated.': '生成できるトークンを、このIDのものだけに限ります。',
  'The tools that may be called, and whether one of them must be.':
    '呼び出してよいツールと、必ず呼び出すかどうかです。',
  'Sources that an upstream with the Responses API cites; otherwise empty.':
    'Responses APIを持つ上流が示した出典です。それ以外では空です。',
  'A source that the text cites.': 'テキストの出典です。',
  'The number of the annotation in its part, from 0.': 'その部分での注釈の番号です。0から始まります。',
  'Whether the message is a remark on the way or the final answer, if an upstream with the Responses API says so.':
    'メッセージが途中の発言か最終的な回答かを示します。Responses APIを持つ上流が示した場合に含まれます。',
  'Reasoning that only its provider can read. Send it back unchanged. Only upstreams that have the Responses API are sent it.':
    '提供元だけが読める推論です。変更せずに送り返してください。Responses APIを持つ上流にだけ送られます。',
  'The arguments of the call, as JSON text. The token limit may cut it off, and some models may write invalid JSON.':
    '呼び出しの引数を表すJSONのテキストです。トークン数の上限で途切れることや、モデルによっては正しいJSONにならないことがあります。',
  'Must be null: answers contain no audio.': 'nullだけを指定できます。回答に音声は含まれません。',
  'Always 0: tokens of audio are not counted separately.': '常に0です。音声のトークンは別に数えられません。',
  'Always false: responses are generated while the client waits.':
    '常にfalseです。レスポンスの生成中、クライアントは待機します。',
  'Accepted without effect. It cannot be more than `n`.':
    '受け付けますが、効果はありません。`n`以下の値だけを指定できます。',
  'The token that begins a prompt, or null.': '入力の先頭に置かれるトークンです。ない場合はnullです。',
  'How many tokens the model may spend on thinking; less than `max_tokens`. Only upstreams with the same API are sent it.':
    '思考に使えるトークン数です。`max_tokens`より小さい値を指定します。同じ形式のAPIを持つ上流にだけ送られます。',
  'The UTF-8 bytes of the token. A character may be spread over several tokens.':
    'トークンのUTF-8のバイト列です。1文字が複数のトークンに分かれることもあります。',
  'Always 0 in each field: prompts are cached by themselves.':
    'どの項目も常に0です。入力は自動的にキャッシュされます。',
  'Always 0: prompts are cached by themselves.': '常に0です。入力は自動的にキャッシュされます。',
  'Tokens of the prompt that were read from the cache.': 'キャッシュから読み込まれた入力のトークン数です。',
  'The price of a million prompt tokens that were read from the cache.':
    'キャッシュから読み込まれた入力100万トークンあたりの料金です。',
  'How many of the tokens were read from the cache.': 'このうち、キャッシュから読み込まれたトークン数です。',
  'The ID of the call, which its output repeats.': '呼び出しのIDです。結果を返すときに同じIDを指定します。',
  'Who called the tool: always the model.': 'ツールの呼び出し元です。常にモデルです。',
  'The template that turns a conversation into a prompt.': '会話を入力のテキストに変換するテンプレートです。',
  'Values for the chat template of the model.': 'モデルのチャットテンプレートに渡す値です。',
  'The answer is exactly one of these texts.': '回答は、ここに挙げたテキストのいずれかになります。',
  'The answers, as many as `n` asked for.': '回答のリストです。数は`n`で指定します。',
  'The answer that this chunk continues. The last chunk with usage has none.':
    'このチャンクで続きが届く回答です。使用量を含む最後のチャンクでは空です。',
  'Accepted without effect.': '受け付けますが、効果はありません。',
  'Only `standard` is supported.': '`standard`だけに対応しています。',
  'A name for the reason, for programs.': '理由を表す、プログラム向けの名前です。',
  'When the response was completed, in seconds since 1970. Null if it is in progress, incomplete or failed.':
    'レスポンスが完了した時刻（1970年からの秒数）です。処理中、途中で終了、または失敗の場合はnullです。',
  'The price of a million generated tokens.': '出力100万トークンあたりの料金です。',
  'Generated tokens.': '生成されたトークン数です。',
  'What the generated tokens consist of.': '生成されたトークンの内訳です。',
  'Not supported: always null.': '対応していません。常にnullです。',
  'The content: a text, or a list of parts.': '内容です。テキスト、またはパートのリストです。',
  'The log probabilities of the tokens of the answer.': '回答の各トークンの対数確率です。',
  'The part that begins here. Its content follows in deltas.': 'ここから始まるパートです。内容は続く差分で届きます。',
  'The place of the part in the content of its item.': 'アイテムの内容の中での、パートの位置です。',
  'The parts of the content, or null if it is a text.': '内容のパートです。テキストの場合はnullです。',
  'Sends the usage so far with every chunk. Only with `include_usage`.':
    'すべてのチャンクに、それまでの使用量を付けます。`include_usage`を指定した場合だけ有効です。',
  'How many tokens there are.': 'トークンの数です。',
  'When it was created, in seconds since 1970.': '作成時刻です（1970年からの秒数）。',
  'When it was created.': '作成時刻です。',
  'The currency of the prices.': '料金の通貨です。',
  'The entries of this page.': 'このページの項目です。',
  'The audio, encoded as base64. Stored items contain only its type and size.':
    'base64で符号化した音声です。保存されたアイテムには、種類とサイズだけが含まれます。',
  'The image, encoded as base64.': 'base64で符号化した画像です。',
  'Reasoning that only its provider can read. Send it back unchanged. Only upstreams with the same API are sent it.':
    '提供元だけが読める推論です。変更せずに送り返してください。同じ形式のAPIを持つ上流にだけ送られます。',
  'The day, in `time_zone`.': '日付です。`time_zone`のタイムゾーンで区切ります。',
  'The text of the token.': 'トークンのテキストです。',
  'The grammar.': '文法の定義です。',
  'Whether it was deleted.': '削除されたかどうかです。',
  'What is added to the answer.': '回答に追加される部分です。',
  'Always null: models are not announced as deprecated.': '常にnullです。モデルの非推奨化は通知されません。',
  'What it is for. The model reads it.': '用途の説明です。モデルが読みます。',
  'What the schema is for.': 'スキーマの用途の説明です。',
  'How closely the image is looked at.': '画像をどこまで細かく見るかです。',
  'More about the error, for programs.': 'エラーの詳細です。プログラムで使えます。',
  'Lets the model call at most one tool in an answer.': '1つの回答で呼び出せるツールを1つまでにします。',
  'The name of the model, the same as `id`.': 'モデルの名前です。`id`と同じです。',
  'The document, if `return_documents` asked for it.': '`return_documents`を指定した場合の、文書の内容です。',
  'How much the model thinks before it answers.': '回答の前にどれだけ考えるかです。',
  'The vector: a list of numbers, or their bytes as base64.':
    'ベクトルです。数値のリスト、またはバイト列をbase64で表したものです。',
  'The token that ends an answer, or null.': '回答の終わりを表すトークンです。ない場合はnullです。',
  'What went wrong, or null.': '問題の内容です。ない場合はnullです。',
  'Requests that ended with an error.': 'エラーで終わったリクエスト数です。',
  'Not supported: files are not stored.': '対応していません。ファイルは保存されません。',
  'Why the answer ended: `stop` at its own end, at a stop sequence or after a call that `tool_choice` names, `length` at a token limit, `tool_calls` or `function_call` to have tools called, `content_filter` if an upstream withheld it.':
    '回答が終わった理由です。`stop`は自然な終わり、停止シーケンス、または`tool_choice`で名前を指定した呼び出し、`length`はトークン数の上限、`tool_calls`と`function_call`はツールの呼び出し、`content_filter`は上流による遮断です。',
  'The ID of the first entry, or null on an empty page.': '最初の項目のIDです。空のページではnullです。',
  'The form of the answer: text, JSON, or JSON by a schema.':
    '回答の形式です。テキスト、JSON、またはスキーマに従うJSONです。',
  'The format of the audio.': '音声の形式です。',
  'The form that the input of the tool has: any text, or text by a grammar.':
    'ツールの入力の形式です。自由なテキスト、または文法に従うテキストです。',
  'Makes tokens less likely the more often they occurred.': '出現回数の多いトークンほど、選ばれにくくします。',
  'The first day of the period.': '期間の最初の日です。',
  'The function, with its name and its parameters or arguments.':
    '関数です。名前と、パラメーターまたは引数を含みます。',
  'Deprecated: use tools.': '非推奨です。ツールを使ってください。',
  'Deprecated: use `tools`.': '非推奨です。`tools`を使ってください。',
  'Not supported: use `regex` or a JSON schema.': '対応していません。`regex`またはJSONスキーマを使ってください。',
  'What the usage is grouped by.': '集計の単位です。',
  'Another name for `structured_outputs.choice`.': '`structured_outputs.choice`の別名です。',
  'Another name for `structured_outputs.regex`.': '`structured_outputs.regex`の別名です。',
  'Whether there are more entries after this page.': 'このページのあとにも項目があるかどうかです。',
  'The ID of this object.': 'このオブジェクトのIDです。',
  'The image: a data URL, or an address if the model accepts addresses. Of a data URL, stored items contain only the type and size.':
    '画像です。data URL、またはモデルが対応していれば画像のアドレスを指定します。data URLの場合、保存されたアイテムには種類とサイズだけが含まれます。',
  'Further parts that the answer contains. `message.output_text.logprobs` has an effect; the others only with upstreams that have the Responses API.':
    '回答に追加で含める項目です。`message.output_text.logprobs`に効果があります。ほかの項目は、Responses APIを持つ上流でだけ効果があります。',
  'Accepted without effect: everything is always included.':
    '受け付けますが、効果はありません。常にすべての項目が含まれます。',
  'Pads events to hide the length of tokens. Defaults to false. Without effect at `/v1/completions`.':
    'トークンの長さを隠すため、イベントに詰め物を加えます。既定値はfalseです。`/v1/completions`では効果がありません。',
  'Sends a last chunk with the usage of the whole request.': 'リクエスト全体の使用量を、最後のチャンクで送ります。',
  'Why the response is incomplete, or null.': 'レスポンスが途中で終わった理由です。それ以外はnullです。',
  'Its place in the list, from 0.': 'リストの中での位置です。0から始まります。',
  'The input of the tool.': 'ツールの入力です。',
  'The prompt: a text, or a list of items such as messages and outputs of tools.':
    '入力です。テキスト、またはメッセージやツールの結果などのアイテムのリストです。',
  'The audio and its format.': '音声とその形式です。',
  'Tokens of the prompt.': '入力のトークン数です。',
  'Tokens of the prompt. At `/v1/messages`, without those that were read from the cache.':
    '入力のトークン数です。`/v1/messages`では、キャッシュから読み込まれた分を含みません。',
  'What the tokens of the prompt consist of.': '入力のトークンの内訳です。',
  'The user that the request named, or null.': 'リクエストで指定されたユーザーです。ない場合はnullです。',
  'The system message of the request, or null.': 'リクエストのシステムメッセージです。ない場合はnullです。',
  'Whether the tool failed. Only upstreams with the same API are sent it.':
    'ツールが失敗したかどうかです。同じ形式のAPIを持つ上流にだけ送られます。',
  'The item that begins or ends here.': 'ここで始まる、または終わるアイテムです。',
  'The ID of the item that the event belongs to.': 'イベントが属するアイテムのIDです。',
  'The answer is a JSON object of any form.': '回答は任意の形のJSONオブジェクトになります。',
  'The schema that the answer follows.': '回答が従うスキーマです。',
  'The ID of the last entry, or null on an empty page.': '最後の項目のIDです。空のページではnullです。',
  'Always `active`: every listed model can be used.': '常に`active`です。一覧のモデルはすべて利用できます。',
  'The value of the limit.': '上限の値です。',
  'The limit that was reached; only in errors of limits and budgets.':
    '達した上限です。上限と利用枠のエラーにだけ含まれます。',
  'The limits of the key. Those of its organisation apply as well.': 'キーの上限です。組織の上限も適用されます。',
  'Adds a number to the score of tokens, by their IDs: −100 excludes a token, 100 makes it all but certain.':
    'トークンIDごとに、スコアに数値を加えます。−100で除外、100でほぼ確実に選ばれます。',
  'The natural logarithm of the probability. −9999 stands for an unlikely token.':
    '確率の自然対数です。−9999は、確率の低いトークンを表します。',
  'Returns the log probabilities of these tokens at every place, instead of the most likely ones. Only with `logprobs`.':
    '各位置で、確率の高いトークンの代わりに、ここに挙げたトークンの対数確率を返します。`logprobs`を指定した場合だけ使えます。',
  'The log probabilities of the tokens, if they were asked for.': '指定した場合の、各トークンの対数確率です。',
  'The context length in tokens, of prompt and answer together, or null if that is not known.':
    '入力と回答を合わせたコンテキスト長（トークン数）です。不明な場合はnullです。',
  'Maximum number of tokens to generate, as requested.': 'リクエストで指定された、生成するトークン数の上限です。',
  'The value of the request, or null.': 'リクエストで指定された値です。ない場合はnullです。',
  'Not supported: must be null.': '対応していません。nullだけを指定できます。',
  'The media type of the image, such as `image/png`.': '画像のメディアタイプです（`image/png`など）。',
  'Says what is wrong, in English.': '問題を説明する英語の文です。',
  'The message of the model.': 'モデルのメッセージです。',
  'The message as it begins. Its content follows in events.': '開始時のメッセージです。内容は続くイベントで届きます。',
  'The conversation so far, oldest first.': 'これまでの会話です。古い順に並べます。',
  'What the request used.': 'リクエストの使用量です。',
  'Up to 16 pairs of your own, stored with the answer.':
    '回答とともに保存される、任意の名前と値の組です。16組まで指定できます。',
  'Says who asks. Only upstreams with the same API are sent it.':
    '利用者を示す情報です。同じ形式のAPIを持つ上流にだけ送られます。',
  'Only entries with these pairs in their metadata.': 'メタデータにこれらの組を持つ項目だけを返します。',
  'What the answer consists of: only `text` is supported.': '回答の種類です。`text`だけに対応しています。',
  '`auto` lets the model decide whether to call one, `required` makes it call one.':
    '`auto`では呼び出すかどうかをモデルが決め、`required`では必ず呼び出します。',
  'The name of the model. In requests, also one of its other names.':
    'モデルの名前です。リクエストでは別名も使えます。',
  'The name of the model.': 'モデルの名前です。',
  'The context length of the model in tokens, or null if that is not known.':
    'モデルのコンテキスト長（トークン数）です。不明な場合はnullです。',
  'How many answers are generated for each prompt. Defaults to 1.':
    '1つの入力から生成する回答の数です。既定値は1です。',
  'Its name.': '名前です。',
  'The name of the function.': '関数の名前です。',
  'The name of the tool.': 'ツールの名前です。',
  'The name of the participant who wrote the message, or of the function that returned it.':
    'メッセージを書いた人、または結果を返した関数の名前です。',
  'The name of the schema.': 'スキーマの名前です。',
  'Padding that hides the length of the token.': 'トークンの長さを隠すための詰め物です。',
  'The kind of this object: always this value.': 'オブジェクトの種類です。常にこの値です。',
  'The ID of the organisation that the key belongs to.': 'キーが属する組織のIDです。',
  'What the tool returned: a text, or a list of parts.': 'ツールの結果です。テキスト、またはパートのリストです。',
  'The items that the model produced, such as reasoning, messages and calls of tools.':
    '推論、メッセージ、ツールの呼び出しなど、モデルが生成したアイテムです。',
  'The form of the answer.': '回答の形式です。',
  'The form of the answer. Use `output_config.format` in new applications.':
    '回答の形式です。新しいアプリケーションでは`output_config.format`を使ってください。',
  'The place of the item in the output.': '出力の中での、アイテムの位置です。',
  'Who provides the model.': 'モデルの提供元です。',
  'Lets the model call several tools in one answer. Defaults to true.':
    '1つの回答で複数のツールを呼び出せるようにします。既定値はtrueです。',
  'The part of the request that is wrong, or null.': 'リクエスト内の問題の場所です。ない場合はnullです。',
  'A JSON Schema for the arguments, or null.': '引数のJSONスキーマです。ない場合はnullです。',
  'The part that begins or ends here.': 'ここで始まる、または終わるパートです。',
  'The next piece of the JSON text of the input.': '入力を表すJSONのテキストの続きです。',
  'Accepted without effect: the engine predicts by itself.':
    '受け付けますが、効果はありません。予測はエンジンが自動で行います。',
  'Makes tokens less likely that occurred at all.': 'すでに出現したトークンを選ばれにくくします。',
  'The response that this one continues, or null.': 'このレスポンスの前のレスポンスです。ない場合はnullです。',
  'The text of the tokens.': 'トークンを変換したテキストです。',
  'The price of a million prompt tokens.': '入力100万トークンあたりの料金です。',
  'Accepted without effect: prompts are cached by themselves.':
    '受け付けますが、効果はありません。入力は自動的にキャッシュされます。',
  'Groups requests whose prompts begin alike. Accepted without effect.':
    '先頭が共通するリクエストをまとめる名前です。受け付けますが、効果はありません。',
  'The log probabilities of the prompt, if they were asked for. The first token has none.':
    '指定した場合の、入力の対数確率です。先頭のトークンにはありません。',
  'The token IDs of the prompt, if `return_token_ids` asked for them.':
    '`return_token_ids`を指定した場合の、入力のトークンIDです。',
  'Its place among all tokens by probability, from 1.': '全トークンの中での確率の順位です。1から始まります。',
  'Why the response is incomplete.': 'レスポンスが途中で終わった理由です。',
  'How the model thinks before it answers.': '回答の前にどのように考えるかです。',
  'What the model thought before it answered.': '回答の前にモデルが考えた内容です。',
  'How much the model thinks before it answers. Which values have an effect depends on the model.':
    '回答の前にどれだけ考えるかです。どの値に効果があるかはモデルによって異なります。',
  'How many of the tokens are reasoning.': 'このうち、推論のトークン数です。',
  'Why the model refused, or null.': 'モデルが拒否した理由です。ない場合はnullです。',
  'The answer matches this regular expression.': '回答は、この正規表現に一致します。',
  'How relevant the document is: higher is more. Between 0 and 1 with `use_activation`.':
    '文書の関連度です。値が大きいほど関連が強く、`use_activation`を指定すると0から1の値になります。',
  'How much of the limit is left.': '上限までの残りです。',
  'The ID of the request, as in `x-request-id`.': 'リクエストのIDです。`x-request-id`と同じ値です。',
  'How much the request asked for.': 'リクエストが必要とした量です。',
  'Requests that have ended.': '終了したリクエスト数です。',
  'Requests at the same time. null means no limit.': '同時に処理できるリクエスト数です。nullは上限なしです。',
  'Requests per day. null means no limit.': '1日あたりのリクエスト数です。nullは上限なしです。',
  'Requests per minute. null means no limit.': '1分あたりのリクエスト数です。nullは上限なしです。',
  'The response as it is at this moment.': 'この時点でのレスポンスです。',
  'The form of the answer: text, JSON, or JSON by a schema. Defaults to text.':
    '回答の形式です。テキスト、JSON、またはスキーマに従うJSONです。既定値はテキストです。',
  'Who wrote the message.': 'メッセージの送り手の役割です。',
  'An ID of your own for the person who asks. Accepted without effect.':
    '利用者を表す任意のIDです。受け付けますが、効果はありません。',
  'The JSON Schema that the answer follows.': '回答が従うJSONスキーマです。',
  'What the key may do.': 'キーの権限です。',
  'How relevant the texts are to each other.': 'テキストどうしの関連度です。',
  'The same seed and request give the same answer on the same server, as far as possible.':
    '同じサーバーで同じシードとリクエストを使うと、できる限り同じ回答になります。',
  'The place of the event in the stream, from 0.': 'ストリームの中でのイベントの位置です。0から始まります。',
  'Always null: the server runs no tools.': '常にnullです。サーバーはツールを実行しません。',
  'Accepted without effect: every request has the same tier.':
    '受け付けますが、効果はありません。すべてのリクエストは同じ扱いです。',
  'A signature of the thinking. Send it back unchanged.': '思考の署名です。変更せずに送り返してください。',
  'Where the image comes from.': '画像の取得元です。',
  'Whether the key can be used.': 'キーが使えるかどうかです。',
  'How far it has come.': '処理の状態です。',
  'Up to four texts at which the answer ends. They are not part of it.':
    '回答を終える文字列です。4つまで指定でき、回答には含まれません。',
  'Why the answer ended: `end_turn` at its own end, `stop_sequence` at a stop sequence, `max_tokens` at a token limit, `tool_use` to have tools called, `refusal` if the model refused.':
    '回答が終わった理由です。`end_turn`は自然な終わり、`stop_sequence`は停止シーケンス、`max_tokens`はトークン数の上限、`tool_use`はツールの呼び出し、`refusal`は拒否です。',
  'The stop sequence at which the answer ended, or null.': '回答を終えた停止シーケンスです。ない場合はnullです。',
  'Texts at which the answer ends. They are not part of it.': '回答を終える文字列です。回答には含まれません。',
  'Tokens at which the answer ends.': '回答を終えるトークンのIDです。',
  'Sends the answer as server-sent events while it is generated. Defaults to false.':
    '回答を生成しながら、サーバー送信イベントとして送ります。既定値はfalseです。',
  'Sends the response as server-sent events. Defaults to false.':
    'レスポンスをサーバー送信イベントとして送ります。既定値はfalseです。',
  'What a stream contains besides the answer. Only with `stream`.':
    'ストリームに、回答のほかに含める項目です。`stream`を指定した場合だけ使えます。',
  'Refuses a schema that cannot be enforced exactly. Without it, answers still follow their schema, and arguments follow theirs where possible.':
    '厳密に適用できないスキーマを拒否します。指定しなくても、回答はスキーマに従い、引数は可能な範囲でスキーマに従います。',
  'Restricts the answer to a list of texts, a pattern or a JSON schema.':
    '回答を、テキストの一覧、パターン、またはJSONスキーマに従うものに限ります。',
  'What the model thought, in parts.': 'モデルが考えた内容です。パートに分かれています。',
  'Any value returns the whole reasoning in `summary`. Without it, it is returned as `reasoning_text`.':
    'いずれかの値を指定すると、推論の全文を`summary`に入れて返します。省略すると`reasoning_text`として返します。',
  'The place of the part in the reasoning.': '推論の中での、パートの位置です。',
  'The language of the grammar: `regex` is enforced, `lark` is only shown to the model.':
    '文法を記述する言語です。`regex`は必ず適用され、`lark`はモデルに示されるだけです。',
  'A system message: a text, or a list of parts.': 'システムメッセージです。テキスト、またはパートのリストです。',
  'Changes when the model or the engine changes.': 'モデルまたはエンジンが変わると変わる値です。',
  'How random the answer is: 0 is least. Without it the default of the model applies.':
    '回答のランダムさです。0が最も小さい値です。省略すると、モデルの既定値が使われます。',
  'The text.': 'テキストです。',
  'The form of the answer, as requested.': 'リクエストで指定された、回答の形式です。',
  'The text that continues the prompt. With `echo`, the prompt comes first.':
    '入力の続きのテキストです。`echo`を指定すると、先頭に入力が付きます。',
  'Where each token begins in the text, in UTF-16 code units.':
    'テキストの中で、各トークンが始まる位置です（UTF-16のコード単位）。',
  'Whether the model thinks before it answers. Models that can think do so unless it is disabled.':
    '回答の前に考えるかどうかです。思考できるモデルは、無効にしないかぎり考えます。',
  'How many of the tokens are thinking.': 'このうち、思考のトークン数です。',
  'The time zone in which days and months begin.': '日と月の区切りに使うタイムゾーンです。',
  'The last day of the period, which is included.': '期間の最後の日です。この日も期間に含まれます。',
  'The token IDs of the answer, if `return_token_ids` asked for them.':
    '`return_token_ids`を指定した場合の、回答のトークンIDです。',
  'The log probability of each token.': '各トークンの対数確率です。',
  'The text of each token, if `return_token_strs` asked for it.':
    '`return_token_strs`を指定した場合の、各トークンのテキストです。',
  'The kind of tokenizer.': 'トークナイザーの種類です。',
  'The token IDs.': 'トークンIDです。',
  'The text of each token.': '各トークンのテキストです。',
  'Tokens that were read.': '処理されたトークン数です。',
  'Tokens per day. null means no limit.': '1日あたりのトークン数です。nullは上限なしです。',
  'Tokens per minute. null means no limit.': '1分あたりのトークン数です。nullは上限なしです。',
  'Tokens per month. null means no limit.': '1か月あたりのトークン数です。nullは上限なしです。',
  'Tokens used since the month began.': '今月使用されたトークン数です。',
  'Tokens used since the day began.': '今日使用されたトークン数です。',
  'The ID of the call that this message answers.': 'このメッセージが結果を返す呼び出しのIDです。',
  'Tools that the model wants called. Run them, and send their results as messages.':
    'モデルが呼び出しを求めるツールです。実行し、結果をメッセージとして送ります。',
  'Whether the model must call a tool, and which. Defaults to `auto` if there are tools.':
    'ツールを必ず呼び出すかどうかと、呼び出すツールです。ツールがある場合の既定値は`auto`です。',
  'The ID of the call that this result belongs to.': 'この結果に対応する呼び出しのIDです。',
  'The tools that the model may call.': 'モデルが呼び出せるツールです。',
  'Chooses only among this number of the most likely tokens; 0 means all.':
    '確率の高い順に、この数のトークンからだけ選びます。0ではすべてが候補です。',
  'The most likely tokens at this place.': 'この位置で確率の高いトークンです。',
  'Returns this number of the most likely tokens at every place. Only with `message.output_text.logprobs` in `include`.':
    '各位置で、確率の高いトークンをこの数だけ返します。`include`に`message.output_text.logprobs`を指定した場合だけ有効です。',
  'The value of the request.': 'リクエストで指定された値です。',
  'Chooses only among the most likely tokens that together have this probability. Without it the default of the model applies.':
    '確率の高い順に、合計がこの値になるまでのトークンからだけ選びます。省略すると、モデルの既定値が使われます。',
  'The sum over the whole period.': '期間全体の合計です。',
  'Tokens of the prompt and of the answer together.': '入力と回答を合わせたトークン数です。',
  'What happens to a conversation that does not fit the context.': '会話がコンテキストに収まらない場合の扱いです。',
  'Which kind of object this is.': 'オブジェクトの種類です。',
  'The address of the image, or a data URL.': '画像のアドレス、またはdata URLです。',
  'The tokens of the request.': 'リクエストのトークン数です。',
  'What the key has used today and this month.': '今日と今月の、キーの使用量です。',
  'An ID of your own for the person who asks. It has no effect; stored chat completions and responses contain it.':
    '利用者を表す任意のIDです。効果はありませんが、保存されたチャット補完とレスポンスに含まれます。',
  'An ID of your own for the person who asks. Only upstreams with the same API are sent it.':
    '利用者を表す任意のIDです。同じ形式のAPIを持つ上流にだけ送られます。',
  'Begins after the entry with this ID.': 'このIDの項目のあとから返します。',
  'The order by time: `asc` is oldest first.': '時刻による並び順です。`asc`は古い順です。',
  'Begins after the event with this number.': 'この番号のイベントのあとから返します。',
  'How many entries a page has at most.': '1ページに含める項目の最大数です。',
  'Scope of the limit. The organisations of one owner share the memory for request bodies, and so do the clients of one network address.':
    '上限の適用範囲です。リクエスト本文のためのメモリは、同じ所有者の組織どうし、また同じネットワークアドレスのクライアントどうしで共有されます。',
  'Unix time in seconds: when the request would be accepted. Null if the request exceeds the limit itself, or if that depends on when running requests finish.':
    'リクエストが受け付けられるようになる時刻（Unix時間、秒）です。リクエストが上限そのものを超えている場合や、実行中のリクエストの終了時刻によって決まる場合はnullです。',
  'Only from upstreams that have the Responses API.': 'Responses APIを持つ上流の場合にだけ含まれます。',
}
