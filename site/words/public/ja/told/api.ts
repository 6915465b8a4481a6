/** What the API reference tells about calls and fields, by the English text of the server's own table and schemas. */
export const toldInApi = {
  'Answers a conversation, in one document or as a stream.':
    '会話に回答します。回答は1つのJSON、またはストリームです。',
  'Lists the completions that were stored.': '保存された回答を一覧します。',
  'Reads a stored completion.': '保存された回答を取得します。',
  'Replaces the metadata of a stored completion.': '保存された回答のメタデータを置き換えます。',
  'Deletes a stored completion.': '保存された回答を削除します。',
  'Lists the messages that a stored completion answered.': '保存された回答の、元になったメッセージを一覧します。',
  'Lists the models.': 'モデルを一覧します。',
  'Reads about one model.': '1つのモデルの情報を取得します。',
  'Reads what the key of the call may do, and how much of its limits is used.':
    '呼び出しに使ったキーでできることと、制限の使用状況を取得します。',
  'Lists the keys of the organisation. As all that follows under keys and usage, it needs a management key.':
    '組織のキーを一覧します。以下のキーと使用量の呼び出しには、管理キーが必要です。',
  'Makes a key. It cannot be a management key.': 'キーを作成します。管理キーは作成できません。',
  'Reads about one key.': '1つのキーの情報を取得します。',
  'Changes a key: its name, expiry, models, networks or limits.':
    'キーの名前、有効期限、モデル、ネットワーク、制限を変更します。',
  'Revokes a key, at once and for good.': 'キーをただちに失効させます。元に戻すことはできません。',
  'Gives a key a new secret; the one so far works for a grace.':
    'キーに新しいシークレットを発行します。これまでのシークレットは猶予期間中も使えます。',
  'Sums up what the organisation used, by day, key or model.': '組織の使用量を日、キー、モデルごとに集計します。',
  'This document.': 'このページのもとになっているOpenAPI文書です。',

  'Unix time in seconds.': 'UNIX時間（秒）です。',
  'Unix time in seconds; null: never.': 'UNIX時間（秒）です。nullでは期限がありません。',
  'How the secret begins.': 'シークレットの先頭部分です。',
  'How it ends.': 'シークレットの末尾です。',
  'The models it may use; null: all.': '使えるモデルです。nullではすべて使えます。',
  'The networks it may be used from; null: all.': '使用を許可するネットワークです。nullでは制限がありません。',
  'Addresses and networks (CIDR) it may be used from; null: all.':
    '使用を許可するアドレスとネットワーク（CIDR）です。nullでは制限がありません。',
  'Those that are left out stay as they are; null: none.': '省略した項目は変わりません。nullでは制限がなくなります。',
  'What it opens: chat, models, completions.read and completions.write unless told.':
    'キーでできることです。省略するとchat、models、completions.read、completions.writeになります。',
  'How long the secret so far goes on working: a day unless told, 0 for not at all.':
    'これまでのシークレットが使える時間です。省略すると1日、0ではすぐに使えなくなります。',
  'To within a minute.': '誤差は1分以内です。',
  'Until then the secret before the last rotation works as well.':
    'この時刻までは、前回のローテーション前のシークレットも使えます。',
  'The secret. It is in this answer and nowhere else.': 'シークレットです。このレスポンスにしか含まれません。',
  'Whose limit it is.': '制限の対象です。',
  'Reserved for running requests included.': '実行中のリクエストに確保した分を含みます。',
  'When all of it is free again, if nothing more is sent; null: when running requests end.':
    '新たな送信がなければ全量が空く時刻です。nullでは、実行中のリクエストの終了時に空きます。',
  'Every limit that counts for this key, the narrowest scope first.':
    'このキーに適用される制限です。範囲の狭い順に並びます。',
  'The first day, as 2026-11-01; of this month unless told.':
    '最初の日です（例：2026-11-01）。省略すると今月の1日になります。',
  'The last day; today unless told. At most 366 days.': '最後の日です。省略すると今日になります。期間は最長366日です。',
  'Where days begin.': '日の区切りに使うタイムゾーンです。',
  'Null: asked in the playground.': 'nullは、プレイグラウンドからの利用です。',
  'Broken off by their clients.': 'クライアントが途中で打ち切った数です。',
  "Of the prompts': those that did not have to be read again.": '入力のうち、キャッシュから再利用したトークン数です。',
  "Of the completions': those of thoughts.": '回答のうち、推論に使われたトークン数です。',

  'The older name of max_completion_tokens.': 'max_completion_tokensの旧名です。',
  'The most tokens of the answer.': '回答の最大トークン数です。',
  'How many answers.': '生成する回答の数です。',
  'The same seed gives the same answer, as far as it can be promised.':
    '同じシードなら、保証できる範囲で同じ回答になります。',
  '0 takes the most likely token; higher is more varied.':
    '0では最も確率の高いトークンを選び、値が大きいほど多様になります。',
  'Only the most likely tokens that together have this probability.':
    '確率の高い順に、合計がこの値に達するまでのトークンだけを候補にします。',
  'Against tokens by how often they were said.': 'すでに出たトークンを、出た回数に応じて抑えます。',
  'Against tokens that were said.': '一度でも出たトークンを抑えます。',
  'From token id to a number that is added to its logit.': 'トークンIDと、そのロジットに加える数値の組です。',
  'Tells the probability of each token.': '各トークンの確率を返します。',
  'How many likely tokens are told at each place.': '各位置で返す、確率の高いトークンの数です。',
  'Answers with server-sent events.': 'Server-Sent Eventsで返します。',
  'Keeps the completion, to be read again under its id.': '回答を保存し、あとからIDで取得できるようにします。',
  'A JSON Schema for the arguments.': '引数のJSON Schemaです。',
  'A JSON Schema.': 'JSON Schemaです。',
  'A JSON Schema, or one written as text.': 'JSON Schema、またはそれを文字列にしたものです。',
  'Ignored: what a client or another provider noted beside a message.':
    '無視されます。クライアントやほかのプロバイダーがメッセージに付け加えた情報です。',
  'Refused: the model does not speak.': '拒否されます。モデルは音声を出力しません。',
  'Refused: there is no moderation model.': '拒否されます。モデレーション用のモデルはありません。',
  'Refused: the model does not search.': '拒否されます。モデルは検索を行いません。',

  'Only so many of the most likely tokens; 0 or -1: all.':
    '確率の高い順に、この数のトークンだけを候補にします。0または-1ではすべてが候補です。',
  'Only tokens with this share of the best probability.':
    '最も高い確率に対する比率がこの値以上のトークンだけを候補にします。',
  'Above 1 against tokens of prompt and answer.': '1より大きいと、入力と回答にすでに出たトークンを抑えます。',
  'No end before so many tokens.': 'このトークン数に達するまで回答を終えません。',
  'Goes on to the limit.': '終了トークンが出ても、上限まで生成を続けます。',
  'Goes on with the last message instead of answering it.': '最後のメッセージに回答せず、その続きを生成します。',
  'Lets the template open the answer; true unless told.':
    'テンプレートに回答の書き出しを加えさせます。既定はtrueです。',
  'Tells the ids of the tokens of prompt and answer.': '入力と回答のトークンIDを返します。',
} as const
